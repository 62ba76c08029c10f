// SPDX-License-Identifier: MIT
// Commands on images (OpenCL 3.1 §5.3.4 to §5.3.7). No device has images yet, so no image
// can be right: handles and wait lists are checked, then the answer is
// CL_INVALID_OPERATION, whatever the rest of the arguments is.
#include "api/dispatch.h"
#include "api/memory/api_image.h"

#include "api/api_common.h"
#include "api/memory/api_mem.h"
#include "core/memory/mem.h"

static cl_int check_member(struct tf_err *err, cl_mem mem)
{
    if (check_mem(err, mem))
        return err->code;
    TF_REQUIRE(err, mem->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the memory object belongs to another context than the queue");
    return CL_SUCCESS;
}

static cl_int check_queue_image(struct tf_err *err, cl_command_queue q, cl_mem image)
{
    return check_queue(err, q) ? err->code : check_member(err, image);
}

// What comes after the checks of the handles.
static cl_int check_rest(struct tf_err *err, cl_uint dep_count, const cl_event *deps)
{
    if (check_wait_list(err, err->ctx, dep_count, deps))
        return err->code;
    return check_images_offered(err);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                   const size_t *origin, const size_t *region, size_t row_pitch,
                   size_t slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event)
{
    struct tf_err err = {0};

    (void)blocking_read, (void)origin, (void)region, (void)row_pitch;
    (void)slice_pitch, (void)ptr, (void)event;
    if (!check_queue_image(&err, command_queue, image))
        check_rest(&err, num_events_in_wait_list, event_wait_list);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
    const size_t *origin, const size_t *region, size_t input_row_pitch,
    size_t input_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    struct tf_err err = {0};

    (void)blocking_write, (void)origin, (void)region, (void)input_row_pitch;
    (void)input_slice_pitch, (void)ptr, (void)event;
    if (!check_queue_image(&err, command_queue, image))
        check_rest(&err, num_events_in_wait_list, event_wait_list);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(
    cl_command_queue command_queue, cl_mem image, const void *fill_color,
    const size_t *origin, const size_t *region, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    struct tf_err err = {0};

    (void)fill_color, (void)origin, (void)region, (void)event;
    if (!check_queue_image(&err, command_queue, image))
        check_rest(&err, num_events_in_wait_list, event_wait_list);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    struct tf_err err = {0};

    (void)src_origin, (void)dst_origin, (void)region, (void)event;
    if (!check_queue_image(&err, command_queue, src_image) &&
        !check_member(&err, dst_image))
        check_rest(&err, num_events_in_wait_list, event_wait_list);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *region, size_t dst_offset,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    struct tf_err err = {0};

    (void)src_origin, (void)region, (void)dst_offset, (void)event;
    if (!check_queue_image(&err, command_queue, src_image) &&
        !check_queue_buffer(&err, command_queue, dst_buffer))
        check_rest(&err, num_events_in_wait_list, event_wait_list);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
    size_t src_offset, const size_t *dst_origin, const size_t *region,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    struct tf_err err = {0};

    (void)src_offset, (void)dst_origin, (void)region, (void)event;
    if (!check_queue_buffer(&err, command_queue, src_buffer) &&
        !check_member(&err, dst_image))
        check_rest(&err, num_events_in_wait_list, event_wait_list);
    return tf_report(&err, __func__);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_map,
    cl_map_flags map_flags, const size_t *origin, const size_t *region,
    size_t *image_row_pitch, size_t *image_slice_pitch, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event, cl_int *errcode_ret)
{
    struct tf_err err = {0};

    (void)blocking_map, (void)map_flags, (void)origin, (void)region;
    (void)image_row_pitch, (void)image_slice_pitch, (void)event;
    if (!check_queue_image(&err, command_queue, image))
        check_rest(&err, num_events_in_wait_list, event_wait_list);
    return tf_return_object(&err, __func__, NULL, errcode_ret);
}
