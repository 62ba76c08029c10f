// SPDX-License-Identifier: MIT
#include "core/object/props.h"

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/object/info.h"

static const uint64_t *find(const uint64_t *list, uint64_t name)
{
    for (; list && *list; list += 2)
        if (*list == name)
            return list;
    return NULL;
}

// Since each known name may stand there once, at most n pairs are read of a bad list.
cl_int tf_props_check(struct tf_err *err, const uint64_t *list, const uint64_t *names,
                      size_t n, cl_int invalid, size_t *count)
{
    size_t words = 0;

    for (; list && list[words]; words += 2) {
        size_t known = 0;

        while (known < n && names[known] != list[words])
            known++;
        if (known == n)
            return tf_fail(err, invalid, "unknown property 0x%llx",
                           (unsigned long long)list[words]);
        if (find(list, list[words]) != list + words)
            return tf_fail(err, invalid, "property 0x%llx is there twice",
                           (unsigned long long)list[words]);
    }
    *count = list ? words + 1 : 0;
    return CL_SUCCESS;
}

uint64_t tf_props_value(const uint64_t *list, uint64_t name, uint64_t otherwise)
{
    const uint64_t *pair = find(list, name);

    return pair ? pair[1] : otherwise;
}

int tf_props_has(const uint64_t *list, uint64_t name)
{
    return find(list, name) != NULL;
}

cl_int tf_props_keep(struct tf_err *err, struct tf_props *to, const void *list,
                     size_t count)
{
    if (!list)
        return CL_SUCCESS;
    to->words = tf_memdup(list, count * sizeof(*to->words));
    if (!to->words)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%zu words of properties", count);
    to->count = count;
    return CL_SUCCESS;
}

void tf_props_drop(struct tf_props *props)
{
    tf_free(props->words);
}

cl_int tf_props_put(struct tf_err *err, const struct tf_info *info,
                    const struct tf_props *props)
{
    return tf_info_value(err, info, props->words, props->count * sizeof(*props->words));
}
