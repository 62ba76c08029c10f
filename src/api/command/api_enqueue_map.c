// SPDX-License-Identifier: MIT
// Mapping buffers, unmapping memory objects.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "base/range.h"
#include "core/command/command_map.h"

cl_int check_map_flags(struct tf_err *err, cl_map_flags flags)
{
    const cl_map_flags known =
        CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

    TF_REQUIRE(err, !(flags & ~known), CL_INVALID_VALUE, "map_flags 0x%llx",
               (unsigned long long)flags);
    TF_REQUIRE(err,
               !(flags & CL_MAP_WRITE_INVALIDATE_REGION) ||
                   flags == CL_MAP_WRITE_INVALIDATE_REGION,
               CL_INVALID_VALUE,
               "map_flags 0x%llx: CL_MAP_WRITE_INVALIDATE_REGION stands alone",
               (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int check_map(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                        const struct tf_map_desc *desc)
{
    const cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

    if (check_queue_buffer(err, at->queue, mem))
        return err->code;
    TF_REQUIRE(err, tf_range_ok(desc->offset_bytes, desc->size_bytes, mem->size_bytes),
               CL_INVALID_VALUE, "%zu bytes at %zu of %zu", desc->size_bytes,
               desc->offset_bytes, mem->size_bytes);
    TF_REQUIRE(err, desc->size_bytes > 0, CL_INVALID_VALUE, "size is 0");
    if (check_map_flags(err, desc->flags) || check_deps(err, at) ||
        check_alignment(err, at->queue, mem))
        return err->code;
    if (desc->flags & CL_MAP_READ && check_host_reads(err, mem))
        return err->code;
    if (desc->flags & writing && check_host_writes(err, mem))
        return err->code;
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
    cl_map_flags map_flags, size_t offset, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event, cl_int *errcode_ret)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_map);
    const struct tf_map_desc desc = {
        .flags = map_flags, .offset_bytes = offset, .size_bytes = size};
    struct tf_err err = {0};
    void *host = NULL;

    if (!check_map(&err, &at, buffer, &desc))
        tf_enqueue_map(&err, &at, buffer, &desc, &host);
    return tf_return_object(&err, __func__, host, errcode_ret);
}

static cl_int check_unmap(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                          const void *host)
{
    if (check_queue(err, at->queue) || check_mem(err, mem))
        return err->code;
    TF_REQUIRE(err, mem->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the memory object belongs to another context than the queue");
    TF_REQUIRE(err, tf_map_exists(mem, host), CL_INVALID_VALUE,
               "mapped_ptr %p is no mapping of the object", host);
    return check_deps(err, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue,
                                                        cl_mem memobj, void *mapped_ptr,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event *event_wait_list,
                                                        cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_err err = {0};

    if (!check_unmap(&err, &at, memobj, mapped_ptr))
        tf_enqueue_unmap(&err, &at, memobj, mapped_ptr);
    return tf_report(&err, __func__);
}
