// SPDX-License-Identifier: MIT
// Making programs.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/program/api_program.h"
#include "core/platform/context.h"
#include "core/program/program.h"

cl_int check_device_list(struct tf_err *err, cl_uint count, const cl_device_id *devices)
{
    TF_REQUIRE(err, (count == 0) == (devices == NULL), CL_INVALID_VALUE,
               "device_list is %s but num_devices is %u", devices ? "set" : "NULL",
               count);
    return CL_SUCCESS;
}

cl_int check_program_devices(struct tf_err *err, cl_program prog, cl_uint count,
                             const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        TF_REQUIRE(err, tf_program_device_index(prog, devices[i]) < prog->device_count,
                   CL_INVALID_DEVICE, "device_list[%u] is not the program's", i);
    return CL_SUCCESS;
}

cl_int check_context_devices(struct tf_err *err, cl_context ctx, cl_uint count,
                             const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        TF_REQUIRE(err, tf_context_has_device(ctx, devices[i]), CL_INVALID_DEVICE,
                   "device_list[%u] is not the context's", i);
    return CL_SUCCESS;
}

static cl_int check_source(struct tf_err *err, cl_context ctx,
                           const struct tf_source_desc *desc)
{
    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, desc->count > 0 && desc->strings, CL_INVALID_VALUE, "no strings");
    for (cl_uint i = 0; i < desc->count; i++)
        TF_REQUIRE(err, desc->strings[i], CL_INVALID_VALUE, "strings[%u] is NULL", i);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context,
                                                              cl_uint count,
                                                              const char **strings,
                                                              const size_t *lengths,
                                                              cl_int *errcode_ret)
{
    const struct tf_source_desc desc = {
        .count = count, .strings = strings, .lengths = lengths};
    struct tf_err err = {0};
    cl_program prog = NULL;

    if (!check_source(&err, context, &desc))
        tf_program_create_source(&err, context, &desc, &prog);
    return tf_return_object(&err, __func__, prog, errcode_ret);
}

static bool has_binary(const struct tf_binary_desc *desc, cl_uint i)
{
    return desc->lengths[i] > 0 && desc->binaries[i];
}

// Says for each device whether there is a binary to look at.
static void note_missing_binaries(const struct tf_binary_desc *desc)
{
    for (cl_uint i = 0; desc->status && i < desc->device_count; i++)
        desc->status[i] = has_binary(desc, i) ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int check_binaries(struct tf_err *err, cl_context ctx,
                             const struct tf_binary_desc *desc)
{
    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, desc->device_count > 0 && desc->devices, CL_INVALID_VALUE,
               "no devices");
    if (check_context_devices(err, ctx, desc->device_count, desc->devices))
        return err->code;
    TF_REQUIRE(err, desc->lengths && desc->binaries, CL_INVALID_VALUE, "no binaries");
    note_missing_binaries(desc);
    for (cl_uint i = 0; i < desc->device_count; i++)
        TF_REQUIRE(err, has_binary(desc, i), CL_INVALID_VALUE, "binaries[%u] is empty",
                   i);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(
    cl_context context, cl_uint num_devices, const cl_device_id *device_list,
    const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,
    cl_int *errcode_ret)
{
    const struct tf_binary_desc desc = {.device_count = num_devices,
                                        .devices = device_list,
                                        .lengths = lengths,
                                        .binaries = binaries,
                                        .status = binary_status};
    struct tf_err err = {0};
    cl_program prog = NULL;

    if (!check_binaries(&err, context, &desc))
        tf_program_create_binary(&err, context, &desc, &prog);
    return tf_return_object(&err, __func__, prog, errcode_ret);
}

// No device has built-in kernels, so no name can be right.
static cl_int check_built_in(struct tf_err *err, cl_context ctx, cl_uint count,
                             const cl_device_id *devices, const char *names)
{
    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, count > 0 && devices, CL_INVALID_VALUE, "no devices");
    TF_REQUIRE(err, names, CL_INVALID_VALUE, "kernel_names is NULL");
    if (check_context_devices(err, ctx, count, devices))
        return err->code;
    return tf_fail(err, CL_INVALID_VALUE, "no device has built-in kernels");
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(
    cl_context context, cl_uint num_devices, const cl_device_id *device_list,
    const char *kernel_names, cl_int *errcode_ret)
{
    struct tf_err err = {0};

    check_built_in(&err, context, num_devices, device_list, kernel_names);
    return tf_return_object(&err, __func__, NULL, errcode_ret);
}
