// SPDX-License-Identifier: MIT
// Images as the specification tells of them, in plain C, for tests to compare with:
// OpenCL C 3.1 6.15.15 and the chapter on addressing and filtering. Nothing of ours is
// used but the size of a pixel.
#ifndef TF_TESTS_SUPPORT_IMAGE_REFERENCE_H
#define TF_TESTS_SUPPORT_IMAGE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

struct reference_image {
    cl_image_format format;
    int dims;    // 1 to 3
    int size[3]; // pixels along each dimension, 1 beyond the last
    int layers;  // 0: no array
    size_t row_pitch_bytes, slice_pitch_bytes;
    unsigned char *pixels;
};

struct reference_sampler {
    bool normalized, linear;
    cl_addressing_mode address;
};

// Of a sampler: what it does between levels.
struct reference_mip {
    bool linear;
    float lod_min, lod_max;
};

// What is read of one texel, in .f or in .i, by the format.
struct reference_color {
    double f[4];
    int64_t i[4];
};

bool reference_is_integer(const cl_image_format *format);
bool reference_is_signed(const cl_image_format *format);
bool reference_is_normalized(const cl_image_format *format);

// Texel (x, y, z) of a layer, or the border where there is none.
struct reference_color reference_texel(const struct reference_image *image,
                                       const int at[3], int layer);

// A read at a point; at[dims] is the layer of an array. `error`: how far a filtered
// result may lie off.
struct reference_color reference_read(const struct reference_image *image,
                                      const struct reference_sampler *sampler,
                                      const float at[4], double error[4]);
// The same at whole coordinates.
struct reference_color reference_read_at(const struct reference_image *image,
                                         const struct reference_sampler *sampler,
                                         const int at[4]);

// A read at a level of detail of an image with `count` levels.
struct reference_color reference_read_lod(const struct reference_image *levels, int count,
                                          const struct reference_sampler *sampler,
                                          const struct reference_mip *mip,
                                          const float at[4], float lod, double error[4]);
// The level of detail that the gradients of normalized coordinates along the two axes of
// the screen ask for, before it is limited.
double reference_gradient_lod(const struct reference_image *image, const float x[3],
                              const float y[3]);

#endif // TF_TESTS_SUPPORT_IMAGE_REFERENCE_H
