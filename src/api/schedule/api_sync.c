// SPDX-License-Identifier: MIT
// Waiting on the host, markers and barriers.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/schedule/queue.h"

// Rules of clWaitForEvents (OpenCL 3.0 §5.11): as those of wait lists, with other codes.
static cl_int check_event_list(struct tf_err *err, cl_uint n, const cl_event *list)
{
    TF_REQUIRE(err, n > 0 && list, CL_INVALID_VALUE, "no events to wait for");
    for (cl_uint i = 0; i < n; i++) {
        if (check_event(err, list[i]))
            return err->code;
        TF_REQUIRE(err, list[i]->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
                   "event_list[%u] belongs to another context", i);
    }
    return CL_SUCCESS;
}

static void wait_for_all(struct tf_err *err, cl_uint n, const cl_event *list)
{
    for (cl_uint i = 0; i < n; i++)
        if (tf_event_wait(list[i]) < 0)
            tf_fail(err, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                    "event_list[%u] ended with an error", i);
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint num_events,
                                                const cl_event *event_list)
{
    struct tf_err err = {0};

    if (!check_event_list(&err, num_events, event_list))
        wait_for_all(&err, num_events, event_list);
    return tf_report(&err, __func__);
}

static void enqueue(struct tf_err *err, cl_command_queue q, cl_command_type type,
                    unsigned flags, cl_uint n, const cl_event *deps, cl_event *out)
{
    cl_event ev = tf_queue_new_command(err, q, type, n, 0);

    if (ev)
        tf_queue_enqueue(q, ev, flags, n, deps, out);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(
    cl_command_queue command_queue, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const unsigned flags = num_events_in_wait_list ? 0 : TF_ENQUEUE_AFTER_ALL;
    struct tf_err err = {0};

    if (!check_queue(&err, command_queue) &&
        !check_wait_list(&err, err.ctx, num_events_in_wait_list, event_wait_list))
        enqueue(&err, command_queue, CL_COMMAND_MARKER, flags, num_events_in_wait_list,
                event_wait_list, event);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(
    cl_command_queue command_queue, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const unsigned flags =
        TF_ENQUEUE_BARRIER | (num_events_in_wait_list ? 0 : TF_ENQUEUE_AFTER_ALL);
    struct tf_err err = {0};

    if (!check_queue(&err, command_queue) &&
        !check_wait_list(&err, err.ctx, num_events_in_wait_list, event_wait_list))
        enqueue(&err, command_queue, CL_COMMAND_BARRIER, flags, num_events_in_wait_list,
                event_wait_list, event);
    return tf_report(&err, __func__);
}

static cl_int check_marker(struct tf_err *err, cl_command_queue q, const cl_event *event)
{
    if (check_queue(err, q))
        return err->code;
    TF_REQUIRE(err, event, CL_INVALID_VALUE, "event is NULL");
    return CL_SUCCESS;
}

// The three of OpenCL 1.0 and 1.1.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue,
                                                cl_event *event)
{
    struct tf_err err = {0};

    if (!check_marker(&err, command_queue, event))
        enqueue(&err, command_queue, CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL, 0, NULL,
                event);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue)
{
    struct tf_err err = {0};

    if (!check_queue(&err, command_queue))
        enqueue(&err, command_queue, CL_COMMAND_BARRIER,
                TF_ENQUEUE_BARRIER | TF_ENQUEUE_AFTER_ALL, 0, NULL, NULL);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue,
                                                       cl_uint num_events,
                                                       const cl_event *event_list)
{
    struct tf_err err = {0};

    if (!check_queue(&err, command_queue) &&
        !check_event_list(&err, num_events, event_list))
        enqueue(&err, command_queue, CL_COMMAND_BARRIER, TF_ENQUEUE_BARRIER, num_events,
                event_list, NULL);
    return tf_report(&err, __func__);
}
