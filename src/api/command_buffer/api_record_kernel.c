// SPDX-License-Identifier: MIT
// Kernels in command buffers: recording, updating and asking for them.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command_buffer/api_record.h"
#include "api/program/api_kernel.h"
#include "core/platform/device_caps.h"

#define ALL_FIELDS                                                                 \
    (CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | \
     CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |      \
     CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

static cl_int check_asserts(struct tf_err *err, const struct tf_record *record,
                            const struct tf_ndrange_desc *desc)
{
    const cl_mutable_dispatch_asserts_khr known =
        CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    const cl_mutable_dispatch_asserts_khr given =
        tf_props_value(record->properties, CL_MUTABLE_DISPATCH_ASSERTS_KHR, 0);

    TF_REQUIRE(err, !(given & ~known), CL_INVALID_VALUE, "asserts 0x%llx",
               (unsigned long long)given);
    TF_REQUIRE(err, desc->local_size || !((given | record->buffer->asserts) & known),
               CL_INVALID_VALUE,
               "no more work-groups are asserted, but there is no local size");
    return CL_SUCCESS;
}

static cl_int check_record_kernel(struct tf_err *err, struct tf_record *record,
                                  cl_kernel kernel, const struct tf_ndrange_desc *desc,
                                  cl_mutable_dispatch_fields_khr *fields)
{
    const uint64_t name = CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR;

    *fields = tf_props_value(record->properties, name, ALL_FIELDS);
    record->recorder.args_may_lack = tf_props_has(record->properties, name) &&
                                     *fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
    TF_REQUIRE(err, !(*fields & ~(cl_mutable_dispatch_fields_khr)ALL_FIELDS),
               CL_INVALID_VALUE, "fields 0x%llx", (unsigned long long)*fields);
    if (check_asserts(err, record, desc) || check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, kernel->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
               "the kernel belongs to another context than the command buffer");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    const size_t *local_work_size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    const struct tf_ndrange_desc desc = {.work_dim = work_dim,
                                         .global_offset = global_work_offset,
                                         .global_size = global_work_size,
                                         .local_size = local_work_size};
    struct tf_record record = RECORDED;
    cl_mutable_dispatch_fields_khr fields;
    struct tf_err err = {0};
    struct tf_launch launch;
    struct tf_enqueue at;

    if (!check_record(&err, command_queue, true, &record, &at) &&
        !check_record_kernel(&err, &record, kernel, &desc, &fields) &&
        !tf_launch_take(&err, &at, CL_COMMAND_NDRANGE_KERNEL, kernel, &desc, &launch))
        tf_record_kernel(&err, &at, &record, kernel, &desc, &launch, fields);
    return tf_report(&err, __func__);
}

// ---- Updating ----

// What clSetKernelExecInfo demands: nothing of it is kept.
static cl_int check_exec_infos(struct tf_err *err, cl_command_buffer_khr buffer,
                               const cl_mutable_dispatch_config_khr *config)
{
    const cl_mutable_command_khr command = config->command;
    const struct tf_recorded_kernel *kernel;

    if (!config->exec_info_list || !tf_object_ok(command, &tf_class_mutable_command) ||
        command->buffer != buffer)
        return CL_SUCCESS; // there are no such values, or the update refuses it
    kernel = buffer->recorded[command->index].kernel;
    for (cl_uint i = 0; i < config->num_exec_infos; i++) {
        const cl_mutable_dispatch_exec_info_khr *info = &config->exec_info_list[i];

        if (check_exec_info(err, kernel->given, info->param_name, info->param_value_size,
                            info->param_value))
            return err->code;
        TF_REQUIRE(err, info->param_name != CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL,
                   CL_INVALID_OPERATION,
                   "recorded kernels have no concurrent work-groups");
    }
    return CL_SUCCESS;
}

static cl_int check_update(struct tf_err *err, cl_command_buffer_khr buffer,
                           cl_uint count, const cl_command_buffer_update_type_khr *types,
                           const void **configs)
{
    if (check_command_buffer(err, buffer))
        return err->code;
    TF_REQUIRE(err,
               tf_command_buffer_state(buffer) != CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
               CL_INVALID_OPERATION, "the command buffer is not finalized");
    TF_REQUIRE(err, buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR, CL_INVALID_OPERATION,
               "the command buffer is not mutable");
    TF_REQUIRE(err, (count == 0) == (types == NULL), CL_INVALID_VALUE,
               "config_types is %s but num_configs is %u", types ? "set" : "NULL", count);
    TF_REQUIRE(err, (count == 0) == (configs == NULL), CL_INVALID_VALUE,
               "configs is %s but num_configs is %u", configs ? "set" : "NULL", count);
    for (cl_uint i = 0; i < count; i++) {
        TF_REQUIRE(err, types[i] == CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR,
                   CL_INVALID_VALUE, "config_types[%u] is %u", i, types[i]);
        TF_REQUIRE(err, configs[i], CL_INVALID_VALUE, "configs[%u] is NULL", i);
        if (check_exec_infos(err, buffer, configs[i]))
            return err->code;
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clUpdateMutableCommandsKHR(
    cl_command_buffer_khr command_buffer, cl_uint num_configs,
    const cl_command_buffer_update_type_khr *config_types, const void **configs)
{
    struct tf_err err;

    tf_err_begin(&err);
    if (!check_update(&err, command_buffer, num_configs, config_types, configs) &&
        num_configs > 0)
        tf_command_buffer_update(&err, command_buffer, num_configs,
                                 (const cl_mutable_dispatch_config_khr *const *)configs);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clGetMutableCommandInfoKHR(
    cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    if (!tf_err_hold(&err, command, &tf_class_mutable_command,
                     CL_INVALID_MUTABLE_COMMAND_KHR) &&
        !check_command_buffer(&err, command->buffer))
        tf_mutable_command_get_info(&err, command, param_name, param_value_size,
                                    param_value, param_value_size_ret);
    return tf_report(&err, __func__);
}
