// SPDX-License-Identifier: MIT
// Property lists: pairs of 64-bit words (name, value), ended by a name of 0.
#ifndef TF_CORE_OBJECT_PROPS_H
#define TF_CORE_OBJECT_PROPS_H

#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

struct tf_err;
struct tf_info;

// What an object keeps of the list that it was made with.
struct tf_props {
    uint64_t *words; // owned; NULL: no list was given
    size_t count;    // with the ending 0
};

// Checks that every name of `list` (NULL is allowed: no properties) is one of names[0..n)
// and stands there once; otherwise records and returns `invalid`. *count becomes the
// number of words with the ending 0, or 0 for NULL.
cl_int tf_props_check(struct tf_err *err, const uint64_t *list, const uint64_t *names,
                      size_t n, cl_int invalid, size_t *count);

// The value of `name` in a checked list (NULL is allowed), or `otherwise`.
uint64_t tf_props_value(const uint64_t *list, uint64_t name, uint64_t otherwise);

// True if a checked list has `name`.
int tf_props_has(const uint64_t *list, uint64_t name);

// Copies a checked list of `count` 64-bit words (NULL is allowed). CL_OUT_OF_HOST_MEMORY.
cl_int tf_props_keep(struct tf_err *err, struct tf_props *to, const void *list,
                     size_t count);
void tf_props_drop(struct tf_props *props);
// CL_*_PROPERTIES. CL_INVALID_VALUE.
cl_int tf_props_put(struct tf_err *err, const struct tf_info *info,
                    const struct tf_props *props);

#endif // TF_CORE_OBJECT_PROPS_H
