// SPDX-License-Identifier: MIT
#include "core/command_buffer/command_buffer.h"
#include "core/object/error.h"
#include "core/object/info.h"

static cl_int put_queues(struct tf_err *err, cl_command_buffer_khr buffer,
                         const struct tf_info *info)
{
    const size_t bytes = buffer->queue_count * sizeof(cl_command_queue);

    if (info->value && info->size < bytes)
        return tf_fail(err, CL_INVALID_VALUE, "param_value_size is %zu, %zu needed",
                       info->size, bytes);
    for (cl_uint i = 0; info->value && i < buffer->queue_count; i++)
        ((cl_command_queue *)info->value)[i] = buffer->queues[i].queue;
    if (info->size_ret)
        *info->size_ret = bytes;
    return CL_SUCCESS;
}

cl_int tf_command_buffer_get_info(struct tf_err *err, cl_command_buffer_khr buffer,
                                  cl_command_buffer_info_khr param, size_t size,
                                  void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
        return tf_info_scalar(err, &info, cl_uint, buffer->queue_count);
    case CL_COMMAND_BUFFER_QUEUES_KHR:
        return put_queues(err, buffer, &info);
    case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(buffer));
    case CL_COMMAND_BUFFER_STATE_KHR:
        return tf_info_scalar(err, &info, cl_command_buffer_state_khr,
                              tf_command_buffer_state(buffer));
    case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
        return tf_props_put(err, &info, &buffer->props);
    case CL_COMMAND_BUFFER_CONTEXT_KHR:
        return tf_info_scalar(err, &info, cl_context, buffer->obj.ctx);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}

// What only kernels have: nothing for other commands.
static cl_int put_kernel(struct tf_err *err, const struct tf_recorded_kernel *kernel,
                         cl_mutable_command_info_khr param, const struct tf_info *info)
{
    const size_t bytes = kernel ? kernel->desc.work_dim * sizeof(size_t) : 0;

    if (!kernel)
        return tf_info_value(err, info, NULL, 0);
    switch (param) {
    case CL_MUTABLE_DISPATCH_KERNEL_KHR:
        return tf_info_scalar(err, info, cl_kernel, kernel->given);
    case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:
        return tf_info_scalar(err, info, cl_uint, kernel->desc.work_dim);
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
        return tf_info_value(err, info, kernel->global_offset, bytes);
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
        return tf_info_value(err, info, kernel->global_size, bytes);
    default:
        return tf_info_value(err, info, kernel->local_size, bytes);
    }
}

cl_int tf_mutable_command_get_info(struct tf_err *err, cl_mutable_command_khr command,
                                   cl_mutable_command_info_khr param, size_t size,
                                   void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    cl_command_buffer_khr buffer = command->buffer;
    struct tf_recorded recorded;

    tf_lock(&buffer->lock); // recording may move the list
    recorded = buffer->recorded[command->index];
    tf_unlock(&buffer->lock);
    switch (param) {
    case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:
        return tf_info_scalar(err, &info, cl_command_queue,
                              buffer->queues[recorded.queue_index].queue);
    case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:
        return tf_info_scalar(err, &info, cl_command_buffer_khr, buffer);
    case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:
        return tf_info_scalar(err, &info, cl_command_type, recorded.ev->type);
    case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR:
        return tf_props_put(err, &info, &recorded.props);
    case CL_MUTABLE_DISPATCH_KERNEL_KHR:
    case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
    case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
        return put_kernel(err, recorded.kernel, param, &info);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}
