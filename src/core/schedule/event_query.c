// SPDX-License-Identifier: MIT
#include "core/object/error.h"
#include "core/object/info.h"
#include "core/schedule/event.h"

cl_int tf_event_get_info(struct tf_err *err, cl_event ev, cl_event_info param,
                         size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_EVENT_COMMAND_QUEUE:
        return tf_info_scalar(err, &info, cl_command_queue,
                              ev->spans_queues ? NULL : ev->home.queue);
    case CL_EVENT_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, ev->obj.ctx);
    case CL_EVENT_COMMAND_TYPE:
        return tf_info_scalar(err, &info, cl_command_type, ev->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return tf_info_scalar(err, &info, cl_int, tf_event_status(ev));
    case CL_EVENT_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(ev));
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}

cl_int tf_event_get_profiling(struct tf_err *err, cl_event ev, cl_profiling_info param,
                              size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    cl_int status;
    cl_ulong ns = 0;

    if (!ev->home.profiles)
        return tf_fail(err, CL_PROFILING_INFO_NOT_AVAILABLE, "%s",
                       ev->home.queue ? "the queue does not profile" : "user event");
    if (param < CL_PROFILING_COMMAND_QUEUED || param > CL_PROFILING_COMMAND_COMPLETE)
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    status = atomic_load(&ev->status);
    if (status != CL_COMPLETE)
        return tf_fail(err, CL_PROFILING_INFO_NOT_AVAILABLE, "event status is %d",
                       status);
    if (param == CL_PROFILING_COMMAND_COMPLETE) // no command has children
        param = CL_PROFILING_COMMAND_END;
    ns = ev->time_ns[param - CL_PROFILING_COMMAND_QUEUED];
    return tf_info_value(err, &info, &ns, sizeof(ns));
}
