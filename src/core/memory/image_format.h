// SPDX-License-Identifier: MIT
// Image formats (OpenCL 3.1 §5.3.1.1): which pairs of channel order and data type mean
// anything, which of them kernels may read and write, and the bytes of a pixel of a given
// colour. Pure data and arithmetic.
#ifndef TF_CORE_MEMORY_IMAGE_FORMAT_H
#define TF_CORE_MEMORY_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

// Bytes of one pixel, a power of two; 0 if the specification does not know the pair.
size_t tf_image_format_bytes(const cl_image_format *format);

// What a kernel may do with an image. Bits.
enum tf_image_access {
    TF_IMAGE_READ = 1u << 0,
    TF_IMAGE_WRITE = 1u << 1,
    TF_IMAGE_READ_WRITE = 1u << 2, // both in one kernel
};

// The accesses that our code has for images of that type (CL_MEM_OBJECT_IMAGE*), a mask;
// 0: no image of the type has the format.
unsigned tf_image_format_access(const cl_image_format *format, cl_mem_object_type type);

// The formats that the specification knows, numbered from 0. False beyond the last.
bool tf_image_format_at(size_t index, cl_image_format *format);

// True if the pixels of an image of format `of` may be seen as pixels of format `as`
// (images from images).
bool tf_image_format_views(const cl_image_format *as, const cl_image_format *of);

// What a colour is given as: four values of a type, or one float for CL_DEPTH.
enum tf_image_color {
    TF_IMAGE_COLOR_FLOAT,
    TF_IMAGE_COLOR_SIGNED,   // int32_t
    TF_IMAGE_COLOR_UNSIGNED, // uint32_t
};
enum tf_image_color tf_image_format_color(const cl_image_format *format);

// Writes the tf_image_format_bytes() of a pixel that has the colour: as write_image*()
// would (OpenCL C 3.1 §6.15.15.4, 6.15.15.8), rounded to nearest even. Unused bits are 0;
// an x that has a channel of its own gets what alpha would be.
void tf_image_format_pixel(const cl_image_format *format, const void *color,
                           uint8_t *pixel);

#endif // TF_CORE_MEMORY_IMAGE_FORMAT_H
