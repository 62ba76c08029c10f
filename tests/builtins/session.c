// SPDX-License-Identifier: MIT
#include "session.h"

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

cl_program session_build(struct session *s, const char *source)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(s->context, 1, &source, NULL, &status);
    char log[8192] = "";

    OK(status);
    status = clBuildProgram(program, 1, &s->device, "-cl-std=CL3.0", NULL, NULL);
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

void session_run(struct session *s, cl_program program, const char *kernel_name,
                 size_t items, ...)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, kernel_name, &status);
    cl_mem buffer;
    va_list list;

    ck_assert_msg(status == CL_SUCCESS, "clCreateKernel(%s): %d", kernel_name, status);
    va_start(list, items);
    for (cl_uint i = 0; (buffer = va_arg(list, cl_mem)); i++)
        OK(clSetKernelArg(kernel, i, sizeof buffer, &buffer));
    va_end(list);
    OK(clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(s->queue));
    OK(clReleaseKernel(kernel));
}
