// SPDX-License-Identifier: MIT
// What all memory objects share: checks, destructor callbacks.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/memory/api_mem.h"
#include "core/memory/mem.h"
#include "core/platform/device.h"
#include "core/schedule/queue.h"

cl_int check_buffer(struct tf_err *err, cl_mem mem)
{
    if (check_mem(err, mem))
        return err->code;
    TF_REQUIRE(err, tf_mem_is_buffer(mem), CL_INVALID_MEM_OBJECT, "not a buffer");
    return CL_SUCCESS;
}

cl_int check_queue_buffer(struct tf_err *err, cl_command_queue q, cl_mem mem)
{
    if (check_queue(err, q) || check_buffer(err, mem))
        return err->code;
    TF_REQUIRE(err, mem->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the buffer belongs to another context than the queue");
    return CL_SUCCESS;
}

cl_int check_alignment(struct tf_err *err, cl_command_queue q, cl_mem mem)
{
    TF_REQUIRE(err, tf_mem_origin_suits(mem->origin_bytes, tf_queue_device(q)->dev),
               CL_MISALIGNED_SUB_BUFFER_OFFSET, "sub-buffer at %zu", mem->origin_bytes);
    return CL_SUCCESS;
}

cl_int check_host_reads(struct tf_err *err, cl_mem mem)
{
    TF_REQUIRE(err, tf_mem_host_reads(mem), CL_INVALID_OPERATION,
               "the buffer was made for a host that does not read it");
    return CL_SUCCESS;
}

cl_int check_host_writes(struct tf_err *err, cl_mem mem)
{
    TF_REQUIRE(err, tf_mem_host_writes(mem), CL_INVALID_OPERATION,
               "the buffer was made for a host that does not write it");
    return CL_SUCCESS;
}

cl_int check_changes(struct tf_err *err, cl_mem mem)
{
    TF_REQUIRE(err, !tf_mem_is_immutable(mem), CL_INVALID_OPERATION,
               "the object is immutable");
    return CL_SUCCESS;
}

typedef void(CL_CALLBACK *mem_destructor_fn)(cl_mem, void *);

static cl_int check_destructor(struct tf_err *err, cl_mem mem, mem_destructor_fn fn)
{
    if (check_mem(err, mem))
        return err->code;
    TF_REQUIRE(err, fn, CL_INVALID_VALUE, "pfn_notify is NULL");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(
    cl_mem memobj, void(CL_CALLBACK *pfn_notify)(cl_mem memobj, void *user_data),
    void *user_data)
{
    const struct tf_destructor d = {
        .mem = memobj, .mem_fn = pfn_notify, .data = user_data};
    struct tf_err err = {0};

    if (!check_destructor(&err, memobj, pfn_notify))
        tf_destructors_add(&err, &memobj->destructors, &d);
    return tf_report(&err, __func__);
}
