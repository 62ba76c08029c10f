// SPDX-License-Identifier: MIT
// Queries of kernels.
#include "api/dispatch.h"

#include <string.h>

#include "api/api_common.h"
#include "api/program/api_kernel.h"
#include "core/program/kernel_query.h"
#include "core/schedule/queue.h"

static cl_int check_arg_query(struct tf_err *err, cl_kernel kernel, cl_uint index)
{
    if (check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, index < kernel->info->arg_count, CL_INVALID_ARG_INDEX,
               "argument %u of %s, which has %u from 0 on", index, kernel->info->name,
               kernel->info->arg_count);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index,
                                                   cl_kernel_arg_info param_name,
                                                   size_t param_value_size,
                                                   void *param_value,
                                                   size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    if (!check_arg_query(&err, kernel, arg_index))
        tf_kernel_get_arg_info(&err, kernel, arg_index, param_name, param_value_size,
                               param_value, param_value_size_ret);
    return tf_report(&err, __func__);
}

// The kernel on `device`; no device is right where there is only one.
static const struct tf_kernel_device *kernel_on(cl_kernel kernel, cl_device_id device)
{
    if (!device && kernel->program->device_count == 1)
        device = kernel->program->devices[0];
    return device ? tf_kernel_on(kernel, device) : NULL;
}

static cl_int check_group_query(struct tf_err *err, cl_kernel kernel, cl_device_id device)
{
    if (check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, kernel_on(kernel, device), CL_INVALID_DEVICE,
               "the device is not the kernel's");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(
    cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    if (!check_group_query(&err, kernel, device))
        tf_kernel_get_group_info(&err, kernel, kernel_on(kernel, device), param_name,
                                 param_value_size, param_value, param_value_size_ret);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(
    cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
    size_t input_value_size, const void *input_value, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
    const struct tf_sub_group_query query = {param_name, input_value_size, input_value};
    struct tf_err err = {0};

    if (!check_group_query(&err, kernel, device))
        tf_kernel_get_sub_group_info(&err, kernel_on(kernel, device), &query,
                                     param_value_size, param_value, param_value_size_ret);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(
    cl_kernel in_kernel, cl_device_id in_device, cl_kernel_sub_group_info param_name,
    size_t input_value_size, const void *input_value, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
    return clGetKernelSubGroupInfo(in_kernel, in_device, param_name, input_value_size,
                                   input_value, param_value_size, param_value,
                                   param_value_size_ret);
}

static cl_int check_suggestion(struct tf_err *err, const struct tf_ndrange_desc *desc,
                               const struct tf_launch *launch, const size_t *suggested)
{
    TF_REQUIRE(err, desc->global_size, CL_INVALID_GLOBAL_WORK_SIZE,
               "global_work_size is NULL");
    TF_REQUIRE(err, !launch->range.empty, CL_INVALID_GLOBAL_WORK_SIZE,
               "a global size is 0");
    TF_REQUIRE(err, suggested, CL_INVALID_VALUE, "suggested_local_work_size is NULL");
    return CL_SUCCESS;
}

// The size that a launch without one would get: of such a launch, given up.
static void suggest_local_size(struct tf_err *err, cl_command_queue q, cl_kernel kernel,
                               const struct tf_ndrange_desc *desc, size_t *suggested)
{
    const struct tf_enqueue at = {.queue = q};
    struct tf_launch launch;

    if (check_launch(err, &at, CL_COMMAND_NDRANGE_KERNEL, kernel, desc, &launch))
        return;
    if (!check_suggestion(err, desc, &launch, suggested))
        memcpy(suggested, launch.range.local_size, desc->work_dim * sizeof(*suggested));
    tf_launch_drop(&launch);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size)
{
    const struct tf_ndrange_desc desc = {.work_dim = work_dim,
                                         .global_offset = global_work_offset,
                                         .global_size = global_work_size};
    struct tf_err err = {0};

    suggest_local_size(&err, command_queue, kernel, &desc, suggested_local_work_size);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size)
{
    return clGetKernelSuggestedLocalWorkSize(command_queue, kernel, work_dim,
                                             global_work_offset, global_work_size,
                                             suggested_local_work_size);
}

// With one group, and whatever its arguments are.
static cl_int most_groups(struct tf_err *err, cl_command_queue queue, cl_kernel kernel,
                          const struct tf_ndrange_desc *desc, size_t *most)
{
    const struct tf_kernel_device *on;
    struct tf_ndrange range;

    if (check_queue(err, queue) || check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, kernel->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the kernel belongs to another context than the queue");
    on = tf_kernel_on(kernel, tf_queue_device(queue));
    TF_REQUIRE(err, on, CL_INVALID_PROGRAM_EXECUTABLE,
               "the program is not built for the queue's device");
    TF_REQUIRE(err, desc->local_size, CL_INVALID_WORK_GROUP_SIZE,
               "local_work_size is NULL");
    if (tf_ndrange_resolve(err, tf_queue_device(queue)->dev, tf_kernel_device_info(on),
                           desc, &range))
        return err->code;
    TF_REQUIRE(err, most, CL_INVALID_VALUE, "max_work_group_count is NULL");
    *most = tf_launch_most_groups(queue, tf_kernel_device_info(on));
    TF_REQUIRE(err, *most > 0, CL_INVALID_OPERATION,
               "the device runs no work-groups concurrently");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelMaxConcurrentWorkGroupCountINTEL(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *local_work_size,
    size_t *max_work_group_count)
{
    const struct tf_ndrange_desc desc = {.work_dim = work_dim,
                                         .global_offset = global_work_offset,
                                         .global_size = local_work_size,
                                         .local_size = local_work_size};
    struct tf_err err = {0};

    most_groups(&err, command_queue, kernel, &desc, max_work_group_count);
    return tf_report(&err, __func__);
}
