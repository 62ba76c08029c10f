// SPDX-License-Identifier: MIT
// With one worker thread: enqueue and flush never run a kernel, so a kernel may wait for
// the host, and both return while one runs. A call that ran it would not return at all.
#include "acceptance.h"

#define LIMIT_S 100

static const char source[] =
    "kernel void wait_for_host(global volatile int *flag, global int *out)\n"
    "{\n"
    "    while (atomic_add(flag, 0) == 0)\n"
    "        ;\n"
    "    out[0] = flag[0];\n"
    "}\n";

static const size_t one = 1;

static cl_event enqueue(const struct acceptance_cl *cl, cl_kernel kernel)
{
    cl_event event;

    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    OK(clFlush(cl->queue));
    return event;
}

static cl_int status_of(cl_event event)
{
    cl_int status;

    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                      NULL));
    return status;
}

static void wait_until_it_runs(cl_event event)
{
    const double end_s = acceptance_now_s() + LIMIT_S;

    while (status_of(event) > CL_RUNNING && acceptance_now_s() < end_s)
        acceptance_sleep_s(0.001);
    EXPECT(status_of(event) == CL_RUNNING);
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
    cl_event first = enqueue(cl, kernel);
    wait_until_it_runs(first);
    cl_event second = enqueue(cl, kernel); // while the first one runs
    EXPECT(status_of(first) == CL_RUNNING && status_of(second) > CL_COMPLETE);
    __atomic_store_n(mapped, 42, __ATOMIC_SEQ_CST);
    OK(clFinish(cl->queue));
    OK(clEnqueueReadBuffer(cl->queue, out, CL_TRUE, 0, sizeof(result), &result, 0, NULL,
                           NULL));
    printf("flag seen by the kernel: %d\n", result);
    EXPECT(result == 42);
    OK(clEnqueueUnmapMemObject(cl->queue, flag, (void *)mapped, 0, NULL, NULL));
    OK(clFinish(cl->queue));
    OK(clReleaseEvent(first));
    OK(clReleaseEvent(second));
    OK(clReleaseMemObject(flag));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

int main(void)
{
    struct acceptance_cl cl = acceptance_open();
    cl_program program = acceptance_build(&cl, source);

    host_sets_flag(&cl, program);
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
