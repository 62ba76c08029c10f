// SPDX-License-Identifier: MIT
// Pipes (OpenCL 3.1 §5.4): queues of packets, which only kernels write and read.
#ifndef TF_CORE_MEMORY_PIPE_H
#define TF_CORE_MEMORY_PIPE_H

#include "core/memory/mem.h"

struct tf_pipe_desc {
    cl_mem_flags flags;
    cl_uint packet_bytes; // > 0
    cl_uint max_packets;  // > 0
};

// True if some device of the context has pipes.
bool tf_pipe_supported(cl_context ctx);

// Largest packet that some device of the context takes, in bytes.
cl_uint tf_pipe_max_packet_bytes(cl_context ctx);

// `desc` is checked. CL_MEM_OBJECT_ALLOCATION_FAILURE (too large a pipe, too), or
// CL_OUT_OF_HOST_MEMORY.
cl_int tf_pipe_create(struct tf_err *err, cl_context ctx, const struct tf_pipe_desc *desc,
                      cl_mem *out);

// clGetPipeInfo (OpenCL 3.1 §5.4.2). CL_INVALID_VALUE.
cl_int tf_pipe_get_info(struct tf_err *err, cl_mem pipe, cl_pipe_info param, size_t size,
                        void *value, size_t *size_ret);

#endif // TF_CORE_MEMORY_PIPE_H
