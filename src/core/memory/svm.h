// SPDX-License-Identifier: MIT
// Memory that host and devices address alike: clSVMAlloc (OpenCL 3.1 §5.6) and the host,
// device and shared allocations of cl_intel_unified_shared_memory. A context finds an
// allocation by any address inside of it, in a time that grows with the logarithm of
// their number. Launches never look: on a device with fine-grained system sharing an
// address is all that a kernel needs.
//
// Lock: context (rank TF_RANK_CONTEXT), for the tree of allocations.
#ifndef TF_CORE_MEMORY_SVM_H
#define TF_CORE_MEMORY_SVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

#include "core/object/props.h"
#include "core/platform/context.h"

// How an allocation was made. Bits, because some callers take several.
enum tf_svm_kind {
    TF_SVM_BUFFER = 1u << 0, // clSVMAlloc, clSVMAllocWithPropertiesKHR
    TF_SVM_HOST = 1u << 1,   // clHostMemAllocINTEL
    TF_SVM_DEVICE = 1u << 2, // clDeviceMemAllocINTEL
    TF_SVM_SHARED = 1u << 3, // clSharedMemAllocINTEL
    TF_SVM_UNIFIED = TF_SVM_HOST | TF_SVM_DEVICE | TF_SVM_SHARED,
};

struct tf_svm_desc {
    enum tf_svm_kind kind;
    uint64_t flags;      // cl_svm_mem_flags, or cl_mem_alloc_flags_intel
    cl_device_id device; // DEVICE; SHARED: may be NULL
    size_t size_bytes;   // > 0
    size_t align_bytes;  // power of two; 0: that of the largest data type
    // Of clSVMAllocWithPropertiesKHR: the type, and what it was asked for.
    cl_uint type;    // enum tf_svm_type
    uint64_t access; // cl_svm_alloc_access_flags_khr
    const uint64_t *properties;
    size_t property_count; // with the terminating 0
};

// True if some device of the context has one of the capabilities (a CL_DEVICE_SVM_*
// mask).
bool tf_svm_supported(cl_context ctx, cl_device_svm_capabilities any_of);
#define TF_SVM_ANY (~(cl_device_svm_capabilities)0)

// True if some device of the context has unified shared memory.
bool tf_usm_supported(cl_context ctx);

// Largest allocation that every device of the context takes, in bytes.
uint64_t tf_svm_max_bytes(cl_context ctx);

// New memory, all zeros; it lives until it is freed or the context dies. `desc` is
// checked. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES.
cl_int tf_svm_alloc(struct tf_err *err, cl_context ctx, const struct tf_svm_desc *desc,
                    void **out) TF_EXCLUDES(&ctx->lock);

// Frees the allocation that begins at `ptr`. CL_INVALID_VALUE if there is none, or one of
// a kind that is not in `kinds`.
cl_int tf_svm_free(struct tf_err *err, cl_context ctx, unsigned kinds, void *ptr)
    TF_EXCLUDES(&ctx->lock);

struct tf_svm_info {
    enum tf_svm_kind kind;
    uint64_t flags;
    cl_device_id device;
    void *start;
    size_t size_bytes;
    cl_uint type;          // enum tf_svm_type
    uint64_t access;       // cl_svm_alloc_access_flags_khr
    struct tf_props props; // borrowed: until the memory is freed
};

// The allocation that `ptr` lies in; false if it lies in none of these kinds.
bool tf_svm_find(cl_context ctx, unsigned kinds, const void *ptr, struct tf_svm_info *out)
    TF_EXCLUDES(&ctx->lock);

#endif // TF_CORE_MEMORY_SVM_H
