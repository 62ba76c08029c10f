// SPDX-License-Identifier: MIT
// Programs in an intermediate language (OpenCL 3.1 section 5.8.2), which is SPIR-V, and
// their specialization constants.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/platform/context.h"
#include "core/program/program.h"

static cl_int check_il(struct tf_err *err, cl_context ctx, const void *il,
                       size_t size_bytes)
{
    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, il && size_bytes > 0, CL_INVALID_VALUE, "no program");
    TF_REQUIRE(err, tf_program_il_support(ctx->device_count, ctx->devices),
               CL_INVALID_OPERATION, "no device has an intermediate language");
    return CL_SUCCESS;
}

static cl_program create(const char *entry_point, cl_context ctx, const void *il,
                         size_t size_bytes, cl_int *errcode_ret)
{
    struct tf_err err = {0};
    cl_program prog = NULL;

    if (!check_il(&err, ctx, il, size_bytes))
        tf_program_create_il(&err, ctx, il, size_bytes, &prog);
    return tf_return_object(&err, entry_point, prog, errcode_ret);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context,
                                                          const void *il, size_t length,
                                                          cl_int *errcode_ret)
{
    return create(__func__, context, il, length, errcode_ret);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context,
                                                             const void *il,
                                                             size_t length,
                                                             cl_int *errcode_ret)
{
    return create(__func__, context, il, length, errcode_ret);
}

static bool has_compiler(cl_program prog)
{
    for (cl_uint i = 0; i < prog->device_count; i++)
        if (prog->devices[i]->caps->compiler)
            return true;
    return false;
}

static cl_int check_constant(struct tf_err *err, cl_program prog, const void *value)
{
    if (check_program(err, prog))
        return err->code;
    TF_REQUIRE(err, prog->origin == TF_PROGRAM_IL, CL_INVALID_PROGRAM,
               "the program is not from an intermediate language");
    TF_REQUIRE(err, has_compiler(prog), CL_COMPILER_NOT_AVAILABLE,
               "no device of the program has a compiler");
    TF_REQUIRE(err, value, CL_INVALID_VALUE, "spec_value is NULL");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program,
                                                                   cl_uint spec_id,
                                                                   size_t spec_size,
                                                                   const void *spec_value)
{
    struct tf_err err = {0};

    if (!check_constant(&err, program, spec_value))
        tf_program_set_constant(&err, program, spec_id, spec_size, spec_value);
    return tf_report(&err, __func__);
}
