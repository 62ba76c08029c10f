// SPDX-License-Identifier: MIT
// Entry points of OpenCL 1.0 that no later version kept, beyond those that stand beside
// their successors.
#include "api/dispatch.h"

#include "api/api_common.h"

static cl_int check_set_property(struct tf_err *err, cl_command_queue q)
{
    if (check_queue(err, q))
        return err->code;
    return tf_fail(err, CL_INVALID_OPERATION,
                   "no device can change the properties of a queue");
}

// OpenCL 3.0 §5.1: the error where no device of the context can do it.
CL_API_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(
    cl_command_queue command_queue, cl_command_queue_properties properties,
    cl_bool enable, cl_command_queue_properties *old_properties)
{
    struct tf_err err = {0};

    (void)properties, (void)enable, (void)old_properties;
    check_set_property(&err, command_queue);
    return tf_report(&err, __func__);
}
