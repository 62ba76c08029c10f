// SPDX-License-Identifier: MIT
// Buffers and sub-buffers (OpenCL 3.1 §5.2).
#ifndef TF_CORE_MEMORY_BUFFER_H
#define TF_CORE_MEMORY_BUFFER_H

#include "core/memory/mem.h"

struct tf_buffer_desc {
    cl_mem_flags flags;
    size_t size_bytes; // > 0
    void *host_ptr;    // with CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR
    const cl_mem_properties *properties; // NULL, or checked
    size_t property_count;               // with the terminating 0
    bool fixes_address;
    struct tf_external external;
};

// Largest buffer that some device of the context takes, in bytes.
uint64_t tf_buffer_max_bytes(cl_context ctx);

// `desc` is checked. CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY.
cl_int tf_buffer_create(struct tf_err *err, cl_context ctx,
                        const struct tf_buffer_desc *desc, cl_mem *out);

// `flags` and the region are checked. CL_OUT_OF_HOST_MEMORY.
cl_int tf_sub_buffer_create(struct tf_err *err, cl_mem parent, cl_mem_flags flags,
                            const cl_buffer_region *region, cl_mem *out);

#endif // TF_CORE_MEMORY_BUFFER_H
