// SPDX-License-Identifier: MIT
// Reading, writing and copying boxes of buffers.
#include "api/dispatch.h"

#include <string.h>

#include "api/api_common.h"
#include "api/command/api_check_copy.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "core/command/command_copy.h"

// Reads the application's three values, or zeros where check_origins() will refuse.
static void take_three(size_t to[3], const size_t *from)
{
    if (from)
        memcpy(to, from, 3 * sizeof(*to));
}

static struct tf_rect make_rect(const size_t *origin, size_t row_pitch,
                                size_t slice_pitch)
{
    struct tf_rect rect = {.row_pitch_bytes = row_pitch,
                           .slice_pitch_bytes = slice_pitch};

    take_three(rect.origin, origin);
    return rect;
}

static cl_int check_region(struct tf_err *err, const size_t *origin, const size_t *other,
                           const size_t *region)
{
    TF_REQUIRE(err, origin && other && region, CL_INVALID_VALUE,
               "an origin or the region is NULL");
    TF_REQUIRE(err, region[0] && region[1] && region[2], CL_INVALID_VALUE,
               "region %zu x %zu x %zu", region[0], region[1], region[2]);
    return CL_SUCCESS;
}

// Sets the pitches that were given as 0. `total_bytes` is what there is, SIZE_MAX for the
// host's memory.
static cl_int check_rect(struct tf_err *err, struct tf_rect *rect, const size_t region[3],
                         size_t total_bytes)
{
    const size_t slice_pitch = rect->slice_pitch_bytes;
    size_t first, end, least;

    TF_REQUIRE(err, tf_rect_default_pitches(rect, region), CL_INVALID_VALUE,
               "region %zu x %zu is too large", region[0], region[1]);
    TF_REQUIRE(err, rect->row_pitch_bytes >= region[0], CL_INVALID_VALUE,
               "row pitch %zu below the region's %zu", rect->row_pitch_bytes, region[0]);
    TF_REQUIRE(err,
               !slice_pitch ||
                   (!__builtin_mul_overflow(region[1], rect->row_pitch_bytes, &least) &&
                    slice_pitch >= least),
               CL_INVALID_VALUE, "slice pitch %zu below %zu rows of %zu", slice_pitch,
               region[1], rect->row_pitch_bytes);
    TF_REQUIRE(err, slice_pitch % rect->row_pitch_bytes == 0, CL_INVALID_VALUE,
               "slice pitch %zu is no multiple of the row pitch %zu", slice_pitch,
               rect->row_pitch_bytes);
    TF_REQUIRE(err, tf_rect_span(rect, region, &first, &end) && end <= total_bytes,
               CL_INVALID_VALUE, "the region lies outside of %zu bytes", total_bytes);
    return CL_SUCCESS;
}

// What the application gave to a read or write, before the checks.
struct rect_args {
    const size_t *buffer_origin, *host_origin, *region;
    const void *ptr;
};

static cl_int check_rect_transfer(struct tf_err *err, const struct tf_enqueue *at,
                                  const struct rect_args *args,
                                  struct tf_rect_transfer *what)
{
    if (check_queue_buffer(err, at->queue, what->mem) ||
        check_region(err, args->buffer_origin, args->host_origin, args->region) ||
        check_rect(err, &what->buffer, what->region, what->mem->size_bytes) ||
        check_rect(err, &what->host_rect, what->region, SIZE_MAX))
        return err->code;
    TF_REQUIRE(err, args->ptr, CL_INVALID_VALUE, "ptr is NULL");
    if (check_deps(err, at))
        return err->code;
    return check_alignment(err, at->queue, what->mem);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
    const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
    size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
    size_t host_slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_read);
    const struct rect_args args = {buffer_origin, host_origin, region, ptr};
    struct tf_rect_transfer what = {
        .mem = buffer,
        .buffer = make_rect(buffer_origin, buffer_row_pitch, buffer_slice_pitch),
        .host_rect = make_rect(host_origin, host_row_pitch, host_slice_pitch),
        .host = ptr};
    struct tf_err err = {0};

    take_three(what.region, region);
    if (!check_rect_transfer(&err, &at, &args, &what) && !check_host_reads(&err, buffer))
        tf_enqueue_read_rect(&err, &at, CL_COMMAND_READ_BUFFER_RECT, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
    const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
    size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
    size_t host_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_write);
    const struct rect_args args = {buffer_origin, host_origin, region, ptr};
    struct tf_rect_transfer what = {
        .mem = buffer,
        .buffer = make_rect(buffer_origin, buffer_row_pitch, buffer_slice_pitch),
        .host_rect = make_rect(host_origin, host_row_pitch, host_slice_pitch),
        .host_src = ptr};
    struct tf_err err = {0};

    take_three(what.region, region);
    if (!check_rect_transfer(&err, &at, &args, &what) && !check_host_writes(&err, buffer))
        tf_enqueue_write_rect(&err, &at, CL_COMMAND_WRITE_BUFFER_RECT, &what);
    return tf_report(&err, __func__);
}

static cl_int check_same_pitches(struct tf_err *err, const struct tf_rect_copy *what)
{
    if (what->src != what->dst)
        return CL_SUCCESS;
    TF_REQUIRE(err, what->src_rect.row_pitch_bytes == what->dst_rect.row_pitch_bytes,
               CL_INVALID_VALUE, "row pitches %zu and %zu in one buffer",
               what->src_rect.row_pitch_bytes, what->dst_rect.row_pitch_bytes);
    TF_REQUIRE(err, what->src_rect.slice_pitch_bytes == what->dst_rect.slice_pitch_bytes,
               CL_INVALID_VALUE, "slice pitches %zu and %zu in one buffer",
               what->src_rect.slice_pitch_bytes, what->dst_rect.slice_pitch_bytes);
    return CL_SUCCESS;
}

cl_int check_rect_copy(struct tf_err *err, const struct tf_enqueue *at,
                       const size_t *src_origin, const size_t *dst_origin,
                       const size_t *region, struct tf_rect_copy *what)
{
    take_three(what->src_rect.origin, src_origin);
    take_three(what->dst_rect.origin, dst_origin);
    take_three(what->region, region);
    if (check_queue_buffer(err, at->queue, what->src) ||
        check_queue_buffer(err, at->queue, what->dst) ||
        check_alignment(err, at->queue, what->src) ||
        check_alignment(err, at->queue, what->dst) ||
        check_region(err, src_origin, dst_origin, region) ||
        check_rect(err, &what->src_rect, what->region, what->src->size_bytes) ||
        check_rect(err, &what->dst_rect, what->region, what->dst->size_bytes) ||
        check_same_pitches(err, what) || check_deps(err, at) ||
        check_changes(err, what->dst))
        return err->code;
    TF_REQUIRE(err, !tf_rect_copy_overlaps(what), CL_MEM_COPY_OVERLAP,
               "the two regions share bytes of the same storage");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
    size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_rect_copy what = {.src = src_buffer,
                                .dst = dst_buffer,
                                .src_rect.row_pitch_bytes = src_row_pitch,
                                .src_rect.slice_pitch_bytes = src_slice_pitch,
                                .dst_rect.row_pitch_bytes = dst_row_pitch,
                                .dst_rect.slice_pitch_bytes = dst_slice_pitch};
    struct tf_err err = {0};

    if (!check_rect_copy(&err, &at, src_origin, dst_origin, region, &what))
        tf_enqueue_copy_rect(&err, &at, CL_COMMAND_COPY_BUFFER_RECT, &what);
    return tf_report(&err, __func__);
}
