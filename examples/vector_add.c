// SPDX-License-Identifier: MIT
// The smallest whole OpenCL program: adds two vectors and checks the sum.
//   cc vector_add.c -lOpenCL && ./a.out
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

#define COUNT 1000000

static const char source[] =
    "kernel void add(global const float *a, global const float *b, global float *c)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    static float a[COUNT], b[COUNT], c[COUNT];
    const char *text = source;
    const size_t bytes = sizeof(a), global_size = COUNT;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;

    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code, "clCreateCommandQueueWithProperties");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "add", &code);
    check(code, "clCreateKernel");

    cl_mem buffer_a =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &code);
    check(code, "clCreateBuffer");
    cl_mem buffer_b =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b, &code);
    check(code, "clCreateBuffer");
    cl_mem buffer_c = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer_a), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffer_b), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &buffer_c), "clSetKernelArg");
    check(
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global_size, NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer_c, CL_TRUE, 0, bytes, c, 0, NULL, NULL),
          "clEnqueueReadBuffer");

    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += c[i] != a[i] + b[i];
    printf("%d of %d sums are right\n", COUNT - wrong, COUNT);

    clReleaseMemObject(buffer_a);
    clReleaseMemObject(buffer_b);
    clReleaseMemObject(buffer_c);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
