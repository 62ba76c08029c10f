// SPDX-License-Identifier: MIT
// cl_khr_external_memory: taking memory of others over and giving it back.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command/api_enqueue.h"
#include "core/command/command_copy.h"

static cl_int check_external(struct tf_err *err, const struct tf_enqueue *at,
                             cl_uint count, const cl_mem *mems)
{
    if (check_queue(err, at->queue))
        return err->code;
    TF_REQUIRE(err, (count > 0) == (mems != NULL), CL_INVALID_VALUE,
               "num_mem_objects is %u, mem_objects is %s", count, mems ? "set" : "NULL");
    for (cl_uint i = 0; i < count; i++) {
        if (check_mem(err, mems[i]))
            return err->code;
        TF_REQUIRE(err, mems[i]->external.at, CL_INVALID_MEM_OBJECT,
                   "mem_objects[%u] is no memory of others", i);
        TF_REQUIRE(err, mems[i]->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
                   "mem_objects[%u] belongs to another context than the queue", i);
    }
    return check_deps(err, at) ? err->code
                               : check_none_failed(err, at->dep_count, at->deps);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_err err = {0};

    if (!check_external(&err, &at, num_mem_objects, mem_objects))
        tf_enqueue_in_order(&err, &at, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
                            num_mem_objects, mem_objects);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_err err = {0};

    if (!check_external(&err, &at, num_mem_objects, mem_objects))
        tf_enqueue_in_order(&err, &at, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
                            num_mem_objects, mem_objects);
    return tf_report(&err, __func__);
}
