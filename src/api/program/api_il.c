// SPDX-License-Identifier: MIT
// Programs in an intermediate language (OpenCL 3.1 §5.8.2). No device reads one yet.
#include "api/dispatch.h"

#include "api/api_common.h"

static cl_int check_il(struct tf_err *err, cl_context ctx, const void *il,
                       size_t size_bytes)
{
    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, il && size_bytes > 0, CL_INVALID_VALUE, "no program");
    return tf_fail(err, CL_INVALID_OPERATION, "no device has an intermediate language");
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context,
                                                          const void *il, size_t length,
                                                          cl_int *errcode_ret)
{
    struct tf_err err = {0};

    check_il(&err, context, il, length);
    return tf_return_object(&err, __func__, NULL, errcode_ret);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context,
                                                             const void *il,
                                                             size_t length,
                                                             cl_int *errcode_ret)
{
    return clCreateProgramWithIL(context, il, length, errcode_ret);
}

// There are no specialization constants without an intermediate language.
static cl_int check_constant(struct tf_err *err, cl_program prog)
{
    if (check_program(err, prog))
        return err->code;
    return tf_fail(err, CL_INVALID_OPERATION, "no device has an intermediate language");
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program,
                                                                   cl_uint spec_id,
                                                                   size_t spec_size,
                                                                   const void *spec_value)
{
    struct tf_err err = {0};

    (void)spec_id, (void)spec_size, (void)spec_value;
    check_constant(&err, program);
    return tf_report(&err, __func__);
}
