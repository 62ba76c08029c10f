// SPDX-License-Identifier: MIT
// Answers of which handles of other processes and interfaces are taken and given.
#ifndef TF_CORE_PLATFORM_SHARING_QUERY_H
#define TF_CORE_PLATFORM_SHARING_QUERY_H

#include "abi/language_features.h"
#include "core/object/info.h"

enum tf_sharing_kind {
    TF_SHARING_SEMAPHORE_IMPORT,
    TF_SHARING_SEMAPHORE_EXPORT,
    TF_SHARING_MEMORY_IMPORT,
};

// An array of cl_external_*_handle_type_khr, perhaps empty. CL_INVALID_VALUE.
cl_int tf_sharing_put_types(struct tf_err *err, const struct tf_info *info,
                            const struct tf_feature_set *set, enum tf_sharing_kind kind);

#endif // TF_CORE_PLATFORM_SHARING_QUERY_H
