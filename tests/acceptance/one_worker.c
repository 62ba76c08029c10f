// SPDX-License-Identifier: MIT
// With one worker thread: enqueue and flush never run a kernel, so a kernel may wait for
// the host, and both return at once while a long kernel runs.
#include "acceptance.h"

#include <stdatomic.h>

#define AT_ONCE_S 0.05
#define LONG_KERNEL_S 2.0

static const char source[] =
    "kernel void wait_for_host(global volatile int *flag, global int *out)\n"
    "{\n"
    "    while (atomic_add(flag, 0) == 0)\n"
    "        ;\n"
    "    out[0] = flag[0];\n"
    "}\n"
    "kernel void spin(global uint *p, ulong n)\n"
    "{\n"
    "    uint x = p[0];\n"
    "    for (ulong i = 0; i < n; i++)\n"
    "        x = x * 1664525u + (uint)(x >> 7) + 1013904223u;\n"
    "    p[0] = x;\n"
    "}\n";

static const size_t one = 1;

static void enqueue(const struct acceptance_cl *cl, cl_kernel kernel)
{
    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
}

static void host_sets_flag(const struct acceptance_cl *cl, cl_program program)
{
    static _Alignas(4096) cl_int memory[1024];
    cl_kernel kernel = acceptance_kernel(program, "wait_for_host");
    cl_int code, result = 0;
    cl_mem flag = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                 sizeof(memory), memory, &code);
    OK(code);
    cl_mem out =
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE, sizeof(result), NULL, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(flag), &flag));
    OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
    volatile cl_int *mapped =
        clEnqueueMapBuffer(cl->queue, flag, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           sizeof(memory), 0, NULL, NULL, &code);
    OK(code);
    enqueue(cl, kernel);
    OK(clFlush(cl->queue));
    acceptance_sleep_s(0.1); // the kernel runs by now
    __atomic_store_n(mapped, 42, __ATOMIC_SEQ_CST);
    OK(clFinish(cl->queue));
    OK(clEnqueueReadBuffer(cl->queue, out, CL_TRUE, 0, sizeof(result), &result, 0, NULL,
                           NULL));
    printf("flag seen by the kernel: %d\n", result);
    EXPECT(result == 42);
    OK(clEnqueueUnmapMemObject(cl->queue, flag, (void *)mapped, 0, NULL, NULL));
    OK(clFinish(cl->queue));
    OK(clReleaseMemObject(flag));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

// Time that the kernel takes for n rounds.
static double spin_s(const struct acceptance_cl *cl, cl_kernel kernel, cl_ulong n)
{
    OK(clSetKernelArg(kernel, 1, sizeof(n), &n));
    const double start = acceptance_now_s();
    enqueue(cl, kernel);
    OK(clFinish(cl->queue));
    return acceptance_now_s() - start;
}

static void calls_return_at_once(const struct acceptance_cl *cl, cl_program program)
{
    cl_kernel kernel = acceptance_kernel(program, "spin");
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    spin_s(cl, kernel, 1000); // code is ready from here on
    cl_ulong n = 10000000;
    n = (cl_ulong)((double)n * LONG_KERNEL_S / spin_s(cl, kernel, n));
    OK(clSetKernelArg(kernel, 1, sizeof(n), &n));

    const double start = acceptance_now_s();
    enqueue(cl, kernel);
    const double enqueued = acceptance_now_s();
    OK(clFlush(cl->queue));
    const double flushed = acceptance_now_s();
    acceptance_sleep_s(0.2); // in the middle of the kernel
    const double again = acceptance_now_s();
    enqueue(cl, kernel);
    OK(clFlush(cl->queue));
    const double returned = acceptance_now_s();
    OK(clFinish(cl->queue));
    const double done = acceptance_now_s();

    printf("enqueue %.2f ms, flush %.2f ms, both during the kernel %.2f ms, 2 kernels "
           "%.2f s\n",
           (enqueued - start) * 1e3, (flushed - enqueued) * 1e3, (returned - again) * 1e3,
           done - start);
    EXPECT(enqueued - start < AT_ONCE_S);
    EXPECT(flushed - enqueued < AT_ONCE_S);
    EXPECT(returned - again < AT_ONCE_S);
    EXPECT(done - start > LONG_KERNEL_S); // or the kernel was no long one
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
}

int main(void)
{
    struct acceptance_cl cl = acceptance_open();
    cl_program program = acceptance_build(&cl, source);

    host_sets_flag(&cl, program);
    calls_return_at_once(&cl, program);
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
