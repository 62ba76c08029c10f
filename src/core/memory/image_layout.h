// SPDX-License-Identifier: MIT
// Where the pixels of an image lie: pitches, slices, layers and mip levels. Pure
// arithmetic: no objects, no devices.
//
// An image has up to three axes. The first counts pixels; the second rows (of a 1D array:
// layers), the third slices (of a 2D array: layers). In commands `origin` and `region`
// have one number for each, and origin one more for the mip level.
#ifndef TF_CORE_MEMORY_IMAGE_LAYOUT_H
#define TF_CORE_MEMORY_IMAGE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

enum {
    TF_IMAGE_AXES_MAX = 3,
    TF_IMAGE_MIP_LEVELS_MAX = 16, // of a row of 2^15 pixels
};

// CL_MEM_OBJECT_IMAGE*.
static inline bool tf_image_type_exists(cl_mem_object_type type)
{
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

bool tf_image_type_is_array(cl_mem_object_type type);
// 1 to 3; the place of the mip level in an origin, too.
unsigned tf_image_type_axes(cl_mem_object_type type);
// True if height counts.
bool tf_image_type_has_rows(cl_mem_object_type type);
// True if the type has slices or layers: there is a slice pitch.
bool tf_image_type_has_slices(cl_mem_object_type type);

struct tf_image_shape {
    cl_mem_object_type type;
    size_t pixel_bytes;
    size_t width_px, height_px, depth_px; // 1 where the type has none
    size_t layers;                        // 1 where the type is no array
    unsigned mip_levels;                  // 1 .. TF_IMAGE_MIP_LEVELS_MAX
};

// One mip level. The layers of an array are its slices.
struct tf_image_level_layout {
    size_t offset_bytes; // in the image's memory
    size_t width_px, height_px, depth_px;
    size_t row_pitch_bytes;
    size_t slice_pitch_bytes; // of a type without slices: all there is
};

struct tf_image_layout {
    size_t size_bytes; // of everything
    struct tf_image_level_layout levels[TF_IMAGE_MIP_LEVELS_MAX];
};

// Lays the image out; level 0 begins at `head_bytes`. The pitches are those of level 0, 0
// for rows and slices without gaps; the other levels have no gaps and begin at multiples
// of 128 bytes. A slice pitch says nothing where there are no slices. An extent of one
// pixel is one in all further levels. False on overflow, or where a pitch is too small
// for what it spans.
bool tf_image_lay_out(const struct tf_image_shape *shape, size_t row_pitch_bytes,
                      size_t slice_pitch_bytes, size_t head_bytes,
                      struct tf_image_layout *out);

// How many steps each axis of a level has.
void tf_image_level_counts(const struct tf_image_shape *shape,
                           const struct tf_image_level_layout *level,
                           size_t counts[TF_IMAGE_AXES_MAX]);

// Bytes from a row (of a 1D array: a layer) to the next, and from a slice to the next.
struct tf_image_steps {
    size_t row_bytes, slice_bytes;
};
struct tf_image_steps tf_image_level_steps(cl_mem_object_type type,
                                           const struct tf_image_level_layout *level);

// Pixels of a region in the host's memory or a buffer. In: the pitches that the
// application gave, 0 for none between rows or slices. False where one is too small, or
// on overflow.
bool tf_image_host_steps(const struct tf_image_shape *shape, const size_t region[3],
                         size_t row_pitch_bytes, size_t slice_pitch_bytes,
                         struct tf_image_steps *out);

#endif // TF_CORE_MEMORY_IMAGE_LAYOUT_H
