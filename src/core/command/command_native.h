// SPDX-License-Identifier: MIT
// Native kernels: host functions as commands (OpenCL 3.1 §5.10).
#ifndef TF_CORE_COMMAND_COMMAND_NATIVE_H
#define TF_CORE_COMMAND_COMMAND_NATIVE_H

#include "core/command/enqueue.h"

struct tf_native_desc {
    void(CL_CALLBACK *fn)(void *);
    const void *args; // copied; NULL: fn gets NULL
    size_t args_bytes;
    cl_uint mem_count;
    const cl_mem *mems;        // an entry may be NULL
    const size_t *mem_offsets; // per mem: where in args its address goes, inside of args
};

// Enqueues a host function. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES.
cl_int tf_enqueue_native(struct tf_err *err, const struct tf_enqueue *at,
                         const struct tf_native_desc *desc);

#endif // TF_CORE_COMMAND_COMMAND_NATIVE_H
