// SPDX-License-Identifier: MIT
#include "api/memory/api_image.h"

#include <stdbool.h>

#include "api/api_common.h"
#include "api/memory/api_mem.h"
#include "base/range.h"
#include "core/memory/image_format.h"
#include "core/memory/mem.h"

// What the checks of one descriptor share.
struct shape {
    const cl_image_desc *desc;
    size_t pixel_bytes;
    bool has_rows;   // height counts
    bool has_slices; // depth or array size counts: there is a slice pitch
    const void *host_ptr;
};

static bool is_array(cl_mem_object_type type)
{
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static struct shape shape_of(const struct tf_image_desc *image)
{
    const cl_mem_object_type type = image->desc->image_type;

    return (struct shape){
        .desc = image->desc,
        .pixel_bytes = tf_image_format_bytes(image->format),
        .has_rows = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE3D ||
                    type == CL_MEM_OBJECT_IMAGE2D_ARRAY,
        .has_slices = type == CL_MEM_OBJECT_IMAGE3D || is_array(type),
        .host_ptr = image->host_ptr,
    };
}

static cl_int check_type_and_size(struct tf_err *err, const struct shape *shape)
{
    const cl_image_desc *d = shape->desc;

    TF_REQUIRE(err,
               d->image_type >= CL_MEM_OBJECT_IMAGE2D &&
                   d->image_type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
               CL_INVALID_IMAGE_DESCRIPTOR, "image type 0x%x", d->image_type);
    TF_REQUIRE(err, d->image_width > 0, CL_INVALID_IMAGE_DESCRIPTOR, "width is 0");
    TF_REQUIRE(err, !shape->has_rows || d->image_height > 0, CL_INVALID_IMAGE_DESCRIPTOR,
               "height is 0");
    TF_REQUIRE(err, d->image_type != CL_MEM_OBJECT_IMAGE3D || d->image_depth > 0,
               CL_INVALID_IMAGE_DESCRIPTOR, "depth is 0");
    TF_REQUIRE(err, !is_array(d->image_type) || d->image_array_size > 0,
               CL_INVALID_IMAGE_DESCRIPTOR, "array size is 0");
    TF_REQUIRE(err, d->num_mip_levels == 0 && d->num_samples == 0,
               CL_INVALID_IMAGE_DESCRIPTOR, "%u mip levels, %u samples",
               d->num_mip_levels, d->num_samples);
    return CL_SUCCESS;
}

// Bytes between two rows as the descriptor has it; false on overflow.
static bool row_pitch_of(const struct shape *shape, size_t *pitch_bytes)
{
    *pitch_bytes = shape->desc->image_row_pitch;
    return *pitch_bytes ||
           !tf_mul_overflow(shape->desc->image_width, shape->pixel_bytes, pitch_bytes);
}

static cl_int check_row_pitch(struct tf_err *err, const struct shape *shape)
{
    const cl_image_desc *d = shape->desc;
    size_t least;

    TF_REQUIRE(err, !tf_mul_overflow(d->image_width, shape->pixel_bytes, &least),
               CL_INVALID_IMAGE_DESCRIPTOR, "width %zu", d->image_width);
    if (d->image_row_pitch == 0)
        return CL_SUCCESS;
    TF_REQUIRE(err, shape->host_ptr || d->mem_object, CL_INVALID_IMAGE_DESCRIPTOR,
               "row pitch %zu without host_ptr", d->image_row_pitch);
    TF_REQUIRE(err, d->image_row_pitch >= least, CL_INVALID_IMAGE_DESCRIPTOR,
               "row pitch %zu, a row has %zu bytes", d->image_row_pitch, least);
    TF_REQUIRE(err, d->image_row_pitch % shape->pixel_bytes == 0,
               CL_INVALID_IMAGE_DESCRIPTOR, "row pitch %zu, pixels of %zu bytes",
               d->image_row_pitch, shape->pixel_bytes);
    return CL_SUCCESS;
}

static cl_int check_slice_pitch(struct tf_err *err, const struct shape *shape)
{
    const cl_image_desc *d = shape->desc;
    size_t row, slice;

    if (d->image_slice_pitch == 0 || !shape->has_slices)
        return CL_SUCCESS;
    TF_REQUIRE(err, shape->host_ptr, CL_INVALID_IMAGE_DESCRIPTOR,
               "slice pitch %zu without host_ptr", d->image_slice_pitch);
    TF_REQUIRE(err,
               row_pitch_of(shape, &row) &&
                   !tf_mul_overflow(row, shape->has_rows ? d->image_height : 1, &slice) &&
                   d->image_slice_pitch >= slice,
               CL_INVALID_IMAGE_DESCRIPTOR, "slice pitch %zu is less than a slice",
               d->image_slice_pitch);
    TF_REQUIRE(err, d->image_slice_pitch % row == 0, CL_INVALID_IMAGE_DESCRIPTOR,
               "slice pitch %zu, row pitch %zu", d->image_slice_pitch, row);
    return CL_SUCCESS;
}

// The buffer that gives an image its storage.
static cl_int check_storage(struct tf_err *err, const struct shape *shape)
{
    const cl_image_desc *d = shape->desc;
    const bool wanted = d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    size_t row, bytes;

    TF_REQUIRE(err, d->mem_object || !wanted, CL_INVALID_IMAGE_DESCRIPTOR,
               "an image of type 0x%x needs a buffer", d->image_type);
    if (!d->mem_object)
        return CL_SUCCESS;
    TF_REQUIRE(err, wanted || d->image_type == CL_MEM_OBJECT_IMAGE2D,
               CL_INVALID_IMAGE_DESCRIPTOR,
               "an image of type 0x%x has storage of its own", d->image_type);
    if (tf_err_hold(err, d->mem_object, &tf_class_mem, CL_INVALID_IMAGE_DESCRIPTOR))
        return err->code;
    TF_REQUIRE(err, tf_mem_is_buffer(d->mem_object), CL_INVALID_IMAGE_DESCRIPTOR,
               "the image's storage is not a buffer");
    TF_REQUIRE(err, d->mem_object->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the buffer belongs to another context");
    TF_REQUIRE(err,
               row_pitch_of(shape, &row) &&
                   !tf_mul_overflow(row, shape->has_rows ? d->image_height : 1, &bytes) &&
                   bytes <= d->mem_object->size_bytes,
               CL_INVALID_IMAGE_DESCRIPTOR, "a buffer of %zu bytes is too small",
               d->mem_object->size_bytes);
    return CL_SUCCESS;
}

static cl_int check_host_ptr(struct tf_err *err, const struct tf_image_desc *image)
{
    const bool wanted = image->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

    TF_REQUIRE(err, wanted == (image->host_ptr != NULL), CL_INVALID_HOST_PTR,
               "host_ptr is %s, flags 0x%llx", image->host_ptr ? "set" : "NULL",
               (unsigned long long)image->flags);
    return CL_SUCCESS;
}

cl_int check_image_desc(struct tf_err *err, cl_context ctx,
                        const struct tf_image_desc *image)
{
    struct shape shape;

    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, !image->properties || image->properties[0] == 0, CL_INVALID_PROPERTY,
               "image property 0x%llx", (unsigned long long)image->properties[0]);
    if (check_mem_flags(err, image->flags))
        return err->code;
    TF_REQUIRE(err, image->format && tf_image_format_bytes(image->format) > 0,
               CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no such image format");
    TF_REQUIRE(err, image->desc, CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
    shape = shape_of(image);
    if (check_type_and_size(err, &shape) || check_row_pitch(err, &shape) ||
        check_slice_pitch(err, &shape) || check_storage(err, &shape))
        return err->code;
    return check_host_ptr(err, image);
}

cl_int check_images_offered(struct tf_err *err)
{
    return tf_fail(err, CL_INVALID_OPERATION, "no device has images");
}
