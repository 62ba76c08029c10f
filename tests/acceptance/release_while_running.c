// SPDX-License-Identifier: MIT
// Everything may be released while a kernel that uses it runs: buffers, queue, kernel,
// program, context, events, in any order. The kernel ends and its callback comes.
#include "acceptance.h"

#include <stdatomic.h>

#define ROUNDS 40

static const char source[] =
    "kernel void work(global int *p, int n)\n"
    "{\n"
    "    local int t[16];\n"
    "    int x = p[get_global_id(0)];\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        t[get_local_id(0)] = x;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        x = t[15 - get_local_id(0)] * 1664525 + 1013904223;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    p[get_global_id(0)] = x;\n"
    "}\n";

static atomic_int called;

static void CL_CALLBACK completed(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)data;
    EXPECT(status == CL_COMPLETE);
    atomic_fetch_add(&called, 1);
}

// The objects of one round; order says which is released at what turn.
struct round {
    struct acceptance_cl cl;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
    cl_event first, last;
};

static void release_one(struct round *r, unsigned which)
{
    switch (which) {
    case 0:
        OK(clReleaseCommandQueue(r->cl.queue));
        break;
    case 1:
        OK(clReleaseKernel(r->kernel));
        break;
    case 2:
        OK(clReleaseProgram(r->program));
        break;
    case 3:
        OK(clReleaseMemObject(r->buffer));
        break;
    case 4:
        OK(clReleaseEvent(r->first));
        break;
    case 5:
        OK(clReleaseEvent(r->last));
        break;
    default:
        OK(clReleaseContext(r->cl.context));
    }
}

static void run_round(unsigned start)
{
    struct round r = {.cl = acceptance_open()};
    const cl_int n = 20;
    const size_t size = 1024, group = 16;
    cl_int code;

    r.program = acceptance_build(&r.cl, source);
    r.kernel = acceptance_kernel(r.program, "work");
    r.buffer = clCreateBuffer(r.cl.context, CL_MEM_READ_WRITE, size * sizeof(cl_int),
                              NULL, &code);
    OK(code);
    OK(clSetKernelArg(r.kernel, 0, sizeof(cl_mem), &r.buffer));
    OK(clSetKernelArg(r.kernel, 1, sizeof(n), &n));
    OK(clEnqueueNDRangeKernel(r.cl.queue, r.kernel, 1, NULL, &size, &group, 0, NULL,
                              &r.first));
    OK(clEnqueueNDRangeKernel(r.cl.queue, r.kernel, 1, NULL, &size, &group, 1, &r.first,
                              &r.last));
    OK(clSetEventCallback(r.last, CL_COMPLETE, completed, NULL));
    OK(clFlush(r.cl.queue));
    for (unsigned k = 0; k < 7; k++)
        release_one(&r, (start + k * 3) % 7);
}

int main(void)
{
    const int rounds = acceptance_sanitized() ? ROUNDS / 4 : ROUNDS;

    for (int round = 0; round < rounds; round++)
        run_round((unsigned)round);
    for (int wait = 0; atomic_load(&called) < rounds && wait < 10000; wait++)
        acceptance_sleep_s(0.01);
    printf("%d of %d callbacks\n", atomic_load(&called), rounds);
    EXPECT(atomic_load(&called) == rounds);
    return EXIT_SUCCESS;
}
