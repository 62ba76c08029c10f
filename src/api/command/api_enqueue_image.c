// SPDX-License-Identifier: MIT
// Commands on images (OpenCL 3.1 §5.3.4 to §5.3.7).
#include "api/dispatch.h"
#include "api/memory/api_image.h"

#include "api/api_common.h"
#include "api/command/api_check_copy.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "base/range.h"
#include "core/command/command_copy.h"
#include "core/command/command_image.h"

// ---- What the commands have in common ----

static cl_int check_member(struct tf_err *err, cl_mem image)
{
    if (check_image(err, image))
        return err->code;
    TF_REQUIRE(err, image->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the image belongs to another context than the queue");
    return CL_SUCCESS;
}

static cl_int check_queue_image(struct tf_err *err, const struct tf_enqueue *at,
                                cl_mem image)
{
    return check_queue(err, at->queue) ? err->code : check_member(err, image);
}

// The queue's device might have less than that of another queue.
static cl_int check_on_device(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem)
{
    const struct tf_device_caps *caps = tf_queue_device(at->queue)->caps;

    TF_REQUIRE(err, tf_device_caps_has(caps, TF_FEATURE_images), CL_INVALID_OPERATION,
               "the queue's device has no images");
    return tf_image_check_on(err, mem, caps, 0);
}

// Fills *box, without looking beyond what an origin of the image has.
static cl_int check_box(struct tf_err *err, cl_mem mem, const size_t *origin,
                        const size_t *region, struct tf_image_box *box)
{
    const struct tf_image_shape *shape = &mem->image->shape;
    size_t level;

    TF_REQUIRE(err, origin, CL_INVALID_VALUE, "origin is NULL");
    TF_REQUIRE(err, region, CL_INVALID_VALUE, "region is NULL");
    TF_REQUIRE(err, region[0] && region[1] && region[2], CL_INVALID_VALUE,
               "region %zu x %zu x %zu", region[0], region[1], region[2]);
    level = tf_image_origin_level(mem, origin);
    TF_REQUIRE(err, level < shape->mip_levels, CL_INVALID_MIP_LEVEL,
               "mip level %zu of %u", level, shape->mip_levels);
    box->level = (cl_uint)level;
    for (unsigned axis = 0; axis < TF_IMAGE_AXES_MAX; axis++) {
        const bool is_level =
            shape->mip_levels > 1 && axis == tf_image_type_axes(shape->type);

        box->origin[axis] = is_level ? 0 : origin[axis];
        box->region[axis] = region[axis];
    }
    TF_REQUIRE(err, tf_image_has_box(mem, box), CL_INVALID_VALUE,
               "%zu x %zu x %zu at %zu, %zu, %zu: outside of the image, %zu x %zu x %zu, "
               "layers: %zu",
               region[0], region[1], region[2], origin[0], origin[1], origin[2],
               shape->width_px, shape->height_px, shape->depth_px, shape->layers);
    return CL_SUCCESS;
}

// ---- The host's memory ----

// What the application gave to a read or write, before the checks.
struct image_args {
    const size_t *origin, *region;
    size_t row_pitch, slice_pitch;
    const void *ptr;
};

static cl_int check_host_side(struct tf_err *err, const struct image_args *args,
                              struct tf_image_transfer *what)
{
    const struct tf_image_shape *shape = &what->image->image->shape;
    struct tf_rect rect = {{0}, 0, 0};
    size_t region[3], first, end;

    TF_REQUIRE(err, !args->slice_pitch || tf_image_type_has_slices(shape->type),
               CL_INVALID_VALUE, "slice pitch %zu, the image has no slices",
               args->slice_pitch);
    TF_REQUIRE(err,
               tf_image_host_steps(shape, what->box.region, args->row_pitch,
                                   args->slice_pitch, &what->host_steps),
               CL_INVALID_VALUE, "row pitch %zu, slice pitch %zu: too small",
               args->row_pitch, args->slice_pitch);
    tf_image_rect(what->image, &what->box, region);
    rect.row_pitch_bytes = what->host_steps.row_bytes;
    rect.slice_pitch_bytes = what->host_steps.slice_bytes;
    TF_REQUIRE(err, tf_rect_span(&rect, region, &first, &end), CL_INVALID_VALUE,
               "row pitch %zu, slice pitch %zu: too large", args->row_pitch,
               args->slice_pitch);
    TF_REQUIRE(err, args->ptr, CL_INVALID_VALUE, "ptr is NULL");
    return CL_SUCCESS;
}

static cl_int check_transfer(struct tf_err *err, const struct tf_enqueue *at,
                             const struct image_args *args,
                             struct tf_image_transfer *what)
{
    if (check_queue_image(err, at, what->image) ||
        check_box(err, what->image, args->origin, args->region, &what->box) ||
        check_host_side(err, args, what) || check_deps(err, at))
        return err->code;
    return check_on_device(err, at, what->image);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                   const size_t *origin, const size_t *region, size_t row_pitch,
                   size_t slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_read);
    const struct image_args args = {origin, region, row_pitch, slice_pitch, ptr};
    struct tf_image_transfer what = {.image = image, .host = ptr};
    struct tf_err err = {0};

    if (!check_transfer(&err, &at, &args, &what) && !check_host_reads(&err, image))
        tf_enqueue_read_image(&err, &at, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
    const size_t *origin, const size_t *region, size_t input_row_pitch,
    size_t input_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_write);
    const struct image_args args = {origin, region, input_row_pitch, input_slice_pitch,
                                    ptr};
    struct tf_image_transfer what = {.image = image, .host_src = ptr};
    struct tf_err err = {0};

    if (!check_transfer(&err, &at, &args, &what) && !check_host_writes(&err, image))
        tf_enqueue_write_image(&err, &at, &what);
    return tf_report(&err, __func__);
}

static cl_int check_map(struct tf_err *err, const struct tf_enqueue *at,
                        const size_t *origin, const size_t *region,
                        struct tf_image_map *what)
{
    const cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

    if (check_queue_image(err, at, what->image) ||
        check_box(err, what->image, origin, region, &what->box) ||
        check_map_flags(err, what->flags) || check_deps(err, at) ||
        check_on_device(err, at, what->image))
        return err->code;
    if (what->flags & CL_MAP_READ && check_host_reads(err, what->image))
        return err->code;
    if (what->flags & writing && check_host_writes(err, what->image))
        return err->code;
    return CL_SUCCESS;
}

static cl_int check_pitch_pointers(struct tf_err *err, cl_mem mem, const size_t *row,
                                   const size_t *slice)
{
    TF_REQUIRE(err, row, CL_INVALID_VALUE, "image_row_pitch is NULL");
    TF_REQUIRE(err, slice || !tf_image_type_has_slices(mem->image->shape.type),
               CL_INVALID_VALUE, "image_slice_pitch is NULL");
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_map,
    cl_map_flags map_flags, const size_t *origin, const size_t *region,
    size_t *image_row_pitch, size_t *image_slice_pitch, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event, cl_int *errcode_ret)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_map);
    struct tf_image_map what = {.image = image, .flags = map_flags};
    struct tf_err err = {0};
    void *host = NULL;

    if (!check_map(&err, &at, origin, region, &what) &&
        !check_pitch_pointers(&err, image, image_row_pitch, image_slice_pitch)) {
        // Before the command: once that is known, another thread may unmap the image, and
        // all its handles be gone.
        const struct tf_image_level_layout *level =
            &image->image->layout.levels[what.box.level];
        const bool slices = tf_image_type_has_slices(image->image->shape.type);

        *image_row_pitch = level->row_pitch_bytes;
        if (image_slice_pitch)
            *image_slice_pitch = slices ? level->slice_pitch_bytes : 0;
        tf_enqueue_map_image(&err, &at, &what, &host);
    }
    return tf_return_object(&err, __func__, host, errcode_ret);
}

// ---- Filling, copying ----

cl_int check_image_fill(struct tf_err *err, const struct tf_enqueue *at,
                        const size_t *origin, const size_t *region,
                        struct tf_image_fill *what)
{
    if (check_queue_image(err, at, what->image))
        return err->code;
    TF_REQUIRE(err, what->color, CL_INVALID_VALUE, "fill_color is NULL");
    if (check_box(err, what->image, origin, region, &what->box) || check_deps(err, at) ||
        check_changes(err, what->image))
        return err->code;
    return check_on_device(err, at, what->image);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(
    cl_command_queue command_queue, cl_mem image, const void *fill_color,
    const size_t *origin, const size_t *region, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_image_fill what = {.image = image, .color = fill_color};
    struct tf_err err = {0};

    if (!check_image_fill(&err, &at, origin, region, &what))
        tf_enqueue_fill_image(&err, &at, &what);
    return tf_report(&err, __func__);
}

static cl_int check_same_format(struct tf_err *err, cl_mem a, cl_mem b)
{
    const cl_image_format *of_a = &a->image->format, *of_b = &b->image->format;

    TF_REQUIRE(err,
               of_a->image_channel_order == of_b->image_channel_order &&
                   of_a->image_channel_data_type == of_b->image_channel_data_type,
               CL_IMAGE_FORMAT_MISMATCH, "the images have different formats");
    return CL_SUCCESS;
}

cl_int check_image_copy(struct tf_err *err, const struct tf_enqueue *at,
                        const size_t *src_origin, const size_t *dst_origin,
                        const size_t *region, struct tf_image_copy *what)
{
    if (check_queue_image(err, at, what->src) || check_member(err, what->dst) ||
        check_same_format(err, what->src, what->dst) ||
        check_box(err, what->src, src_origin, region, &what->src_box) ||
        check_box(err, what->dst, dst_origin, region, &what->dst_box) ||
        check_deps(err, at) || check_changes(err, what->dst) ||
        check_on_device(err, at, what->src) || check_on_device(err, at, what->dst))
        return err->code;
    TF_REQUIRE(err, !tf_image_copy_overlaps(what), CL_MEM_COPY_OVERLAP,
               "the regions share pixels of one image");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_image_copy what = {.src = src_image, .dst = dst_image};
    struct tf_err err = {0};

    if (!check_image_copy(&err, &at, src_origin, dst_origin, region, &what))
        tf_enqueue_copy_image(&err, &at, &what);
    return tf_report(&err, __func__);
}

// Between an image and a buffer, whichever way: the handles are checked.
static cl_int check_with_buffer(struct tf_err *err, const struct tf_enqueue *at,
                                const size_t *origin, const size_t *region,
                                struct tf_image_buffer_copy *what)
{
    const cl_mem buffer = what->buffer;
    size_t bytes;

    TF_REQUIRE(err,
               what->image->image->shape.type != CL_MEM_OBJECT_IMAGE1D_BUFFER ||
                   what->image->parent != buffer,
               CL_INVALID_MEM_OBJECT, "the image lies in that buffer");
    if (check_box(err, what->image, origin, region, &what->box))
        return err->code;
    // A box inside the image has no more bytes than that.
    bytes = region[0] * region[1] * region[2] * what->image->image->shape.pixel_bytes;
    TF_REQUIRE(err, tf_range_ok(what->buffer_offset_bytes, bytes, buffer->size_bytes),
               CL_INVALID_VALUE, "%zu bytes at %zu of %zu", bytes,
               what->buffer_offset_bytes, buffer->size_bytes);
    if (check_deps(err, at) || check_alignment(err, at->queue, buffer))
        return err->code;
    return check_on_device(err, at, what->image);
}

cl_int check_image_to_buffer(struct tf_err *err, const struct tf_enqueue *at,
                             const size_t *origin, const size_t *region,
                             struct tf_image_buffer_copy *what)
{
    if (check_queue_image(err, at, what->image) ||
        check_queue_buffer(err, at->queue, what->buffer) ||
        check_changes(err, what->buffer))
        return err->code;
    return check_with_buffer(err, at, origin, region, what);
}

cl_int check_buffer_to_image(struct tf_err *err, const struct tf_enqueue *at,
                             const size_t *origin, const size_t *region,
                             struct tf_image_buffer_copy *what)
{
    if (check_queue_buffer(err, at->queue, what->buffer) ||
        check_member(err, what->image) || check_changes(err, what->image))
        return err->code;
    return check_with_buffer(err, at, origin, region, what);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *region, size_t dst_offset,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_image_buffer_copy what = {
        .image = src_image, .buffer = dst_buffer, .buffer_offset_bytes = dst_offset};
    struct tf_err err = {0};

    if (!check_image_to_buffer(&err, &at, src_origin, region, &what))
        tf_enqueue_copy_image_to_buffer(&err, &at, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
    size_t src_offset, const size_t *dst_origin, const size_t *region,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_image_buffer_copy what = {
        .image = dst_image, .buffer = src_buffer, .buffer_offset_bytes = src_offset};
    struct tf_err err = {0};

    if (!check_buffer_to_image(&err, &at, dst_origin, region, &what))
        tf_enqueue_copy_buffer_to_image(&err, &at, &what);
    return tf_report(&err, __func__);
}
