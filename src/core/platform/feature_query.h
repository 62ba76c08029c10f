// SPDX-License-Identifier: MIT
// Answers that list extensions or features, as words and with versions.
#ifndef TF_CORE_PLATFORM_FEATURE_QUERY_H
#define TF_CORE_PLATFORM_FEATURE_QUERY_H

#include "abi/language_features.h"
#include "core/object/info.h"

// Those of a set that are of one of `kinds` (enum tf_feature_kind): names with single
// spaces between them, or a cl_name_version array. CL_INVALID_VALUE,
// CL_OUT_OF_HOST_MEMORY.
cl_int tf_features_put_words(struct tf_err *err, const struct tf_info *info,
                             const struct tf_feature_set *set, unsigned kinds);
cl_int tf_features_put_names(struct tf_err *err, const struct tf_info *info,
                             const struct tf_feature_set *set, unsigned kinds);

// Sets *out.
void tf_features_name(cl_name_version *out, const char *name, cl_version version);

#endif // TF_CORE_PLATFORM_FEATURE_QUERY_H
