// SPDX-License-Identifier: MIT
// Recording barriers, copies and fills in command buffers.
#include "api/dispatch.h"

#include "api/command_buffer/api_record.h"

#include "api/api_common.h"
#include "api/command/api_check_copy.h"
#include "api/memory/api_svm.h"
#include "core/command/command_svm.h"
#include "core/platform/device_caps.h"

// The queue of the command: one of the buffer's, NULL where there is only one; where
// there never is another, NULL is all that it can be.
static cl_int check_record_queue(struct tf_err *err, cl_command_queue queue,
                                 struct tf_record *record)
{
    const cl_command_buffer_khr buffer = record->buffer;

    record->queue_index = 0;
    if (!queue) {
        TF_REQUIRE(err, buffer->queue_count == 1, CL_INVALID_COMMAND_QUEUE,
                   "no queue, but the command buffer has %u", buffer->queue_count);
        return CL_SUCCESS;
    }
    TF_REQUIRE(
        err,
        tf_command_buffer_offers(buffer, TF_FEATURE_cl_khr_command_buffer_multi_device),
        CL_INVALID_COMMAND_QUEUE, "a queue without cl_khr_command_buffer_multi_device");
    if (check_queue(err, queue))
        return err->code;
    TF_REQUIRE(err, ((struct tf_object *)queue)->ctx == buffer->obj.ctx,
               CL_INVALID_CONTEXT,
               "the queue belongs to another context than the command buffer");
    while (record->queue_index < buffer->queue_count &&
           buffer->queues[record->queue_index].queue != queue)
        record->queue_index++;
    TF_REQUIRE(err, record->queue_index < buffer->queue_count, CL_INVALID_COMMAND_QUEUE,
               "the queue is none of the command buffer's");
    return CL_SUCCESS;
}

static cl_int check_record_properties(struct tf_err *err, bool is_kernel,
                                      struct tf_record *record)
{
    static const uint64_t names[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                     CL_MUTABLE_DISPATCH_ASSERTS_KHR};
    const bool are_known =
        is_kernel &&
        tf_command_buffer_offers(record->buffer,
                                 TF_FEATURE_cl_khr_command_buffer_mutable_dispatch);
    const size_t known = are_known ? sizeof(names) / sizeof(names[0]) : 0;

    return tf_props_check(err, record->properties, names, known, CL_INVALID_VALUE,
                          &record->property_count);
}

static cl_int check_points(struct tf_err *err, const struct tf_record *record)
{
    TF_REQUIRE(err, (record->wait_count == 0) == (record->waits == NULL),
               CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
               "sync_point_wait_list is %s but num_sync_points_in_wait_list is %u",
               record->waits ? "set" : "NULL", record->wait_count);
    for (cl_uint i = 0; i < record->wait_count; i++)
        TF_REQUIRE(err, tf_command_buffer_has_point(record->buffer, record->waits[i]),
                   CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                   "sync_point_wait_list[%u] is no sync point of the command buffer", i);
    return CL_SUCCESS;
}

cl_int check_record(struct tf_err *err, cl_command_queue queue, bool is_kernel,
                    struct tf_record *record, struct tf_enqueue *at)
{
    if (check_command_buffer(err, record->buffer) ||
        check_record_queue(err, queue, record))
        return err->code;
    TF_REQUIRE(err,
               tf_command_buffer_state(record->buffer) ==
                   CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
               CL_INVALID_OPERATION, "the command buffer is finalized");
    if (check_record_properties(err, is_kernel, record))
        return err->code;
    TF_REQUIRE(err, is_kernel || !record->handle, CL_INVALID_VALUE,
               "mutable_handle is set, but only kernels have one");
    TF_REQUIRE(err,
               !record->handle ||
                   tf_command_buffer_offers(
                       record->buffer, TF_FEATURE_cl_khr_command_buffer_mutable_dispatch),
               CL_INVALID_VALUE,
               "mutable_handle is set without cl_khr_command_buffer_mutable_dispatch");
    if (check_points(err, record))
        return err->code;
    tf_record_begin(record);
    *at = (struct tf_enqueue){.queue = record->buffer->queues[record->queue_index].queue,
                              .recorder = &record->recorder};
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at = {0};

    if (!check_record(&err, command_queue, false, &record, &at))
        tf_record_barrier(&err, &at);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
    size_t src_offset, size_t dst_offset, size_t size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    const struct tf_copy what = {.src = src_buffer,
                                 .dst = dst_buffer,
                                 .src_offset_bytes = src_offset,
                                 .dst_offset_bytes = dst_offset,
                                 .size_bytes = size};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at = {0};

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_copy(&err, &at, &what))
        tf_enqueue_copy(&err, &at, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
    size_t dst_slice_pitch, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    struct tf_rect_copy what = {.src = src_buffer,
                                .dst = dst_buffer,
                                .src_rect.row_pitch_bytes = src_row_pitch,
                                .src_rect.slice_pitch_bytes = src_slice_pitch,
                                .dst_rect.row_pitch_bytes = dst_row_pitch,
                                .dst_rect.slice_pitch_bytes = dst_slice_pitch};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at = {0};

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_rect_copy(&err, &at, src_origin, dst_origin, region, &what))
        tf_enqueue_copy_rect(&err, &at, CL_COMMAND_COPY_BUFFER_RECT, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clCommandFillBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem buffer, const void *pattern,
    size_t pattern_size, size_t offset, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    const struct tf_fill what = {.mem = buffer,
                                 .offset_bytes = offset,
                                 .size_bytes = size,
                                 .pattern = pattern,
                                 .pattern_bytes = pattern_size};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at = {0};

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_fill(&err, &at, &what))
        tf_enqueue_fill(&err, &at, &what);
    return tf_report(&err, __func__);
}

static cl_int check_svm_device(struct tf_err *err, const struct tf_enqueue *at)
{
    TF_REQUIRE(err, tf_queue_device(at->queue)->caps->svm, CL_INVALID_OPERATION,
               "the command's device has no SVM");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemcpyKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, void *dst_ptr, const void *src_ptr,
    size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    const struct tf_svm_copy what = {.dst = dst_ptr, .src = src_ptr, .size_bytes = size};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at = {0};

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_svm_device(&err, &at) && !check_svm_copy(&err, &what))
        tf_enqueue_svm_copy(&err, &at, CL_COMMAND_SVM_MEMCPY, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemFillKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, void *svm_ptr, const void *pattern,
    size_t pattern_size, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    const struct tf_svm_fill what = {.dst = svm_ptr,
                                     .size_bytes = size,
                                     .pattern = pattern,
                                     .pattern_bytes = pattern_size};
    struct tf_record record = RECORDED;
    struct tf_err err = {0};
    struct tf_enqueue at = {0};

    if (!check_record(&err, command_queue, false, &record, &at) &&
        !check_svm_device(&err, &at) && !check_svm_fill(&err, &what))
        tf_enqueue_svm_fill(&err, &at, CL_COMMAND_SVM_MEMFILL, &what);
    return tf_report(&err, __func__);
}
