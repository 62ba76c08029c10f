// SPDX-License-Identifier: MIT
// Programs whose traces check_trace.py reads: what they did is known.
//   work      two kernels on two queues, one waits for the other, and a read that waits
//             for both
//   launches  100,000 of one kernel
//   fork      as work, and a child does it, too
//   limit     launches, where no file may grow past 64 KiB
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acceptance.h"

enum { ITEMS = 1 << 14 };

static const char source[] =
    "kernel void first(global uint *a) { a[get_global_id(0)] = get_global_id(0); }\n"
    "kernel void second(global uint *a) {\n"
    "  uint x = a[get_global_id(0)];\n"
    "  for (int i = 0; i < 100; i++) x = x * 1664525u + 1013904223u;\n"
    "  a[get_global_id(0)] = x;\n"
    "}\n";

static cl_event launch(cl_command_queue queue, cl_program program, const char *name,
                       cl_mem mem, cl_uint waits, const cl_event *list)
{
    const size_t global = ITEMS, local = 64;
    const cl_kernel kernel = acceptance_kernel(program, name);
    cl_event done;

    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, waits, list,
                              &done));
    OK(clReleaseKernel(kernel));
    return done;
}

static void work(void)
{
    static cl_uint host[ITEMS];
    const cl_queue_properties wanted[] = {CL_QUEUE_PROPERTIES,
                                          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    struct acceptance_cl cl = acceptance_open();
    const cl_program program = acceptance_build(&cl, source);
    cl_event events[2];
    cl_int code;
    const cl_command_queue other =
        clCreateCommandQueueWithProperties(cl.context, cl.device, wanted, &code);
    const cl_mem mem =
        clCreateBuffer(cl.context, CL_MEM_READ_WRITE, sizeof(host), NULL, &code);

    OK(code);
    events[0] = launch(cl.queue, program, "first", mem, 0, NULL);
    events[1] = launch(other, program, "second", mem, 1, events);
    OK(clEnqueueReadBuffer(other, mem, CL_TRUE, 0, sizeof(host), host, 2, events, NULL));
    EXPECT(clEnqueueReadBuffer(other, mem, CL_TRUE, 0, sizeof(host) + 1, host, 0, NULL,
                               NULL) == CL_INVALID_VALUE);
    EXPECT(host[1] != 1);
    OK(clReleaseEvent(events[0]));
    OK(clReleaseEvent(events[1]));
    OK(clReleaseMemObject(mem));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(other));
    acceptance_close(&cl);
}

static void launches(int count)
{
    struct acceptance_cl cl = acceptance_open();
    const cl_program program = acceptance_build(&cl, source);
    const cl_kernel kernel = acceptance_kernel(program, "first");
    const size_t global = 64, local = 64;
    cl_int code;
    const cl_mem mem =
        clCreateBuffer(cl.context, CL_MEM_READ_WRITE, 4 * ITEMS, NULL, &code);

    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    for (int i = 0; i < count; i++)
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL,
                                  NULL));
    OK(clFinish(cl.queue));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    if (!strcmp(argv[1], "limit"))
        OK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){65536, 65536}));
    if (!strcmp(argv[1], "launches") || !strcmp(argv[1], "limit"))
        launches(argv[1][1] == 'a' ? 100000 : 5000);
    else
        work();
    if (!strcmp(argv[1], "fork")) {
        const pid_t child = fork();
        int status;

        EXPECT(child >= 0);
        if (child == 0) {
            work();
            exit(0);
        }
        EXPECT(waitpid(child, &status, 0) == child);
        EXPECT(status == 0);
    }
    return 0;
}
