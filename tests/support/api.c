// SPDX-License-Identifier: MIT
#include "support/api.h"

struct tf_api tf_api;

static cl_command_queue make_queue(cl_context ctx)
{
    cl_int code;
    cl_command_queue q =
        clCreateCommandQueue(ctx, tf_api.device, CL_QUEUE_PROFILING_ENABLE, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return q;
}

cl_context tf_api_context(void)
{
    cl_int code;
    cl_context ctx = clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return ctx;
}

void tf_api_begin(void)
{
    ck_assert_int_eq(clGetPlatformIDs(1, &tf_api.platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(
        clGetDeviceIDs(tf_api.platform, CL_DEVICE_TYPE_ALL, 1, &tf_api.device, NULL),
        CL_SUCCESS);
    tf_api.ctx = tf_api_context();
    tf_api.other_ctx = tf_api_context();
    tf_api.q = make_queue(tf_api.ctx);
    tf_api.other_q = make_queue(tf_api.other_ctx);
}

void tf_api_end(void)
{
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(tf_api.other_q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(tf_api.ctx), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(tf_api.other_ctx), CL_SUCCESS);
}

static cl_mem make_buffer(cl_context ctx, cl_mem_flags flags, size_t size, void *host_ptr)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(ctx, flags, size, host_ptr, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_nonnull(mem);
    return mem;
}

cl_mem tf_api_buffer(cl_mem_flags flags, size_t size, void *host_ptr)
{
    return make_buffer(tf_api.ctx, flags, size, host_ptr);
}

cl_mem tf_api_other_buffer(size_t size)
{
    return make_buffer(tf_api.other_ctx, 0, size, NULL);
}

cl_program tf_api_program(const char *source, const char *options)
{
    cl_int code;
    cl_program prog = clCreateProgramWithSource(tf_api.ctx, 1, &source, NULL, &code);
    static char log[4000];

    ck_assert_int_eq(code, CL_SUCCESS);
    code = clBuildProgram(prog, 0, NULL, options, NULL, NULL);
    if (code != CL_SUCCESS)
        clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                              NULL);
    ck_assert_msg(code == CL_SUCCESS, "build: %d\n%s", code, log);
    return prog;
}

cl_kernel tf_api_kernel(cl_program prog, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(prog, name, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_nonnull(kernel);
    return kernel;
}

void tf_api_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    ck_assert_int_eq(clSetKernelArg(kernel, index, size, value), CL_SUCCESS);
}

void tf_api_read(cl_mem mem, size_t offset, size_t size, void *to)
{
    ck_assert_int_eq(
        clEnqueueReadBuffer(tf_api.q, mem, CL_TRUE, offset, size, to, 0, NULL, NULL),
        CL_SUCCESS);
}

static cl_event make_event(cl_context ctx)
{
    cl_int code;
    cl_event ev = clCreateUserEvent(ctx, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return ev;
}

cl_event tf_api_other_event(void)
{
    cl_event ev = make_event(tf_api.other_ctx);

    ck_assert_int_eq(clSetUserEventStatus(ev, CL_COMPLETE), CL_SUCCESS);
    return ev;
}

cl_event tf_api_user_event(void)
{
    return make_event(tf_api.ctx);
}

cl_int tf_api_event_status(cl_event ev)
{
    cl_int status = 99;

    ck_assert_int_eq(clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                                    &status, NULL),
                     CL_SUCCESS);
    return status;
}

cl_command_type tf_api_event_type(cl_event ev)
{
    cl_command_type type = 0;

    ck_assert_int_eq(clGetEventInfo(ev, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
                     CL_SUCCESS);
    return type;
}
