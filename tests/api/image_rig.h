// SPDX-License-Identifier: MIT
// The images of the tests of commands on images. Included by one source file of each test
// program.
#ifndef TF_TESTS_API_IMAGE_RIG_H
#define TF_TESTS_API_IMAGE_RIG_H

#include <stdbool.h>
#include <string.h>

#include "support/api.h"

static const cl_image_format rgba = {CL_RGBA, CL_UNSIGNED_INT8};
static cl_int code;

// 9 x 7 x 5 pixels of 4 bytes at most, whatever the type calls its axes.
enum {
    WIDTH = 9,
    ROWS = 7,
    SLICES = 5,
    PIXEL = 4,
    BYTES = WIDTH * ROWS * SLICES * PIXEL
};

static const struct kind {
    cl_mem_object_type type;
    size_t counts[3];
    size_t origin[3], region[3]; // of a part
} kinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, {WIDTH, 1, 1}, {2, 0, 0}, {5, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, {WIDTH, 1, 1}, {2, 0, 0}, {5, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, {WIDTH, ROWS, 1}, {2, 3, 0}, {5, 2, 1}},
    {CL_MEM_OBJECT_IMAGE2D, {WIDTH, ROWS, 1}, {2, 3, 0}, {5, 2, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, {WIDTH, ROWS, SLICES}, {2, 3, 1}, {5, 2, 3}},
    {CL_MEM_OBJECT_IMAGE3D, {WIDTH, ROWS, SLICES}, {2, 3, 1}, {5, 2, 3}},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };
static const struct kind *const plane = &kinds[3], *const volume = &kinds[5];

static const size_t zero[4], one[3] = {1, 1, 1};
static cl_mem buffer;              // of BYTES
static unsigned char bytes[BYTES]; // all different from their neighbours

static inline cl_mem make_in(cl_context ctx, const struct kind *kind, cl_mem_flags flags,
                             const cl_image_format *format, void *host_ptr)
{
    const cl_image_desc desc = {
        .image_type = kind->type,
        .image_width = kind->counts[0],
        .image_height = kind->counts[1],
        .image_depth = kind->counts[2],
        .image_array_size =
            kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? kind->counts[1] : kind->counts[2],
        .buffer = kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? buffer : NULL};
    cl_mem image = clCreateImage(ctx, flags, format, &desc, host_ptr, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static inline cl_mem make(const struct kind *kind)
{
    return make_in(tf_api.ctx, kind, 0, &rgba, NULL);
}

static inline void drop(cl_mem mem)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}

static inline void begin(void)
{
    tf_api_begin();
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 13 + i / 64);
    buffer = tf_api_buffer(0, BYTES, NULL);
}

static inline void end(void)
{
    drop(buffer);
    tf_api_end();
}

static inline cl_int write_box(cl_mem image, const size_t *origin, const size_t *region,
                               const void *from)
{
    return clEnqueueWriteImage(tf_api.q, image, CL_TRUE, origin, region, 0, 0, from, 0,
                               NULL, NULL);
}

static inline cl_int read_box(cl_mem image, const size_t *origin, const size_t *region,
                              void *to)
{
    return clEnqueueReadImage(tf_api.q, image, CL_TRUE, origin, region, 0, 0, to, 0, NULL,
                              NULL);
}

// Calls WHAT for each pixel of a box: `inside` is its place in an image of the kind
// without gaps, `packed` in the box alone, x y z in the box. In pixels.
#define EACH_PIXEL(kind, origin, region, WHAT)                                  \
    for (size_t z = 0; z < (region)[2]; z++)                                    \
        for (size_t y = 0; y < (region)[1]; y++)                                \
            for (size_t x = 0; x < (region)[0]; x++) {                          \
                const size_t inside =                                           \
                    (((origin)[2] + z) * (kind)->counts[1] + (origin)[1] + y) * \
                        (kind)->counts[0] +                                     \
                    (origin)[0] + x;                                            \
                const size_t packed = (z * (region)[1] + y) * (region)[0] + x;  \
                                                                                \
                (void)inside;                                                   \
                (void)packed;                                                   \
                WHAT;                                                           \
            }

static inline unsigned char *map(cl_mem image, cl_map_flags flags, const size_t *origin,
                                 const size_t *region)
{
    size_t row = 0, slice = 0;

    code = 1;
    return clEnqueueMapImage(tf_api.q, image, CL_TRUE, flags, origin, region, &row,
                             &slice, 0, NULL, NULL, &code);
}

static inline void unmap(cl_mem image, void *host)
{
    ck_assert_int_eq(clEnqueueUnmapMemObject(tf_api.q, image, host, 0, NULL, NULL),
                     CL_SUCCESS);
}

#endif // TF_TESTS_API_IMAGE_RIG_H
