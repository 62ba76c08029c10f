// SPDX-License-Identifier: MIT
// Recording copies and fills of images in command buffers.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command/api_check_copy.h"
#include "api/command_buffer/api_record.h"

CL_API_ENTRY cl_int CL_API_CALL clCommandFillImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem image, const void *fill_color,
    const size_t *origin, const size_t *region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    struct tf_image_fill what = {.image = image, .color = fill_color};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at;

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_image_fill(&err, &at, origin, region, &what))
        tf_enqueue_fill_image(&err, &at, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_image,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct tf_image_copy what = {.src = src_image, .dst = dst_image};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at;

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_image_copy(&err, &at, src_origin, dst_origin, region, &what))
        tf_enqueue_copy_image(&err, &at, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *region, size_t dst_offset,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct tf_image_buffer_copy what = {
        .image = src_image, .buffer = dst_buffer, .buffer_offset_bytes = dst_offset};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at;

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_image_to_buffer(&err, &at, src_origin, region, &what))
        tf_enqueue_copy_image_to_buffer(&err, &at, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_image,
    size_t src_offset, const size_t *origin, const size_t *region,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct tf_image_buffer_copy what = {
        .image = dst_image, .buffer = src_buffer, .buffer_offset_bytes = src_offset};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at;

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_buffer_to_image(&err, &at, origin, region, &what))
        tf_enqueue_copy_buffer_to_image(&err, &at, &what);
    return tf_report(&err, __func__);
}
