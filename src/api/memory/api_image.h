// SPDX-License-Identifier: MIT
// The checks of what an image is to be made of (OpenCL 3.1 §5.3.1).
#ifndef TF_API_MEMORY_API_IMAGE_H
#define TF_API_MEMORY_API_IMAGE_H

#include <CL/cl.h>

#include "core/memory/image.h"
#include "core/object/error.h"

// CL_INVALID_CONTEXT, CL_INVALID_OPERATION, CL_INVALID_PROPERTY, CL_INVALID_VALUE,
// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE,
// CL_INVALID_HOST_PTR, CL_IMAGE_FORMAT_NOT_SUPPORTED; in this order. Sets
// in->property_count.
cl_int check_image_in(struct tf_err *err, cl_context ctx, struct tf_image_in *in);

// CL_INVALID_OPERATION unless a device of the context has images.
cl_int check_images_offered(struct tf_err *err, cl_context ctx);

// CL_INVALID_MEM_OBJECT.
cl_int check_image(struct tf_err *err, cl_mem mem);

#endif // TF_API_MEMORY_API_IMAGE_H
