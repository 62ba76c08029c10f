// SPDX-License-Identifier: MIT
#include "core/platform/svm_types.h"

#include "core/platform/device_caps.h"

// What the device can do with any memory.
#define DEVICE_FULL                                                                    \
    (CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |  \
     CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR | \
     CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR)
#define HOST_FULL (CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR)
#define CONCURRENT                             \
    (CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR | \
     CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR)
#define EVERYWHERE \
    (CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR)

static const cl_svm_capabilities_khr types[TF_SVM_TYPE_COUNT] = {
    [TF_SVM_TYPE_COARSE] = DEVICE_FULL | EVERYWHERE | CL_SVM_CAPABILITY_HOST_MAP_KHR,
    [TF_SVM_TYPE_FINE] = DEVICE_FULL | EVERYWHERE | HOST_FULL | CONCURRENT |
                         CL_SVM_CAPABILITY_HOST_MAP_KHR,
    [TF_SVM_TYPE_DEVICE] = DEVICE_FULL | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR,
    [TF_SVM_TYPE_HOST] = DEVICE_FULL | EVERYWHERE | HOST_FULL | CONCURRENT |
                         CL_SVM_CAPABILITY_HOST_OWNED_KHR,
    [TF_SVM_TYPE_SHARED] = DEVICE_FULL | HOST_FULL | CONCURRENT,
    [TF_SVM_TYPE_SYSTEM] = DEVICE_FULL | EVERYWHERE | HOST_FULL | CONCURRENT |
                           CL_SVM_CAPABILITY_HOST_MAP_KHR |
                           CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR,
};

cl_svm_capabilities_khr tf_svm_type_promises(cl_uint type)
{
    return type < TF_SVM_TYPE_COUNT ? types[type] : 0;
}

cl_svm_capabilities_khr tf_svm_type_on(const struct tf_device_caps *caps, cl_uint type)
{
    return tf_device_caps_has(caps, TF_FEATURE_cl_khr_unified_svm)
               ? tf_svm_type_promises(type)
               : 0;
}

cl_int tf_svm_types_put(struct tf_err *err, const struct tf_info *info,
                        const struct tf_device_caps *caps)
{
    cl_svm_capabilities_khr on[TF_SVM_TYPE_COUNT];

    for (cl_uint i = 0; i < TF_SVM_TYPE_COUNT; i++)
        on[i] = caps ? tf_svm_type_on(caps, i) : types[i];
    return tf_info_value(err, info, on, sizeof(on));
}
