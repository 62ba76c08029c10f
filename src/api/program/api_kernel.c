// SPDX-License-Identifier: MIT
// Making kernels and setting their arguments.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/program/api_kernel.h"

cl_int check_launch(struct tf_err *err, const struct tf_enqueue *at, cl_command_type type,
                    cl_kernel kernel, const struct tf_ndrange_desc *desc,
                    struct tf_launch *out)
{
    if (check_queue(err, at->queue) || check_kernel(err, kernel))
        return err->code;
    // Before the executable: a device of another context never has one.
    TF_REQUIRE(err, kernel->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the kernel belongs to another context than the queue");
    if (check_wait_list(err, err->ctx, at->dep_count, at->deps))
        return err->code;
    return tf_launch_take(err, at, type, kernel, desc, out);
}

static cl_int check_kernel_name(struct tf_err *err, cl_program prog, const char *name)
{
    if (check_program(err, prog) || check_running(err))
        return err->code;
    TF_REQUIRE(err, name, CL_INVALID_VALUE, "kernel_name is NULL");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program,
                                                  const char *kernel_name,
                                                  cl_int *errcode_ret)
{
    struct tf_err err = {0};
    cl_kernel kernel = NULL;

    if (!check_kernel_name(&err, program, kernel_name))
        tf_kernel_create(&err, program, kernel_name, &kernel);
    return tf_return_object(&err, __func__, kernel, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program,
                                                         cl_uint num_kernels,
                                                         cl_kernel *kernels,
                                                         cl_uint *num_kernels_ret)
{
    struct tf_err err = {0};
    cl_uint count = 0;

    if (!check_program(&err, program) && !check_running(&err) &&
        !tf_kernel_create_all(&err, program, num_kernels, kernels, &count) &&
        num_kernels_ret)
        *num_kernels_ret = count;
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel,
                                                 cl_int *errcode_ret)
{
    struct tf_err err = {0};
    cl_kernel kernel = NULL;

    if (!check_kernel(&err, source_kernel) && !check_running(&err))
        tf_kernel_clone(&err, source_kernel, &kernel);
    return tf_return_object(&err, __func__, kernel, errcode_ret);
}

cl_int check_arg_index(struct tf_err *err, cl_kernel kernel, cl_uint index)
{
    if (check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, index < kernel->info->arg_count, CL_INVALID_ARG_INDEX,
               "argument %u of %s, which has %u from 0 on", index, kernel->info->name,
               kernel->info->arg_count);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index,
                                               size_t arg_size, const void *arg_value)
{
    struct tf_err err;

    tf_err_begin(&err);
    if (!check_arg_index(&err, kernel, arg_index))
        tf_kernel_arg_set(&err, kernel, arg_index, arg_size, arg_value);
    return tf_report(&err, __func__);
}
