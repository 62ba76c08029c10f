// SPDX-License-Identifier: MIT
// Commands on memory that host and device address alike (OpenCL 3.1 §5.6,
// cl_intel_unified_shared_memory): their ranges are plain pointers. Arguments are
// checked; each function fails with CL_OUT_OF_HOST_MEMORY, or if blocking with the
// command's own error. `type` is the CL_COMMAND_* that the event tells.
#ifndef TF_CORE_COMMAND_COMMAND_SVM_H
#define TF_CORE_COMMAND_COMMAND_SVM_H

#include "core/command/enqueue.h"

struct tf_svm_copy {
    void *dst;
    const void *src;
    size_t size_bytes; // 0: the command does nothing
};

cl_int tf_enqueue_svm_copy(struct tf_err *err, const struct tf_enqueue *at,
                           cl_command_type type, const struct tf_svm_copy *what);

// True if the two ranges share a byte.
bool tf_svm_copy_overlaps(const struct tf_svm_copy *what);

struct tf_svm_fill {
    void *dst;
    size_t size_bytes; // 0: the command does nothing
    const void *pattern;
    size_t pattern_bytes; // 1, 2, 4 ... 128
};

cl_int tf_enqueue_svm_fill(struct tf_err *err, const struct tf_enqueue *at,
                           cl_command_type type, const struct tf_svm_fill *what);

// Map, unmap, migration and advice: the bytes are where everybody finds them, so that
// only the command's place in the order is left.
cl_int tf_enqueue_svm_order(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type);

typedef void(CL_CALLBACK *tf_svm_free_fn)(cl_command_queue, cl_uint, void **, void *);

struct tf_svm_release {
    cl_uint count;
    void *const *pointers; // copied
    tf_svm_free_fn fn;     // NULL: the command frees them itself
    void *data;
};

// clEnqueueSVMFree. The function runs as the command, on a thread of the device and under
// no lock. Without one, pointers that clSVMAlloc did not return are left alone.
cl_int tf_enqueue_svm_free(struct tf_err *err, const struct tf_enqueue *at,
                           const struct tf_svm_release *what);

#endif // TF_CORE_COMMAND_COMMAND_SVM_H
