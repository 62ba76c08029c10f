// SPDX-License-Identifier: MIT
// Entry points that later versions did not keep, beyond those that stand beside their
// successors.
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

static cl_int check_release_callback(struct tf_err *err, cl_program prog,
                                     void(CL_CALLBACK *fn)(cl_program, void *))
{
    if (check_program(err, prog))
        return err->code;
    TF_REQUIRE(err, fn, CL_INVALID_VALUE, "pfn_notify is NULL");
    return tf_fail(err, CL_INVALID_OPERATION,
                   "no device has initializer kernels of SPIR-V 1.2");
}

// OpenCL 2.2 only, for initializer and clean-up kernels of SPIR-V (OpenCL 3.1 appendix B:
// the error). Objects of C++ for OpenCL do without.
CL_API_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(
    cl_program program,
    void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data)
{
    struct tf_err err = {0};

    (void)user_data;
    check_release_callback(&err, program, pfn_notify);
    return tf_report(&err, __func__);
}
