// SPDX-License-Identifier: MIT
// The properties that buffers and images are made with, and the flags that depend on
// them.
#ifndef TF_API_MEMORY_API_MEM_PROPERTIES_H
#define TF_API_MEMORY_API_MEM_PROPERTIES_H

#include <stdbool.h>

#include <CL/cl.h>

#include "core/memory/external.h"

struct tf_err;

struct tf_mem_properties {
    size_t count; // words, with the terminating 0
    bool fixes_address;
    struct tf_external external;
};

// Of an image if `is_image`. `properties` may be NULL. The context (err->ctx) is checked.
// CL_INVALID_PROPERTY, CL_INVALID_DEVICE, CL_INVALID_OPERATION.
cl_int check_mem_properties(struct tf_err *err, const cl_mem_properties *properties,
                            bool is_image, struct tf_mem_properties *out);

// Where the first bytes of a new object come from: `in_other` says that it lies in
// another one. CL_INVALID_VALUE, CL_INVALID_HOST_PTR.
cl_int check_mem_source(struct tf_err *err, cl_mem_flags flags, const void *host_ptr,
                        const struct tf_external *external, bool in_other);

#endif // TF_API_MEMORY_API_MEM_PROPERTIES_H
