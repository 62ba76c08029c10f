// SPDX-License-Identifier: MIT
#include "api/api_common.h"

#include "core/platform/context.h"
#include "core/schedule/event.h"
#include "core/schedule/queue.h"

// An object that lives and was not made before this process was forked; `invalid` if it
// is none. The call holds it from here on.
static cl_int check_object(struct tf_err *err, void *handle, const struct tf_class *cls,
                           cl_int invalid)
{
    if (tf_err_hold(err, handle, cls, invalid))
        return err->code;
    TF_REQUIRE(err, !tf_object_before_fork(handle), CL_OUT_OF_RESOURCES,
               "%s of the parent process", cls->name);
    return CL_SUCCESS;
}

// The same for classes whose objects belong to a context.
static cl_int check_member(struct tf_err *err, void *handle, const struct tf_class *cls)
{
    if (check_object(err, handle, cls, cls->invalid))
        return err->code;
    if (!err->ctx)
        err->ctx = ((const struct tf_object *)handle)->ctx;
    return CL_SUCCESS;
}

cl_int check_running(struct tf_err *err)
{
    TF_REQUIRE(err, !tf_context_stopped(err->ctx), CL_CONTEXT_TERMINATED_KHR,
               "the context has been terminated");
    return CL_SUCCESS;
}

cl_int check_context(struct tf_err *err, cl_context ctx)
{
    if (check_any_context(err, ctx))
        return err->code;
    return check_running(err);
}

cl_int check_any_context(struct tf_err *err, cl_context ctx)
{
    if (check_object(err, ctx, &tf_class_context, CL_INVALID_CONTEXT))
        return err->code;
    if (!err->ctx)
        err->ctx = ctx;
    return CL_SUCCESS;
}

cl_int check_device(struct tf_err *err, cl_device_id dev)
{
    return check_object(err, dev, &tf_class_device, CL_INVALID_DEVICE);
}

cl_int check_any_queue(struct tf_err *err, cl_command_queue q)
{
    return check_member(err, q, &tf_class_queue);
}

cl_int check_queue(struct tf_err *err, cl_command_queue q)
{
    if (check_any_queue(err, q))
        return err->code;
    TF_REQUIRE(err, !tf_queue_on_device(q), CL_INVALID_COMMAND_QUEUE,
               "the queue is on the device: it takes no commands of the host");
    return CL_SUCCESS;
}

cl_int check_event(struct tf_err *err, cl_event ev)
{
    return check_member(err, ev, &tf_class_event);
}

cl_int check_mem(struct tf_err *err, cl_mem mem)
{
    return check_member(err, mem, &tf_class_mem);
}

cl_int check_program(struct tf_err *err, cl_program prog)
{
    return check_member(err, prog, &tf_class_program);
}

cl_int check_kernel(struct tf_err *err, cl_kernel kernel)
{
    return check_member(err, kernel, &tf_class_kernel);
}

cl_int check_sampler(struct tf_err *err, cl_sampler sampler)
{
    return check_member(err, sampler, &tf_class_sampler);
}

cl_int check_command_buffer(struct tf_err *err, cl_command_buffer_khr buffer)
{
    return check_member(err, buffer, &tf_class_command_buffer);
}

cl_int check_semaphore(struct tf_err *err, cl_semaphore_khr sema)
{
    return check_member(err, sema, &tf_class_semaphore);
}

cl_int check_wait_list(struct tf_err *err, cl_context ctx, cl_uint n,
                       const cl_event *list)
{
    TF_REQUIRE(err, (n == 0) == (list == NULL), CL_INVALID_EVENT_WAIT_LIST,
               "event_wait_list is %s but num_events_in_wait_list is %u",
               list ? "set" : "NULL", n);
    for (cl_uint i = 0; i < n; i++) {
        if (check_object(err, list[i], &tf_class_event, CL_INVALID_EVENT_WAIT_LIST))
            return err->code;
        TF_REQUIRE(err, list[i]->obj.ctx == ctx, CL_INVALID_CONTEXT,
                   "event_wait_list[%u] belongs to another context", i);
    }
    return CL_SUCCESS;
}

cl_int check_none_failed(struct tf_err *err, cl_uint n, const cl_event *list)
{
    for (cl_uint i = 0; i < n; i++)
        TF_REQUIRE(err, tf_event_status(list[i]) >= CL_COMPLETE,
                   CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                   "event_wait_list[%u] has ended with an error", i);
    return CL_SUCCESS;
}

void *tf_return_object(struct tf_err *err, const char *entry_point, void *obj,
                       cl_int *errcode_ret)
{
    tf_report(err, entry_point);
    if (errcode_ret)
        *errcode_ret = err->code;
    return err->code ? NULL : obj;
}
