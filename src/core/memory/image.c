// SPDX-License-Identifier: MIT
#include "core/memory/image.h"

#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

_Static_assert((int)TF_IMAGE_MIP_LEVELS_MAX <= (int)TF_IMAGE_LEVELS, "room for them");

// ---- Devices ----

bool tf_image_supported(cl_context ctx)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (tf_device_caps_has(ctx->devices[i]->caps, TF_FEATURE_images))
            return true;
    return false;
}

unsigned tf_image_access_on(const struct tf_device_caps *caps,
                            const cl_image_format *format, cl_mem_object_type type)
{
    unsigned access = tf_image_format_access(format, type);

    if (!tf_device_caps_has(caps, TF_FEATURE_images))
        return 0;
    if (!tf_device_caps_has(caps, TF_FEATURE_read_write_images))
        access &= ~(unsigned)TF_IMAGE_READ_WRITE;
    if (type == CL_MEM_OBJECT_IMAGE3D &&
        !tf_device_caps_has(caps, TF_FEATURE_3d_image_writes))
        access &= TF_IMAGE_READ;
    return access;
}

bool tf_image_fits(const struct tf_device_caps *caps, const struct tf_image_shape *shape)
{
    const struct tf_image_limits *most = &caps->images;

    switch (shape->type) {
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        return shape->width_px <= most->buffer_px;
    case CL_MEM_OBJECT_IMAGE3D:
        return shape->width_px <= most->volume_px[0] &&
               shape->height_px <= most->volume_px[1] &&
               shape->depth_px <= most->volume_px[2];
    default:
        return shape->width_px <= most->plane_px[0] &&
               shape->height_px <= most->plane_px[1] && shape->layers <= most->layers;
    }
}

cl_int tf_image_check_on(struct tf_err *err, cl_mem mem,
                         const struct tf_device_caps *caps, unsigned access)
{
    const struct tf_image *image = mem->image;
    const unsigned has = tf_image_access_on(caps, &image->format, image->shape.type);

    TF_REQUIRE(err, tf_image_fits(caps, &image->shape), CL_INVALID_IMAGE_SIZE,
               "the image is too large for the device");
    TF_REQUIRE(err, has && !(access & ~has), CL_IMAGE_FORMAT_NOT_SUPPORTED,
               "order 0x%x, type 0x%x", image->format.image_channel_order,
               image->format.image_channel_data_type);
    return CL_SUCCESS;
}

// ---- Making one ----

struct tf_image_shape tf_image_shape_of(const cl_image_format *format,
                                        const cl_image_desc *desc)
{
    const cl_mem_object_type type = desc->image_type;

    return (struct tf_image_shape){
        .type = type,
        .pixel_bytes = tf_image_format_bytes(format),
        .width_px = desc->image_width,
        .height_px = tf_image_type_has_rows(type) ? desc->image_height : 1,
        .depth_px = type == CL_MEM_OBJECT_IMAGE3D ? desc->image_depth : 1,
        .layers = tf_image_type_is_array(type) ? desc->image_array_size : 1,
        .mip_levels = desc->num_mip_levels > 1 ? desc->num_mip_levels : 1,
    };
}

size_t tf_image_head_bytes(const struct tf_image_shape *shape)
{
    return shape->mip_levels > 1 ? TF_IMAGE_LEVELS_BYTES : 0;
}

// Bytes up to the last pixel: what follows it in its row and slice may not be there in
// the host's memory.
static size_t used_bytes(const struct tf_image *image)
{
    const struct tf_image_level_layout *level = &image->layout.levels[0];

    return image->layout.size_bytes - level->slice_pitch_bytes +
           (level->height_px - 1) * level->row_pitch_bytes +
           level->width_px * image->shape.pixel_bytes;
}

// The levels as kernels find them, at `to`.
static void put_levels(const struct tf_image *image, struct tf_image_level *to)
{
    const struct tf_image_level_layout *levels = image->layout.levels;

    for (unsigned i = 0; i < image->shape.mip_levels; i++)
        to[i] = (struct tf_image_level){
            .offset_bytes =
                (tf_image_i64)(levels[i].offset_bytes - levels[0].offset_bytes),
            .row_pitch_bytes = levels[i].row_pitch_bytes,
            .slice_pitch_bytes = levels[i].slice_pitch_bytes,
            .width = (tf_image_u32)levels[i].width_px,
            .height = (tf_image_u32)levels[i].height_px,
            .depth = (tf_image_u32)levels[i].depth_px,
        };
}

// What new memory holds before anybody can see it: the host's pixels or the levels.
static cl_int fill(struct tf_err *err, cl_mem mem, const struct tf_image_in *in)
{
    const struct tf_device_ops *ops = mem->dev->ops;
    const bool copies = in->flags & CL_MEM_COPY_HOST_PTR;
    void *to;

    if (!copies && mem->image->shape.mip_levels == 1)
        return CL_SUCCESS;
    if (ops->mem_map(err, mem->dev, mem->devmem, 0, mem->size_bytes,
                     CL_MAP_WRITE_INVALIDATE_REGION, &to))
        return err->code;
    if (copies)
        memcpy(to, in->host_ptr, used_bytes(mem->image));
    else
        put_levels(mem->image, to);
    ops->mem_unmap(mem->dev, mem->devmem, to);
    return CL_SUCCESS;
}

static cl_int make_memory(struct tf_err *err, cl_mem mem, const struct tf_image_in *in)
{
    mem->flags = in->flags;
    mem->host_ptr = in->flags & CL_MEM_USE_HOST_PTR ? in->host_ptr : NULL;
    if (in->external.type)
        return tf_mem_import(err, mem, &in->external, CL_INVALID_IMAGE_SIZE);
    return tf_mem_allocate(err, mem, in->host_ptr) ? err->code : fill(err, mem, in);
}

// Uses that of the parent, with the parent's layout if that is an image.
static void share_memory(cl_mem mem, const struct tf_image_in *in)
{
    cl_mem parent = in->desc->mem_object;

    tf_mem_share(mem, parent);
    mem->flags = tf_mem_child_flags(parent, in->flags);
    mem->origin_bytes = parent->origin_bytes;
    mem->host_ptr = parent->host_ptr;
    if (parent->image) {
        mem->image->layout = parent->image->layout;
        mem->size_bytes = parent->size_bytes;
    }
}

// False where kernels cannot be told of the format.
static bool describe(struct tf_image *image)
{
    const struct tf_image_level_layout *level = &image->layout.levels[0];

    image->desc = (struct tf_image_desc){
        .row_pitch_bytes = level->row_pitch_bytes,
        .slice_pitch_bytes = level->slice_pitch_bytes,
        .width = (tf_image_u32)level->width_px,
        .height = (tf_image_u32)level->height_px,
        .depth = (tf_image_u32)level->depth_px,
        .array_size = (tf_image_u32)image->shape.layers,
        .mip_levels = image->shape.mip_levels,
        .samples = 1,
    };
    return tf_image_desc_set_format(&image->desc, image->format.image_channel_order,
                                    image->format.image_channel_data_type,
                                    (uint32_t)image->shape.pixel_bytes);
}

cl_int tf_image_create(struct tf_err *err, cl_context ctx, const struct tf_image_in *in,
                       cl_mem *out)
{
    struct tf_image *image = tf_zalloc(sizeof(*image));
    cl_mem mem = tf_mem_new(ctx, TF_MEM_IMAGE);

    if (!image || !mem) {
        tf_free(image);
        tf_unref(mem);
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "image object");
    }
    mem->image = image;
    image->format = *in->format;
    image->shape = tf_image_shape_of(in->format, in->desc);
    image->mip_levels_given = in->desc->num_mip_levels;
    if (!tf_image_lay_out(&image->shape, in->desc->image_row_pitch,
                          in->desc->image_slice_pitch, tf_image_head_bytes(&image->shape),
                          &image->layout))
        tf_fail(err, CL_INVALID_IMAGE_DESCRIPTOR, "row pitch %zu, slice pitch %zu",
                in->desc->image_row_pitch, in->desc->image_slice_pitch);
    mem->size_bytes = image->layout.size_bytes;
    tf_props_keep(err, &mem->props, in->properties, in->property_count);
    if (!err->code && in->desc->mem_object)
        share_memory(mem, in);
    else if (!err->code)
        make_memory(err, mem, in);
    if (!err->code && !describe(image))
        tf_fail(err, CL_IMAGE_FORMAT_NOT_SUPPORTED, "order 0x%x, type 0x%x",
                in->format->image_channel_order, in->format->image_channel_data_type);
    if (err->code) {
        tf_unref(mem);
        return err->code;
    }
    tf_external_take(&in->external);
    *out = tf_give_user(mem);
    return CL_SUCCESS;
}

// ---- Asking ----

size_t tf_image_data_offset(cl_mem mem)
{
    return mem->image->layout.levels[0].offset_bytes;
}

static cl_mem buffer_of(cl_mem mem)
{
    return mem->parent && tf_mem_is_buffer(mem->parent) ? mem->parent : NULL;
}

cl_int tf_image_get_info(struct tf_err *err, cl_mem mem, cl_image_info param, size_t size,
                         void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    const struct tf_image_shape *shape = &mem->image->shape;
    const struct tf_image_level_layout *level = &mem->image->layout.levels[0];
    const bool rows = tf_image_type_has_rows(shape->type);
    const bool slices = tf_image_type_has_slices(shape->type);

    switch (param) {
    case CL_IMAGE_FORMAT:
        return tf_info_value(err, &info, &mem->image->format, sizeof(cl_image_format));
    case CL_IMAGE_ELEMENT_SIZE:
        return tf_info_scalar(err, &info, size_t, shape->pixel_bytes);
    case CL_IMAGE_ROW_PITCH:
        return tf_info_scalar(err, &info, size_t, level->row_pitch_bytes);
    case CL_IMAGE_SLICE_PITCH:
        return tf_info_scalar(err, &info, size_t, slices ? level->slice_pitch_bytes : 0);
    case CL_IMAGE_WIDTH:
        return tf_info_scalar(err, &info, size_t, shape->width_px);
    case CL_IMAGE_HEIGHT:
        return tf_info_scalar(err, &info, size_t, rows ? shape->height_px : 0);
    case CL_IMAGE_DEPTH:
        return tf_info_scalar(err, &info, size_t,
                              shape->type == CL_MEM_OBJECT_IMAGE3D ? shape->depth_px : 0);
    case CL_IMAGE_ARRAY_SIZE:
        return tf_info_scalar(err, &info, size_t,
                              tf_image_type_is_array(shape->type) ? shape->layers : 0);
    case CL_IMAGE_BUFFER:
        return tf_info_scalar(err, &info, cl_mem, buffer_of(mem));
    case CL_IMAGE_NUM_MIP_LEVELS:
        return tf_info_scalar(err, &info, cl_uint, mem->image->mip_levels_given);
    case CL_IMAGE_NUM_SAMPLES:
        return tf_info_scalar(err, &info, cl_uint, 0);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "image info 0x%x", param);
    }
}

// ---- Regions of pixels ----

size_t tf_image_origin_level(cl_mem mem, const size_t *origin)
{
    const struct tf_image_shape *shape = &mem->image->shape;

    return shape->mip_levels > 1 ? origin[tf_image_type_axes(shape->type)] : 0;
}

bool tf_image_has_box(cl_mem mem, const struct tf_image_box *box)
{
    const struct tf_image *image = mem->image;
    size_t counts[TF_IMAGE_AXES_MAX];

    tf_image_level_counts(&image->shape, &image->layout.levels[box->level], counts);
    for (int axis = 0; axis < TF_IMAGE_AXES_MAX; axis++)
        if (!tf_range_ok(box->origin[axis], box->region[axis], counts[axis]))
            return false;
    return true;
}

bool tf_image_boxes_overlap(const struct tf_image_box *a, const struct tf_image_box *b)
{
    for (int axis = 0; axis < TF_IMAGE_AXES_MAX; axis++)
        if (a->origin[axis] >= b->origin[axis] + b->region[axis] ||
            b->origin[axis] >= a->origin[axis] + a->region[axis])
            return false;
    return a->level == b->level;
}

struct tf_rect tf_image_rect(cl_mem mem, const struct tf_image_box *box,
                             size_t region_out[3])
{
    const struct tf_image *image = mem->image;
    const struct tf_image_level_layout *level = &image->layout.levels[box->level];
    const struct tf_image_steps steps = tf_image_level_steps(image->shape.type, level);
    const size_t pixel = image->shape.pixel_bytes;

    region_out[0] = box->region[0] * pixel;
    region_out[1] = box->region[1];
    region_out[2] = box->region[2];
    return (struct tf_rect){
        .origin = {level->offset_bytes + box->origin[0] * pixel, box->origin[1],
                   box->origin[2]},
        .row_pitch_bytes = steps.row_bytes,
        .slice_pitch_bytes = steps.slice_bytes,
    };
}
