// SPDX-License-Identifier: MIT
// What the entry points share: the checks of handles and wait lists and the handing out
// of results. A check that accepts a handle holds the object until the call's report
// (tf_err_hold); that of the first one sets err->ctx.
#ifndef TF_API_API_COMMON_H
#define TF_API_API_COMMON_H

#include <CL/cl.h>
#include <CL/cl_trefoil.h>

#include "core/object/error.h"
#include "core/object/object.h"
#include "core/platform/report_error.h"

// CL_SUCCESS, or the class's error recorded in err.
// check_context: and it has not been terminated (CL_CONTEXT_TERMINATED_KHR), which
// queries and what releases something do not ask for.
cl_int check_context(struct tf_err *err, cl_context ctx);
cl_int check_any_context(struct tf_err *err, cl_context ctx);
// That of a handle which has been checked has not been terminated. For calls that make
// objects; those that enqueue commands need not ask (tf_queue_new_command).
cl_int check_running(struct tf_err *err);
cl_int check_device(struct tf_err *err, cl_device_id dev);
cl_int check_device_type(struct tf_err *err, cl_device_type type); // api_device.c
cl_int check_queue(struct tf_err *err, cl_command_queue q);        // on the host
cl_int check_any_queue(struct tf_err *err, cl_command_queue q);
cl_int check_event(struct tf_err *err, cl_event ev);
cl_int check_mem(struct tf_err *err, cl_mem mem);
cl_int check_program(struct tf_err *err, cl_program prog);
cl_int check_kernel(struct tf_err *err, cl_kernel kernel);
cl_int check_command_buffer(struct tf_err *err, cl_command_buffer_khr buffer);
cl_int check_sampler(struct tf_err *err, cl_sampler sampler);
cl_int check_semaphore(struct tf_err *err, cl_semaphore_khr sema);

// event_wait_list rules of every clEnqueue* (OpenCL 3.1 §5.11):
// CL_INVALID_EVENT_WAIT_LIST, and CL_INVALID_CONTEXT for an event of a context other than
// ctx.
cl_int check_wait_list(struct tf_err *err, cl_context ctx, cl_uint n,
                       const cl_event *list);
// A wait list that was checked: no event of it has failed yet. For the few commands that
// are refused then; the others fail when their turn comes.
cl_int check_none_failed(struct tf_err *err, cl_uint n, const cl_event *list);

// Reports err once; stores the code through errcode_ret (may be NULL); returns obj, or
// NULL if err holds an error. obj must already be the user's handle.
void *tf_return_object(struct tf_err *err, const char *entry_point, void *obj,
                       cl_int *errcode_ret);

#endif // TF_API_API_COMMON_H
