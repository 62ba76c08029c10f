// SPDX-License-Identifier: MIT
// Answers of what SPIR-V a device reads. Without cl_khr_il_program it reads none.
#ifndef TF_CORE_PLATFORM_SPIRV_QUERY_H
#define TF_CORE_PLATFORM_SPIRV_QUERY_H

#include "abi/spirv_features.h"
#include "core/object/info.h"

// The versions, newest first: "SPIR-V_1.6 SPIR-V_1.5 ..." and a cl_name_version array.
cl_int tf_spirv_put_version_words(struct tf_err *err, const struct tf_info *info,
                                  const struct tf_feature_set *set);
cl_int tf_spirv_put_versions(struct tf_err *err, const struct tf_info *info,
                             const struct tf_feature_set *set);

// cl_khr_spirv_queries: the names of one kind, an array of const char *, which live as
// long as the process; the numbers of the capabilities.
cl_int tf_spirv_put_names(struct tf_err *err, const struct tf_info *info,
                          const struct tf_feature_set *set, enum tf_spirv_kind kind);
cl_int tf_spirv_put_capabilities(struct tf_err *err, const struct tf_info *info,
                                 const struct tf_feature_set *set);

#endif // TF_CORE_PLATFORM_SPIRV_QUERY_H
