// SPDX-License-Identifier: MIT
#include "core/platform/feature_query.h"

#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "core/object/error.h"

static bool is_listed(const struct tf_feature_set *set, unsigned kinds, enum tf_feature f)
{
    return tf_features[f].kind & kinds && tf_feature_in(set, f);
}

cl_int tf_features_put_words(struct tf_err *err, const struct tf_info *info,
                             const struct tf_feature_set *set, unsigned kinds)
{
    struct tf_str words = {0};
    char *text;

    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (is_listed(set, kinds, f))
            tf_str_printf(&words, "%s%s", words.bytes ? " " : "", tf_features[f].name);
    text = tf_str_take(&words);
    if (text)
        tf_info_string(err, info, text);
    else
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "list of extensions");
    tf_free(text);
    return err->code;
}

void tf_features_name(cl_name_version *out, const char *name, cl_version version)
{
    memset(out, 0, sizeof(*out));
    out->version = version;
    strncpy(out->name, name, sizeof(out->name) - 1);
}

cl_int tf_features_put_names(struct tf_err *err, const struct tf_info *info,
                             const struct tf_feature_set *set, unsigned kinds)
{
    cl_name_version *const names = tf_zalloc(TF_FEATURE_COUNT * sizeof(*names));
    size_t count = 0;

    if (!names)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "list of features");
    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (is_listed(set, kinds, f))
            tf_features_name(&names[count++], tf_features[f].name,
                             tf_features[f].version);
    tf_info_value(err, info, names, count * sizeof(names[0]));
    tf_free(names);
    return err->code;
}
