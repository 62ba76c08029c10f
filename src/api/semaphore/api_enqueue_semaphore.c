// SPDX-License-Identifier: MIT
// cl_khr_semaphore: commands that signal semaphores and that wait for them.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/schedule/queue.h"
#include "core/semaphore/semaphore.h"
#include "core/semaphore/semaphore_command.h"

static cl_int check_semaphores(struct tf_err *err, cl_command_queue q, cl_uint count,
                               const cl_semaphore_khr *semaphores)
{
    if (check_queue(err, q))
        return err->code;
    TF_REQUIRE(err, count > 0, CL_INVALID_VALUE, "num_sema_objects is 0");
    TF_REQUIRE(err, semaphores, CL_INVALID_VALUE, "sema_objects is NULL");
    for (cl_uint i = 0; i < count; i++) {
        if (check_semaphore(err, semaphores[i]))
            return err->code;
        TF_REQUIRE(err, semaphores[i]->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
                   "sema_objects[%u] belongs to another context", i);
        TF_REQUIRE(err, semaphores[i]->device == tf_queue_device(q),
                   CL_INVALID_COMMAND_QUEUE, "sema_objects[%u] is for another device", i);
    }
    return CL_SUCCESS;
}

// Payloads are not looked at: no semaphore has one.
static cl_int check_enqueue(struct tf_err *err, cl_command_queue q,
                            const struct tf_semaphore_list *list)
{
    if (check_semaphores(err, q, list->count, list->semaphores) ||
        check_wait_list(err, err->ctx, list->dep_count, list->deps))
        return err->code;
    return check_none_failed(err, list->dep_count, list->deps);
}

typedef cl_int (*enqueue_fn)(struct tf_err *err, cl_command_queue q,
                             const struct tf_semaphore_list *list, cl_event *out);

// The whole of an entry point of this name.
static cl_int enqueue(const char *name, enqueue_fn put, cl_command_queue q,
                      struct tf_semaphore_list list, cl_event *out)
{
    struct tf_err err = {0};

    if (!check_enqueue(&err, q, &list))
        put(&err, q, &list, out);
    return tf_report(&err, name);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(
    cl_command_queue command_queue, cl_uint num_sema_objects,
    const cl_semaphore_khr *sema_objects,
    const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    (void)sema_payload_list;
    return enqueue(__func__, tf_semaphore_enqueue_signal, command_queue,
                   (struct tf_semaphore_list){num_sema_objects, sema_objects,
                                              num_events_in_wait_list, event_wait_list},
                   event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(
    cl_command_queue command_queue, cl_uint num_sema_objects,
    const cl_semaphore_khr *sema_objects,
    const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    (void)sema_payload_list;
    return enqueue(__func__, tf_semaphore_enqueue_wait, command_queue,
                   (struct tf_semaphore_list){num_sema_objects, sema_objects,
                                              num_events_in_wait_list, event_wait_list},
                   event);
}
