// SPDX-License-Identifier: MIT
// Building, compiling and linking programs.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/program/api_program.h"
#include "core/platform/context.h"
#include "core/program/program_build.h"

static cl_int check_notify(struct tf_err *err, tf_build_fn notify, const void *data)
{
    TF_REQUIRE(err, notify || !data, CL_INVALID_VALUE,
               "user_data is set but pfn_notify is NULL");
    return CL_SUCCESS;
}

static cl_int check_build(struct tf_err *err, cl_program prog,
                          const struct tf_build_desc *desc)
{
    if (check_program(err, prog) || check_running(err) ||
        check_device_list(err, desc->device_count, desc->devices) ||
        check_notify(err, desc->notify, desc->notify_data) ||
        check_program_devices(err, prog, desc->device_count, desc->devices))
        return err->code;
    TF_REQUIRE(err, prog->origin != TF_PROGRAM_LINKED, CL_INVALID_OPERATION,
               "the program was made by clLinkProgram");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(
    cl_program program, cl_uint num_devices, const cl_device_id *device_list,
    const char *options,
    void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data)
{
    const struct tf_build_desc desc = {.options = options,
                                       .device_count = num_devices,
                                       .devices = device_list,
                                       .notify = pfn_notify,
                                       .notify_data = user_data};
    struct tf_err err = {0};

    if (!check_build(&err, program, &desc))
        tf_program_build(&err, program, &desc);
    return tf_report(&err, __func__);
}

static cl_int check_headers(struct tf_err *err, const struct tf_build_desc *desc)
{
    TF_REQUIRE(
        err,
        desc->header_count > 0 ? desc->headers && desc->header_names
                               : !desc->headers && !desc->header_names,
        CL_INVALID_VALUE,
        "num_input_headers is %u: input_headers and header_include_names do not fit",
        desc->header_count);
    for (cl_uint i = 0; i < desc->header_count; i++) {
        if (check_program(err, desc->headers[i]))
            return err->code;
        TF_REQUIRE(err, desc->headers[i]->obj.ctx == err->ctx, CL_INVALID_CONTEXT,
                   "input_headers[%u] belongs to another context", i);
        TF_REQUIRE(err, desc->header_names[i], CL_INVALID_VALUE,
                   "header_include_names[%u] is NULL", i);
        TF_REQUIRE(err, desc->headers[i]->source, CL_INVALID_OPERATION,
                   "input_headers[%u] has no source", i);
    }
    return CL_SUCCESS;
}

static cl_int check_compile(struct tf_err *err, cl_program prog,
                            const struct tf_build_desc *desc)
{
    if (check_program(err, prog) || check_running(err) ||
        check_device_list(err, desc->device_count, desc->devices) ||
        (!prog->il && check_headers(err, desc)) ||
        check_notify(err, desc->notify, desc->notify_data) ||
        check_program_devices(err, prog, desc->device_count, desc->devices))
        return err->code;
    TF_REQUIRE(err, prog->source || prog->il, CL_INVALID_OPERATION,
               "the program has no source");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clCompileProgram(
    cl_program program, cl_uint num_devices, const cl_device_id *device_list,
    const char *options, cl_uint num_input_headers, const cl_program *input_headers,
    const char **header_include_names,
    void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data)
{
    const struct tf_build_desc desc = {.options = options,
                                       .device_count = num_devices,
                                       .devices = device_list,
                                       .header_count = num_input_headers,
                                       .headers = input_headers,
                                       .header_names = header_include_names,
                                       .notify = pfn_notify,
                                       .notify_data = user_data};
    struct tf_err err = {0};

    if (!check_compile(&err, program, &desc))
        tf_program_compile(&err, program, &desc);
    return tf_report(&err, __func__);
}

static cl_int check_link(struct tf_err *err, cl_context ctx,
                         const struct tf_link_desc *desc)
{
    if (check_context(err, ctx) ||
        check_device_list(err, desc->device_count, desc->devices))
        return err->code;
    TF_REQUIRE(err, desc->input_count > 0 && desc->inputs, CL_INVALID_VALUE,
               "no input programs");
    for (cl_uint i = 0; i < desc->input_count; i++) {
        if (check_program(err, desc->inputs[i]))
            return err->code;
        TF_REQUIRE(err, desc->inputs[i]->obj.ctx == ctx, CL_INVALID_CONTEXT,
                   "input_programs[%u] belongs to another context", i);
    }
    if (check_notify(err, desc->notify, desc->notify_data))
        return err->code;
    return check_context_devices(err, ctx, desc->device_count, desc->devices);
}

// The one entry point that may hand out an object and an error: a program whose link
// failed has a log.
CL_API_ENTRY cl_program CL_API_CALL clLinkProgram(
    cl_context context, cl_uint num_devices, const cl_device_id *device_list,
    const char *options, cl_uint num_input_programs, const cl_program *input_programs,
    void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
    cl_int *errcode_ret)
{
    struct tf_link_desc desc = {.options = options,
                                .device_count = num_devices,
                                .devices = device_list,
                                .input_count = num_input_programs,
                                .inputs = input_programs,
                                .notify = pfn_notify,
                                .notify_data = user_data};
    struct tf_err err = {0};
    cl_program prog = NULL;

    if (!check_link(&err, context, &desc)) {
        if (!desc.devices) {
            desc.device_count = context->device_count;
            desc.devices = context->devices;
        }
        tf_program_link(&err, context, &desc, &prog);
    }
    tf_return_object(&err, __func__, prog, errcode_ret);
    return prog;
}

static cl_int check_platform(struct tf_err *err, cl_platform_id platform)
{
    TF_REQUIRE(err, tf_object_ok(platform, &tf_class_platform), CL_INVALID_PLATFORM,
               "not a platform");
    return CL_SUCCESS;
}

// A hint. The compiler library stays: what it has built may still be on some thread's
// way.
CL_API_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform)
{
    struct tf_err err = {0};

    check_platform(&err, platform);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadCompiler(void)
{
    return CL_SUCCESS;
}
