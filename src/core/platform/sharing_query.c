// SPDX-License-Identifier: MIT
#include "core/platform/sharing_query.h"

#include <CL/cl_trefoil.h>

// User space cannot make a sync file: these are taken and never given.
static const struct {
    enum tf_sharing_kind kind;
    enum tf_feature feature;
    cl_uint type;
} types[] = {
    {TF_SHARING_SEMAPHORE_IMPORT, TF_FEATURE_cl_khr_external_semaphore_opaque_fd,
     CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR},
    {TF_SHARING_SEMAPHORE_IMPORT, TF_FEATURE_cl_khr_external_semaphore_sync_fd,
     CL_SEMAPHORE_HANDLE_SYNC_FD_KHR},
    {TF_SHARING_SEMAPHORE_EXPORT, TF_FEATURE_cl_khr_external_semaphore_opaque_fd,
     CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR},
    {TF_SHARING_MEMORY_IMPORT, TF_FEATURE_cl_khr_external_memory_opaque_fd,
     CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR},
};

cl_int tf_sharing_put_types(struct tf_err *err, const struct tf_info *info,
                            const struct tf_feature_set *set, enum tf_sharing_kind kind)
{
    cl_uint found[sizeof(types) / sizeof(types[0])];
    size_t count = 0;

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (types[i].kind == kind && tf_feature_in(set, types[i].feature))
            found[count++] = types[i].type;
    return tf_info_value(err, info, found, count * sizeof(found[0]));
}
