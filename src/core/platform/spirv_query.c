// SPDX-License-Identifier: MIT
#include "core/platform/spirv_query.h"

#include <stdio.h>

#include "core/platform/feature_query.h"

enum { VERSIONS = TF_SPIRV_MINOR_MAX + 1, WORDS_BYTES = 128 };

cl_int tf_spirv_put_version_words(struct tf_err *err, const struct tf_info *info,
                                  const struct tf_feature_set *set)
{
    char words[WORDS_BYTES] = "";
    size_t at = 0;

    if (!tf_feature_in(set, TF_FEATURE_cl_khr_il_program))
        return tf_info_string(err, info, "");
    for (int minor = TF_SPIRV_MINOR_MAX; minor >= 0; minor--)
        at += (size_t)snprintf(words + at, sizeof(words) - at, "%sSPIR-V_1.%d",
                               at ? " " : "", minor);
    return tf_info_string(err, info, words);
}

cl_int tf_spirv_put_versions(struct tf_err *err, const struct tf_info *info,
                             const struct tf_feature_set *set)
{
    const bool any = tf_feature_in(set, TF_FEATURE_cl_khr_il_program);
    cl_name_version names[VERSIONS];

    for (int i = 0; i < VERSIONS; i++)
        tf_features_name(&names[i], "SPIR-V",
                         CL_MAKE_VERSION(1, TF_SPIRV_MINOR_MAX - i, 0));
    return tf_info_value(err, info, names, any ? sizeof(names) : 0);
}

cl_int tf_spirv_put_names(struct tf_err *err, const struct tf_info *info,
                          const struct tf_feature_set *set, enum tf_spirv_kind kind)
{
    const char *names[TF_SPIRV_ROWS];
    size_t count = 0;

    for (int i = 0; i < TF_SPIRV_ROWS; i++)
        if (tf_spirv_rows[i].kind == kind && tf_spirv_row_in(set, &tf_spirv_rows[i]))
            names[count++] = tf_spirv_rows[i].name;
    return tf_info_value(err, info, names, count * sizeof(names[0]));
}

cl_int tf_spirv_put_capabilities(struct tf_err *err, const struct tf_info *info,
                                 const struct tf_feature_set *set)
{
    cl_uint numbers[TF_SPIRV_ROWS];
    size_t count = 0;

    for (int i = 0; i < TF_SPIRV_ROWS; i++)
        if (tf_spirv_rows[i].kind == TF_SPIRV_CAPABILITY &&
            tf_spirv_row_in(set, &tf_spirv_rows[i]))
            numbers[count++] = tf_spirv_rows[i].number;
    return tf_info_value(err, info, numbers, count * sizeof(numbers[0]));
}
