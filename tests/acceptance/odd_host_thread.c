// SPDX-License-Identifier: MIT
// A host thread with a stack of 64 KiB, rounding upward and floating-point traps on calls
// clFinish and may run work-groups in it: the results are right, its settings unchanged.
#include "acceptance.h"

#include <fenv.h>
#include <pthread.h>

#define COUNT 4096
#define STACK_BYTES (64 * 1024)

static const char source[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "kernel void thirds(global const float *in, global float *out)\n"
    "{\n"
    "    local float t[64];\n"
    "    float own[256];\n" // together far more than the caller's stack
    "    for (int n = 0; n < 256; n++)\n"
    "        own[(n * 7) % 256] = in[get_global_id(0)] * n;\n"
    "    t[get_local_id(0)] = own[255];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float zero = own[0], x = t[get_local_id(0)];\n"
    "    out[get_global_id(0)] = (zero / zero == 0.0f) ? -1.0f : in[get_global_id(0)] * "
    "0.1f + x * 0.0f;\n"
    "}\n";

static struct acceptance_cl cl;
static float in[COUNT], out[COUNT];

static void *run(void *unused)
{
    const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
    cl_program program = acceptance_build(&cl, source);
    cl_kernel kernel = acceptance_kernel(program, "thirds");
    const size_t size = COUNT, group = 64;
    cl_int code;
    cl_mem buffers[2];

    for (int n = 0; n < 2; n++) {
        buffers[n] = clCreateBuffer(
            cl.context, n ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
            sizeof(in), n ? NULL : in, &code);
        OK(code);
        OK(clSetKernelArg(kernel, (cl_uint)n, sizeof(cl_mem), &buffers[n]));
    }
    EXPECT(fesetround(FE_UPWARD) == 0);
    feclearexcept(FE_ALL_EXCEPT);
    EXPECT(feenableexcept(traps) != -1);
    for (int n = 0; n < 20; n++) {
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, &group, 0, NULL,
                                  NULL));
        OK(clFinish(cl.queue));
        EXPECT(fegetround() == FE_UPWARD);
        EXPECT(fegetexcept() == traps);
    }
    OK(clEnqueueReadBuffer(cl.queue, buffers[1], CL_TRUE, 0, sizeof(out), out, 0, NULL,
                           NULL));
    EXPECT(fegetround() == FE_UPWARD && fegetexcept() == traps);
    for (int n = 0; n < 2; n++)
        OK(clReleaseMemObject(buffers[n]));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    return unused;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    cl = acceptance_open();
    for (int n = 0; n < COUNT; n++)
        in[n] = (float)(n + 1) / 3.0f;
    EXPECT(pthread_attr_init(&attributes) == 0);
    EXPECT(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    EXPECT(pthread_create(&thread, &attributes, run, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
    for (int n = 0; n < COUNT; n++) {
        volatile float expected = in[n] * 0.1f; // rounded to nearest, as this thread does
        if (out[n] != expected) {
            fprintf(stderr, "out[%d]: got %.9g, expected %.9g\n", n, (double)out[n],
                    (double)expected);
            return EXIT_FAILURE;
        }
    }
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
