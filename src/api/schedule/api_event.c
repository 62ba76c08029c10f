// SPDX-License-Identifier: MIT
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/schedule/event.h"

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context,
                                                    cl_int *errcode_ret)
{
    struct tf_err err = {0};
    cl_event ev = NULL;

    if (!check_context(&err, context)) {
        ev = tf_event_new_user(context);
        if (ev)
            tf_give_user(ev);
        else
            tf_fail(&err, CL_OUT_OF_HOST_MEMORY, "user event");
    }
    return tf_return_object(&err, __func__, ev, errcode_ret);
}

static cl_int check_user_status(struct tf_err *err, cl_event event, cl_int status)
{
    if (check_event(err, event))
        return err->code;
    TF_REQUIRE(err, event->type == CL_COMMAND_USER, CL_INVALID_EVENT, "not a user event");
    TF_REQUIRE(err, status <= CL_COMPLETE, CL_INVALID_VALUE, "execution_status is %d",
               status);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event,
                                                     cl_int execution_status)
{
    struct tf_err err = {0};

    if (!check_user_status(&err, event, execution_status) &&
        !tf_event_finish(event, execution_status))
        tf_fail(&err, CL_INVALID_OPERATION, "the status was set before");
    return tf_report(&err, __func__);
}

static cl_int check_callback(struct tf_err *err, cl_event event, cl_int type,
                             tf_event_cb callback)
{
    if (check_event(err, event))
        return err->code;
    TF_REQUIRE(err, callback, CL_INVALID_VALUE, "pfn_notify is NULL");
    TF_REQUIRE(err, type == CL_SUBMITTED || type == CL_RUNNING || type == CL_COMPLETE,
               CL_INVALID_VALUE, "command_exec_callback_type is %d", type);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetEventCallback(
    cl_event event, cl_int command_exec_callback_type,
    void(CL_CALLBACK *pfn_notify)(cl_event event, cl_int event_command_status,
                                  void *user_data),
    void *user_data)
{
    struct tf_err err = {0};

    if (!check_callback(&err, event, command_exec_callback_type, pfn_notify))
        tf_event_add_callback(&err, event, command_exec_callback_type, pfn_notify,
                              user_data);
    return tf_report(&err, __func__);
}
