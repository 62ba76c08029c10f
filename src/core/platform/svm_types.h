// SPDX-License-Identifier: MIT
// The types of shared virtual memory (cl_khr_unified_svm): what an index means. All
// memory of the process is alike here; the types differ in what they promise.
#ifndef TF_CORE_PLATFORM_SVM_TYPES_H
#define TF_CORE_PLATFORM_SVM_TYPES_H

#include <CL/cl.h>
#include <CL/cl_trefoil.h>

#include "core/object/info.h"

struct tf_device_caps;

enum tf_svm_type {
    TF_SVM_TYPE_COARSE,
    TF_SVM_TYPE_FINE,
    TF_SVM_TYPE_DEVICE,
    TF_SVM_TYPE_HOST,
    TF_SVM_TYPE_SHARED,
    TF_SVM_TYPE_SYSTEM, // of no allocation
    TF_SVM_TYPE_COUNT,
};

// What the platform promises of each; 0 beyond the last one.
cl_svm_capabilities_khr tf_svm_type_promises(cl_uint type);

// The same of a device: it has all of them or none.
cl_svm_capabilities_khr tf_svm_type_on(const struct tf_device_caps *caps, cl_uint type);

// Those of a device, or of the platform if `caps` is NULL, as an array. CL_INVALID_VALUE.
cl_int tf_svm_types_put(struct tf_err *err, const struct tf_info *info,
                        const struct tf_device_caps *caps);

#endif // TF_CORE_PLATFORM_SVM_TYPES_H
