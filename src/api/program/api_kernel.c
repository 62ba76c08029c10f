// SPDX-License-Identifier: MIT
// Making kernels and setting their arguments.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/memory/api_mem.h"
#include "api/program/api_kernel.h"
#include "core/memory/mem.h"
#include "core/platform/device.h"
#include "core/program/kernel.h"
#include "core/schedule/queue.h"

// Arguments that are addresses of the host.
static cl_int check_addresses(struct tf_err *err, cl_command_queue q, cl_kernel kernel)
{
    if (tf_queue_device(q)->caps->svm)
        return CL_SUCCESS;
    for (cl_uint i = 0; i < kernel->info->arg_count; i++)
        TF_REQUIRE(err, !kernel->args[i].is_address, CL_INVALID_OPERATION,
                   "argument %u is an address, the queue's device has no SVM", i);
    return CL_SUCCESS;
}

static cl_int check_queue_kernel(struct tf_err *err, cl_command_queue q, cl_kernel kernel)
{
    if (check_queue(err, q) || check_kernel(err, kernel))
        return err->code;
    // Before the executable: a device of another context never has one.
    TF_REQUIRE(err, kernel->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the kernel belongs to another context than the queue");
    TF_REQUIRE(err, tf_kernel_on(kernel, tf_queue_device(q)),
               CL_INVALID_PROGRAM_EXECUTABLE,
               "the program is not built for the queue's device");
    for (cl_uint i = 0; i < kernel->info->arg_count; i++)
        TF_REQUIRE(err, tf_kernel_arg_usable(kernel, i), CL_INVALID_KERNEL_ARGS,
                   "argument %u of %s is %s", i, kernel->info->name,
                   kernel->args[i].set ? "a released object" : "not set");
    return check_addresses(err, q, kernel);
}

cl_int check_launch(struct tf_err *err, cl_command_queue q, cl_kernel kernel,
                    const struct tf_ndrange_desc *desc, struct tf_ndrange *range)
{
    const struct tf_kernel_device *on;

    if (check_queue_kernel(err, q, kernel))
        return err->code;
    on = tf_kernel_on(kernel, tf_queue_device(q));
    return tf_ndrange_resolve(err, tf_queue_device(q)->dev, tf_kernel_device_info(on),
                              desc, range);
}

cl_int check_kernel_alignment(struct tf_err *err, cl_command_queue q, cl_kernel kernel)
{
    for (cl_uint i = 0; i < kernel->info->arg_count; i++)
        TF_REQUIRE(
            err,
            tf_mem_origin_suits(kernel->args[i].origin_bytes, tf_queue_device(q)->dev),
            CL_MISALIGNED_SUB_BUFFER_OFFSET, "argument %u: sub-buffer at %zu", i,
            kernel->args[i].origin_bytes);
    return CL_SUCCESS;
}

static cl_int check_kernel_name(struct tf_err *err, cl_program prog, const char *name)
{
    if (check_program(err, prog))
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

    if (!check_program(&err, program) &&
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

    if (!check_kernel(&err, source_kernel))
        tf_kernel_clone(&err, source_kernel, &kernel);
    return tf_return_object(&err, __func__, kernel, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel)
{
    struct tf_err err = {0};

    tf_object_retain(&err, kernel, &tf_class_kernel);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel)
{
    struct tf_err err = {0};

    tf_object_release(&err, kernel, &tf_class_kernel);
    return tf_report(&err, __func__);
}

cl_int check_arg_index(struct tf_err *err, cl_kernel kernel, cl_uint index)
{
    if (check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, index < kernel->info->arg_count, CL_INVALID_ARG_INDEX,
               "argument %u of %u", index, kernel->info->arg_count);
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
