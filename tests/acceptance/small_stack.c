// SPDX-License-Identifier: MIT
// A host thread with a stack of 16 KiB, the least that the system allows, may make every
// call that an application makes: context, build, kernel, queries, commands, binaries.
#include "acceptance.h"

#include <limits.h>
#include <pthread.h>

#define COUNT 4096
#define STACK_BYTES (16 * 1024)
#define INFO_BYTES 65536

static const char source[] =
    "kernel void twice(global const int *in, global int *out, local int *t)\n"
    "{\n"
    "    t[get_local_id(0)] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = 2 * t[get_local_id(0)];\n"
    "}\n";

static cl_int in[COUNT], out[COUNT];
static char info[INFO_BYTES];

static void query(const struct acceptance_cl *cl, cl_program program, cl_kernel kernel)
{
    static const cl_device_info device_infos[] = {
        CL_DEVICE_NAME,
        CL_DEVICE_EXTENSIONS,
        CL_DEVICE_EXTENSIONS_WITH_VERSION,
        CL_DEVICE_OPENCL_C_FEATURES,
        CL_DEVICE_ILS_WITH_VERSION,
        CL_DEVICE_GLOBAL_MEM_SIZE,
        CL_DEVICE_MAX_CLOCK_FREQUENCY,
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION};
    size_t local;

    for (size_t i = 0; i < sizeof(device_infos) / sizeof(*device_infos); i++)
        OK(clGetDeviceInfo(cl->device, device_infos[i], sizeof(info), info, NULL));
    OK(clGetPlatformInfo(cl->platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof(info),
                         info, NULL));
    OK(clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof(info),
                             info, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(info), info, NULL));
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(info), info, NULL));
    OK(clGetKernelWorkGroupInfo(kernel, cl->device, CL_KERNEL_WORK_GROUP_SIZE,
                                sizeof(local), &local, NULL));
}

static void build_from_binary(const struct acceptance_cl *cl, cl_program program)
{
    unsigned char *binary;
    size_t bytes;
    cl_program again;
    cl_int status, code;

    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
    binary = malloc(bytes);
    EXPECT(binary != NULL);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
    again = clCreateProgramWithBinary(cl->context, 1, &cl->device, &bytes,
                                      (const unsigned char **)&binary, &status, &code);
    OK(code);
    OK(clBuildProgram(again, 1, &cl->device, "", NULL, NULL));
    OK(clReleaseProgram(again));
    free(binary);
}

static void launch(const struct acceptance_cl *cl, cl_kernel kernel)
{
    const size_t size = COUNT, group = 64;
    cl_mem buffers[2];
    cl_int code;

    for (int n = 0; n < 2; n++) {
        buffers[n] = clCreateBuffer(
            cl->context, n ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
            sizeof(in), n ? NULL : in, &code);
        OK(code);
        OK(clSetKernelArg(kernel, (cl_uint)n, sizeof(cl_mem), &buffers[n]));
    }
    OK(clSetKernelArg(kernel, 2, group * sizeof(cl_int), NULL));
    for (int n = 0; n < 20; n++) {
        OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &size, &group, 0, NULL,
                                  NULL));
        OK(clFinish(cl->queue));
    }
    OK(clEnqueueReadBuffer(cl->queue, buffers[1], CL_TRUE, 0, sizeof(out), out, 0, NULL,
                           NULL));
    for (int n = 0; n < 2; n++)
        OK(clReleaseMemObject(buffers[n]));
}

static void *run(void *unused)
{
    struct acceptance_cl cl = acceptance_open();
    cl_program program = acceptance_build(&cl, source);
    cl_kernel kernel = acceptance_kernel(program, "twice");

    query(&cl, program, kernel);
    launch(&cl, kernel);
    build_from_binary(&cl, program);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
    return unused;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    (void)acceptance_find(); // the loader's own start is not what is looked at
    for (int n = 0; n < COUNT; n++)
        in[n] = n;
    EXPECT(pthread_attr_init(&attributes) == 0);
    EXPECT(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    EXPECT(pthread_create(&thread, &attributes, run, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
    for (int n = 0; n < COUNT; n++)
        EXPECT(out[n] == 2 * n);
    return EXIT_SUCCESS;
}
