// SPDX-License-Identifier: MIT
// Image formats (OpenCL 3.1 §5.3.1.1): which pairs of channel order and data type mean
// anything, whatever a device can do with them. Pure data.
#ifndef TF_CORE_MEMORY_IMAGE_FORMAT_H
#define TF_CORE_MEMORY_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

// Bytes of one pixel; 0 if the specification does not know the pair.
size_t tf_image_format_bytes(const cl_image_format *format);

#endif // TF_CORE_MEMORY_IMAGE_FORMAT_H
