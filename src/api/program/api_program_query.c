// SPDX-License-Identifier: MIT
// Queries of programs and their builds.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/program/program_query.h"

static cl_int check_build_query(struct tf_err *err, cl_program prog, cl_device_id device)
{
    if (check_program(err, prog))
        return err->code;
    TF_REQUIRE(err, tf_program_device_index(prog, device) < prog->device_count,
               CL_INVALID_DEVICE, "the device is not the program's");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(
    cl_program program, cl_device_id device, cl_program_build_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    if (!check_build_query(&err, program, device))
        tf_program_get_build_info(&err, program, tf_program_device_index(program, device),
                                  param_name, param_value_size, param_value,
                                  param_value_size_ret);
    return tf_report(&err, __func__);
}
