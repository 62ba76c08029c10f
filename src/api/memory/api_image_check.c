// SPDX-License-Identifier: MIT
#include "api/memory/api_image.h"

#include "api/api_common.h"
#include "api/memory/api_mem.h"
#include "api/memory/api_mem_properties.h"
#include "base/range.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

cl_int check_images_offered(struct tf_err *err, cl_context ctx)
{
    TF_REQUIRE(err, tf_image_supported(ctx), CL_INVALID_OPERATION,
               "no device of the context has images");
    return CL_SUCCESS;
}

cl_int check_image(struct tf_err *err, cl_mem mem)
{
    if (check_mem(err, mem))
        return err->code;
    TF_REQUIRE(err, tf_mem_is_image(mem), CL_INVALID_MEM_OBJECT, "not an image");
    return CL_SUCCESS;
}

// ---- Extents ----

static cl_int check_type(struct tf_err *err, const cl_image_desc *d)
{
    TF_REQUIRE(err, d, CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
    TF_REQUIRE(err, tf_image_type_exists(d->image_type), CL_INVALID_IMAGE_DESCRIPTOR,
               "image type 0x%x", d->image_type);
    TF_REQUIRE(err, d->num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR, "%u samples",
               d->num_samples);
    return CL_SUCCESS;
}

static bool fits_some_device(cl_context ctx, const struct tf_image_shape *shape)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (tf_image_fits(ctx->devices[i]->caps, shape))
            return true;
    return false;
}

static cl_int check_extents(struct tf_err *err, const struct tf_image_shape *shape)
{
    TF_REQUIRE(err,
               shape->width_px && shape->height_px && shape->depth_px && shape->layers,
               CL_INVALID_IMAGE_SIZE, "%zu x %zu x %zu pixels, %zu layers",
               shape->width_px, shape->height_px, shape->depth_px, shape->layers);
    TF_REQUIRE(err, fits_some_device(err->ctx, shape), CL_INVALID_IMAGE_SIZE,
               "%zu x %zu x %zu pixels, %zu layers: no device takes that",
               shape->width_px, shape->height_px, shape->depth_px, shape->layers);
    return CL_SUCCESS;
}

// Mipmapped images (cl_khr_mipmap_image) have memory of their own. The extension does not
// say what more levels than the extents have halves are: further ones of one pixel, which
// the Khronos suite asks for.
static cl_int check_levels(struct tf_err *err, const struct tf_image_in *in,
                           const struct tf_image_shape *shape)
{
    if (shape->mip_levels == 1)
        return CL_SUCCESS;
    TF_REQUIRE(err, shape->type != CL_MEM_OBJECT_IMAGE1D_BUFFER,
               CL_INVALID_IMAGE_DESCRIPTOR, "an image of its kind has no mip levels");
    TF_REQUIRE(err, !in->desc->mem_object, CL_INVALID_IMAGE_DESCRIPTOR,
               "%u mip levels in another object", shape->mip_levels);
    TF_REQUIRE(err, !in->external.type, CL_INVALID_IMAGE_DESCRIPTOR,
               "%u mip levels in memory of others", shape->mip_levels);
    TF_REQUIRE(err, shape->mip_levels <= TF_IMAGE_MIP_LEVELS_MAX,
               CL_INVALID_IMAGE_DESCRIPTOR, "%u mip levels", shape->mip_levels);
    TF_REQUIRE(err, !(in->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
               CL_INVALID_VALUE, "flags 0x%llx of an image with mip levels",
               (unsigned long long)in->flags);
    return CL_SUCCESS;
}

// ---- Pitches ----

static cl_int check_pitches(struct tf_err *err, const struct tf_image_in *in,
                            const struct tf_image_shape *shape,
                            struct tf_image_layout *layout)
{
    const size_t row = in->desc->image_row_pitch;
    const size_t slice =
        tf_image_type_has_slices(shape->type) ? in->desc->image_slice_pitch : 0;

    TF_REQUIRE(err, !row || in->host_ptr || in->desc->mem_object || in->external.type,
               CL_INVALID_IMAGE_DESCRIPTOR, "row pitch %zu without host_ptr", row);
    TF_REQUIRE(err, !slice || in->host_ptr || in->external.type,
               CL_INVALID_IMAGE_DESCRIPTOR, "slice pitch %zu without host_ptr", slice);
    TF_REQUIRE(err, row % shape->pixel_bytes == 0, CL_INVALID_IMAGE_DESCRIPTOR,
               "row pitch %zu, pixels of %zu bytes", row, shape->pixel_bytes);
    TF_REQUIRE(err,
               tf_image_lay_out(shape, row, slice, tf_image_head_bytes(shape), layout),
               CL_INVALID_IMAGE_DESCRIPTOR, "row pitch %zu, slice pitch %zu", row, slice);
    TF_REQUIRE(err, slice % layout->levels[0].row_pitch_bytes == 0,
               CL_INVALID_IMAGE_DESCRIPTOR, "slice pitch %zu, row pitch %zu", slice,
               layout->levels[0].row_pitch_bytes);
    return CL_SUCCESS;
}

// ---- Images in other objects ----

static cl_int check_in_buffer(struct tf_err *err, const struct tf_image_in *in,
                              const struct tf_image_shape *shape,
                              const struct tf_image_layout *layout)
{
    const cl_mem buffer = in->desc->mem_object;
    const uintptr_t base = (uintptr_t)buffer->host_ptr;

    TF_REQUIRE(err, layout->size_bytes <= buffer->size_bytes, CL_INVALID_IMAGE_DESCRIPTOR,
               "%zu bytes of pixels, the buffer has %zu", layout->size_bytes,
               buffer->size_bytes);
    if (shape->type != CL_MEM_OBJECT_IMAGE2D)
        return CL_SUCCESS;
    for (cl_uint i = 0; i < err->ctx->device_count; i++) {
        const struct tf_image_limits *limits = &err->ctx->devices[i]->caps->images;

        if (!limits->pitch_align_px)
            continue; // no images
        TF_REQUIRE(err,
                   layout->levels[0].row_pitch_bytes %
                           (limits->pitch_align_px * shape->pixel_bytes) ==
                       0,
                   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                   "row pitch %zu, a multiple of %u pixels is wanted",
                   layout->levels[0].row_pitch_bytes, limits->pitch_align_px);
        TF_REQUIRE(err, base % (limits->base_align_px * shape->pixel_bytes) == 0,
                   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                   "the buffer's host_ptr is not aligned to %u pixels",
                   limits->base_align_px);
    }
    return CL_SUCCESS;
}

// The new image sees the other's pixels, in another order.
static cl_int check_in_image(struct tf_err *err, const struct tf_image_in *in,
                             const struct tf_image_shape *shape)
{
    const struct tf_image *other = in->desc->mem_object->image;
    const struct tf_image_level_layout *level = &other->layout.levels[0];

    TF_REQUIRE(err,
               shape->type == CL_MEM_OBJECT_IMAGE2D && other->shape.type == shape->type,
               CL_INVALID_IMAGE_DESCRIPTOR, "only 2D images are made from each other");
    TF_REQUIRE(err, tf_image_format_views(in->format, &other->format),
               CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               "order 0x%x does not fit the other image's, 0x%x",
               in->format->image_channel_order, other->format.image_channel_order);
    TF_REQUIRE(err,
               shape->width_px == other->shape.width_px &&
                   shape->height_px == other->shape.height_px &&
                   shape->mip_levels == other->shape.mip_levels,
               CL_INVALID_IMAGE_DESCRIPTOR, "the other image has other extents");
    TF_REQUIRE(err,
               !in->desc->image_row_pitch ||
                   in->desc->image_row_pitch == level->row_pitch_bytes,
               CL_INVALID_IMAGE_DESCRIPTOR, "row pitch %zu, the other image's is %zu",
               in->desc->image_row_pitch, level->row_pitch_bytes);
    return CL_SUCCESS;
}

// The object that gives an image its memory, before its format and extents matter.
static cl_int check_parent(struct tf_err *err, const struct tf_image_in *in)
{
    const cl_image_desc *d = in->desc;
    const bool of_buffer = d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;

    TF_REQUIRE(err, d->mem_object || !of_buffer, CL_INVALID_IMAGE_DESCRIPTOR,
               "an image of type 0x%x needs a buffer", d->image_type);
    if (!d->mem_object)
        return CL_SUCCESS;
    TF_REQUIRE(err, of_buffer || d->image_type == CL_MEM_OBJECT_IMAGE2D,
               CL_INVALID_IMAGE_DESCRIPTOR, "an image of type 0x%x has memory of its own",
               d->image_type);
    if (tf_err_hold(err, d->mem_object, &tf_class_mem, CL_INVALID_IMAGE_DESCRIPTOR))
        return err->code;
    TF_REQUIRE(err,
               tf_mem_is_buffer(d->mem_object) ||
                   (!of_buffer && tf_mem_is_image(d->mem_object)),
               CL_INVALID_IMAGE_DESCRIPTOR,
               "an image of type 0x%x cannot lie in that object", d->image_type);
    TF_REQUIRE(err, d->mem_object->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "mem_object belongs to another context");
    TF_REQUIRE(err,
               in->flags & CL_MEM_IMMUTABLE_EXT || !tf_mem_is_immutable(d->mem_object),
               CL_INVALID_VALUE, "flags 0x%llx in an immutable object",
               (unsigned long long)in->flags);
    TF_REQUIRE(err, !in->external.type, CL_INVALID_IMAGE_DESCRIPTOR,
               "an image in another object and in memory of others");
    return check_child_flags(err, d->mem_object, in->flags);
}

// ---- The whole ----

static cl_int check_host_ptr(struct tf_err *err, const struct tf_image_in *in)
{
    const bool wanted = in->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

    TF_REQUIRE(err, wanted == (in->host_ptr != NULL), CL_INVALID_HOST_PTR,
               "host_ptr is %s, flags 0x%llx", in->host_ptr ? "set" : "NULL",
               (unsigned long long)in->flags);
    return CL_SUCCESS;
}

static cl_int check_supported(struct tf_err *err, const struct tf_image_in *in)
{
    const cl_image_format *f = in->format;
    const cl_context ctx = err->ctx;
    unsigned access = 0;

    for (cl_uint i = 0; i < ctx->device_count; i++)
        access |= tf_image_access_on(ctx->devices[i]->caps, f, in->desc->image_type);
    TF_REQUIRE(err, access, CL_IMAGE_FORMAT_NOT_SUPPORTED,
               "order 0x%x, type 0x%x, image type 0x%x", f->image_channel_order,
               f->image_channel_data_type, in->desc->image_type);
    return CL_SUCCESS;
}

static cl_int check_shape(struct tf_err *err, const struct tf_image_in *in)
{
    const struct tf_image_shape shape = tf_image_shape_of(in->format, in->desc);
    const cl_mem parent = in->desc->mem_object;
    struct tf_image_layout layout;

    if (check_extents(err, &shape) || check_levels(err, in, &shape) ||
        check_pitches(err, in, &shape, &layout))
        return err->code;
    if (parent)
        return tf_mem_is_image(parent) ? check_in_image(err, in, &shape)
                                       : check_in_buffer(err, in, &shape, &layout);
    return CL_SUCCESS;
}

cl_int check_image_in(struct tf_err *err, cl_context ctx, struct tf_image_in *in)
{
    struct tf_mem_properties properties = {0};

    if (check_context(err, ctx) || check_images_offered(err, ctx) ||
        check_mem_properties(err, in->properties, true, &properties) ||
        check_mem_flags(err, in->flags))
        return err->code;
    in->property_count = properties.count;
    in->external = properties.external;
    TF_REQUIRE(err, in->format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               "image_format is NULL");
    TF_REQUIRE(err, tf_image_format_bytes(in->format) > 0,
               CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               "channel order 0x%x with data type 0x%x is no format of images",
               in->format->image_channel_order, in->format->image_channel_data_type);
    if (check_type(err, in->desc) || check_parent(err, in) ||
        check_mem_source(err, in->flags, in->host_ptr, &in->external,
                         in->desc->mem_object) ||
        check_shape(err, in) || check_host_ptr(err, in))
        return err->code;
    return check_supported(err, in);
}
