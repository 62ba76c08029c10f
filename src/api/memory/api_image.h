// SPDX-License-Identifier: MIT
// The checks of what an image is to be made of (OpenCL 3.1 §5.3.1).
#ifndef TF_API_MEMORY_API_IMAGE_H
#define TF_API_MEMORY_API_IMAGE_H

#include <CL/cl.h>

#include "core/object/error.h"

struct tf_image_desc {
    cl_mem_flags flags;
    const cl_mem_properties *properties; // NULL: none
    const cl_image_format *format;
    const cl_image_desc *desc;
    void *host_ptr;
};

// CL_INVALID_CONTEXT, CL_INVALID_PROPERTY, CL_INVALID_VALUE,
// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_HOST_PTR;
// in this order.
cl_int check_image_desc(struct tf_err *err, cl_context ctx,
                        const struct tf_image_desc *image);

// Fails with CL_INVALID_OPERATION: no device has images.
cl_int check_images_offered(struct tf_err *err);

#endif // TF_API_MEMORY_API_IMAGE_H
