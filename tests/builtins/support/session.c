// SPDX-License-Identifier: MIT
#include "builtins/support/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#define OK(call)                                                        \
    do {                                                                \
        cl_int status_ = (call);                                        \
        ck_assert_msg(status_ == CL_SUCCESS, "%s: %d", #call, status_); \
    } while (0)

void session_open(struct session *s)
{
    cl_platform_id platform;
    cl_int status;

    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s->device, NULL));
    s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &status);
    OK(status);
    s->queue = clCreateCommandQueueWithProperties(s->context, s->device, NULL, &status);
    OK(status);
}

void session_close(struct session *s)
{
    OK(clReleaseCommandQueue(s->queue));
    OK(clReleaseContext(s->context));
}

bool session_has_double(const struct session *s)
{
    cl_device_fp_config config = 0;

    OK(clGetDeviceInfo(s->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config,
                       NULL));
    return config != 0;
}

bool session_has_half(const struct session *s)
{
    char extensions[16384] = "";

    OK(clGetDeviceInfo(s->device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions,
                       NULL));
    return strstr(extensions, "cl_khr_fp16") != NULL;
}

bool session_has(const struct session *s, const char *type)
{
    if (!strncmp(type, "double", 6))
        return session_has_double(s);
    return strncmp(type, "half", 4) != 0 || session_has_half(s);
}

cl_program session_build(struct session *s, const char *source)
{
    return session_build_with(s, source, "");
}

cl_program session_build_with(struct session *s, const char *source, const char *options)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(s->context, 1, &source, NULL, &status);
    char log[8192] = "", all[256];

    OK(status);
    snprintf(all, sizeof all, "-cl-std=CL3.0 %s", options);
    status = clBuildProgram(program, 1, &s->device, all, NULL, NULL);
    if (status != CL_SUCCESS) {
        clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                              log, NULL);
        ck_abort_msg("clBuildProgram: %d\n%s\n%.2000s", status, log, source);
    }
    return program;
}

cl_mem session_buffer(struct session *s, const void *data, size_t bytes)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(s->context, data ? CL_MEM_COPY_HOST_PTR : 0, bytes,
                                   (void *)data, &status);

    OK(status);
    return buffer;
}

void session_read(struct session *s, cl_mem buffer, void *data, size_t bytes)
{
    OK(clEnqueueReadBuffer(s->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

void session_write(struct session *s, cl_mem buffer, const void *data, size_t bytes)
{
    OK(clEnqueueWriteBuffer(s->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

void session_run_list(struct session *s, cl_program program, const char *kernel_name,
                      size_t items, size_t local_items, const cl_mem *buffers)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, kernel_name, &status);

    ck_assert_msg(status == CL_SUCCESS, "clCreateKernel(%s): %d", kernel_name, status);
    for (cl_uint i = 0; buffers[i]; i++)
        OK(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
    OK(clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &items,
                              local_items ? &local_items : NULL, 0, NULL, NULL));
    OK(clFinish(s->queue));
    OK(clReleaseKernel(kernel));
}

void session_run(struct session *s, cl_program program, const char *kernel, size_t items,
                 ...)
{
    enum { MOST = 16 };
    cl_mem buffers[MOST + 1] = {0};
    va_list list;

    va_start(list, items);
    for (int i = 0; (buffers[i] = va_arg(list, cl_mem)); i++)
        ck_assert_int_lt(i, MOST);
    va_end(list);
    session_run_list(s, program, kernel, items, 0, buffers);
}
