// SPDX-License-Identifier: MIT
// Reading, writing, copying and filling buffers.
#include "abi/long16.h"
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command/api_check_copy.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "base/range.h"
#include "core/command/command_copy.h"

static cl_int check_range(struct tf_err *err, cl_mem mem, size_t offset, size_t size)
{
    TF_REQUIRE(err, tf_range_ok(offset, size, mem->size_bytes), CL_INVALID_VALUE,
               "%zu bytes at %zu of %zu", size, offset, mem->size_bytes);
    return CL_SUCCESS;
}

// Common to reads and writes: everything but the host flags.
static cl_int check_transfer(struct tf_err *err, const struct tf_enqueue *at,
                             const struct tf_transfer *what, const void *ptr)
{
    if (check_queue_buffer(err, at->queue, what->mem) ||
        check_range(err, what->mem, what->offset_bytes, what->size_bytes))
        return err->code;
    TF_REQUIRE(err, ptr, CL_INVALID_VALUE, "ptr is NULL");
    if (check_deps(err, at))
        return err->code;
    return check_alignment(err, at->queue, what->mem);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue,
                                                    cl_mem buffer, cl_bool blocking_read,
                                                    size_t offset, size_t size, void *ptr,
                                                    cl_uint num_events_in_wait_list,
                                                    const cl_event *event_wait_list,
                                                    cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_read);
    const struct tf_transfer what = {
        .mem = buffer, .offset_bytes = offset, .size_bytes = size, .host = ptr};
    struct tf_err err = {0};

    if (!check_transfer(&err, &at, &what, ptr) && !check_host_reads(&err, buffer))
        tf_enqueue_read(&err, &at, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
    size_t size, const void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_write);
    const struct tf_transfer what = {
        .mem = buffer, .offset_bytes = offset, .size_bytes = size, .host_src = ptr};
    struct tf_err err = {0};

    if (!check_transfer(&err, &at, &what, ptr) && !check_host_writes(&err, buffer))
        tf_enqueue_write(&err, &at, &what);
    return tf_report(&err, __func__);
}

cl_int check_copy(struct tf_err *err, const struct tf_enqueue *at,
                  const struct tf_copy *what)
{
    if (check_queue_buffer(err, at->queue, what->src) ||
        check_queue_buffer(err, at->queue, what->dst) ||
        check_alignment(err, at->queue, what->src) ||
        check_alignment(err, at->queue, what->dst) ||
        check_range(err, what->src, what->src_offset_bytes, what->size_bytes) ||
        check_range(err, what->dst, what->dst_offset_bytes, what->size_bytes) ||
        check_deps(err, at) || check_changes(err, what->dst))
        return err->code;
    TF_REQUIRE(err, !tf_copy_overlaps(what), CL_MEM_COPY_OVERLAP,
               "%zu bytes from %zu to %zu of the same storage", what->size_bytes,
               what->src_offset_bytes, what->dst_offset_bytes);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
    size_t src_offset, size_t dst_offset, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct tf_copy what = {.src = src_buffer,
                                 .dst = dst_buffer,
                                 .src_offset_bytes = src_offset,
                                 .dst_offset_bytes = dst_offset,
                                 .size_bytes = size};
    struct tf_err err = {0};

    if (!check_copy(&err, &at, &what))
        tf_enqueue_copy(&err, &at, &what);
    return tf_report(&err, __func__);
}

cl_int check_fill(struct tf_err *err, const struct tf_enqueue *at,
                  const struct tf_fill *what)
{
    const size_t n = what->pattern_bytes;

    if (check_queue_buffer(err, at->queue, what->mem) ||
        check_range(err, what->mem, what->offset_bytes, what->size_bytes))
        return err->code;
    TF_REQUIRE(err, what->pattern, CL_INVALID_VALUE, "pattern is NULL");
    TF_REQUIRE(err, n > 0 && n <= TF_LONG16_BYTES && (n & (n - 1)) == 0, CL_INVALID_VALUE,
               "pattern_size %zu is no power of two up to %d", n, TF_LONG16_BYTES);
    TF_REQUIRE(err, what->offset_bytes % n == 0 && what->size_bytes % n == 0,
               CL_INVALID_VALUE,
               "offset %zu or size %zu is no multiple of the pattern's %zu",
               what->offset_bytes, what->size_bytes, n);
    if (check_deps(err, at) || check_changes(err, what->mem))
        return err->code;
    return check_alignment(err, at->queue, what->mem);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(
    cl_command_queue command_queue, cl_mem buffer, const void *pattern,
    size_t pattern_size, size_t offset, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct tf_fill what = {.mem = buffer,
                                 .offset_bytes = offset,
                                 .size_bytes = size,
                                 .pattern = pattern,
                                 .pattern_bytes = pattern_size};
    struct tf_err err = {0};

    if (!check_fill(&err, &at, &what))
        tf_enqueue_fill(&err, &at, &what);
    return tf_report(&err, __func__);
}
