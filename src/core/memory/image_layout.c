// SPDX-License-Identifier: MIT
#include "core/memory/image_layout.h"

#include "abi/long16.h"
#include "base/range.h"

bool tf_image_type_is_array(cl_mem_object_type type)
{
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

unsigned tf_image_type_axes(cl_mem_object_type type)
{
    switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        return 1;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
        return 2;
    default:
        return 3;
    }
}

bool tf_image_type_has_rows(cl_mem_object_type type)
{
    return type == CL_MEM_OBJECT_IMAGE2D || tf_image_type_axes(type) == 3;
}

bool tf_image_type_has_slices(cl_mem_object_type type)
{
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || tf_image_type_axes(type) == 3;
}

static size_t halve(size_t extent_px, unsigned times)
{
    return extent_px >> times ? extent_px >> times : 1;
}

// Sets pitches where they are 0. False where a pitch does not reach over what it spans,
// or on overflow.
static bool set_pitches(struct tf_image_level_layout *level, size_t pixel_bytes)
{
    size_t row, slice;

    if (tf_mul_overflow(level->width_px, pixel_bytes, &row))
        return false;
    if (level->row_pitch_bytes == 0)
        level->row_pitch_bytes = row;
    if (level->row_pitch_bytes < row ||
        tf_mul_overflow(level->row_pitch_bytes, level->height_px, &slice))
        return false;
    if (level->slice_pitch_bytes == 0)
        level->slice_pitch_bytes = slice;
    return level->slice_pitch_bytes >= slice;
}

// Adds a level at the next place that suits any pixel and vector.
static bool add_level(const struct tf_image_shape *shape, size_t *end_bytes,
                      struct tf_image_level_layout *level)
{
    size_t at;

    if (tf_add_overflow(*end_bytes, (size_t)TF_LONG16_BYTES - 1, &at) ||
        !set_pitches(level, shape->pixel_bytes))
        return false;
    level->offset_bytes = *end_bytes = at & ~(size_t)(TF_LONG16_BYTES - 1);
    return tf_add_product(end_bytes, level->slice_pitch_bytes,
                          tf_image_type_is_array(shape->type) ? shape->layers
                                                              : level->depth_px);
}

bool tf_image_lay_out(const struct tf_image_shape *shape, size_t row_pitch_bytes,
                      size_t slice_pitch_bytes, size_t head_bytes,
                      struct tf_image_layout *out)
{
    if (!tf_image_type_has_slices(shape->type))
        slice_pitch_bytes = 0;
    *out = (struct tf_image_layout){.size_bytes = head_bytes};
    for (unsigned i = 0; i < shape->mip_levels; i++) {
        out->levels[i] = (struct tf_image_level_layout){
            .width_px = halve(shape->width_px, i),
            .height_px = halve(shape->height_px, i),
            .depth_px = halve(shape->depth_px, i),
            .row_pitch_bytes = i ? 0 : row_pitch_bytes,
            .slice_pitch_bytes = i ? 0 : slice_pitch_bytes,
        };
        if (!add_level(shape, &out->size_bytes, &out->levels[i]))
            return false;
    }
    return true;
}

void tf_image_level_counts(const struct tf_image_shape *shape,
                           const struct tf_image_level_layout *level,
                           size_t counts[TF_IMAGE_AXES_MAX])
{
    const bool array = tf_image_type_is_array(shape->type);

    counts[0] = level->width_px;
    counts[1] =
        shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? shape->layers : level->height_px;
    counts[2] =
        array && tf_image_type_axes(shape->type) == 3 ? shape->layers : level->depth_px;
}

// A 1D array counts its layers along the second axis, and has no third.
static struct tf_image_steps steps_of(cl_mem_object_type type, size_t row_pitch_bytes,
                                      size_t slice_pitch_bytes)
{
    return (struct tf_image_steps){type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice_pitch_bytes
                                                                       : row_pitch_bytes,
                                   slice_pitch_bytes};
}

struct tf_image_steps tf_image_level_steps(cl_mem_object_type type,
                                           const struct tf_image_level_layout *level)
{
    return steps_of(type, level->row_pitch_bytes, level->slice_pitch_bytes);
}

bool tf_image_host_steps(const struct tf_image_shape *shape, const size_t region[3],
                         size_t row_pitch_bytes, size_t slice_pitch_bytes,
                         struct tf_image_steps *out)
{
    struct tf_image_level_layout box = {
        .width_px = region[0],
        .height_px = shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : region[1],
        .row_pitch_bytes = row_pitch_bytes,
        .slice_pitch_bytes = slice_pitch_bytes,
    };

    if (!set_pitches(&box, shape->pixel_bytes))
        return false;
    *out = steps_of(shape->type, box.row_pitch_bytes, box.slice_pitch_bytes);
    return true;
}
