// SPDX-License-Identifier: MIT
// A program of the kind that people run under valgrind or build with the address
// sanitizer: memory of its own as buffers, callbacks, a native kernel, barriers that need
// fibers, printf and kernels that enqueue. Nothing here is wrong, but in the mode
//   wrong     a kernel reads one int past the program's memory
#include <stdatomic.h>
#include <string.h>

#include "acceptance.h"

enum { ITEMS = 512, GROUP = 64 };

static const char source[] =
    "kernel void shift(global int *a, local int *shared, int rounds) {\n"
    "  size_t l = get_local_id(0), n = get_local_size(0);\n"
    "  shared[l] = a[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = 0; i < rounds; i++) {\n"
    "    int big[32];\n"
    "    for (int j = 0; j < 32; j++) big[j] = shared[(l + j) % n];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    shared[l] = big[(l & 1) + i % 8];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i > 4) return;\n"
    "  }\n"
    "  a[get_global_id(0)] = shared[l];\n"
    "}\n"
    "kernel void say(global const int *a) {\n"
    "  if (get_global_id(0) == 3) printf(\"%s %d %v4f\\n\", \"said\", a[0], "
    "(float4)(1));\n"
    "}\n"
    "kernel void tree(global int *count, int depth) {\n"
    "  atomic_inc(count);\n"
    "  if (depth > 0)\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, "
    "ndrange_1D(2),\n"
    "                   ^{ atomic_inc(count); });\n"
    "}\n"
    "kernel void past(global int *a, global int *out) {\n"
    "  out[get_global_id(0)] = a[get_global_id(0) + 1] + 1;\n"
    "}\n";

static atomic_int seen;

static void CL_CALLBACK count_event(cl_event event, cl_int status, void *arg)
{
    int numbers[16];

    (void)event;
    for (int i = 0; i < 16; i++)
        numbers[i] = status + i;
    atomic_fetch_add((atomic_int *)arg, numbers[3] == 3);
}

static void CL_CALLBACK native(void *args)
{
    int *memory = *(int **)args;
    int copy[ITEMS];

    memcpy(copy, memory, sizeof(copy));
    for (int i = 0; i < ITEMS; i++)
        memory[i] = copy[ITEMS - 1 - i];
}

static void run(const struct acceptance_cl *cl, cl_kernel kernel, size_t global)
{
    const size_t local = global < GROUP ? global : GROUP;
    cl_event event;

    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &global, &local, 0, NULL,
                              &event));
    OK(clSetEventCallback(event, CL_COMPLETE, count_event, &seen));
    OK(clReleaseEvent(event));
    OK(clReleaseKernel(kernel));
}

static void shift(const struct acceptance_cl *cl, cl_program program, cl_mem mem,
                  int rounds)
{
    const cl_kernel kernel = acceptance_kernel(program, "shift");

    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    OK(clSetKernelArg(kernel, 1, GROUP * sizeof(int), NULL));
    OK(clSetKernelArg(kernel, 2, sizeof(rounds), &rounds));
    run(cl, kernel, ITEMS);
}

static void tree(const struct acceptance_cl *cl, cl_program program, cl_mem mem)
{
    const cl_kernel kernel = acceptance_kernel(program, "tree");
    const int depth = 1;

    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    OK(clSetKernelArg(kernel, 1, sizeof(depth), &depth));
    run(cl, kernel, 4);
}

static void say(const struct acceptance_cl *cl, cl_program program, cl_mem mem)
{
    const cl_kernel kernel = acceptance_kernel(program, "say");

    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    run(cl, kernel, GROUP);
}

static void reverse(const struct acceptance_cl *cl, cl_mem mem)
{
    void *args = &mem, *place = &args;

    OK(clEnqueueNativeKernel(cl->queue, native, place, sizeof(void *), 1, &mem,
                             (const void **)&place, 0, NULL, NULL));
}

static int first_int(const struct acceptance_cl *cl, cl_mem mem)
{
    int value;

    OK(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, sizeof(value), &value, 0, NULL,
                           NULL));
    return value;
}

static void read_past(const struct acceptance_cl *cl, cl_program program, cl_mem mem)
{
    const cl_kernel kernel = acceptance_kernel(program, "past");
    cl_int code;
    const cl_mem out =
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE, ITEMS * sizeof(int), NULL, &code);

    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
    run(cl, kernel, ITEMS);
    OK(clFinish(cl->queue));
    OK(clReleaseMemObject(out));
}

int main(int argc, char **argv)
{
    static const char options[] = "-cl-std=CL3.0";
    struct acceptance_cl cl = acceptance_open();
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                 CL_QUEUE_ON_DEVICE |
                                                 CL_QUEUE_ON_DEVICE_DEFAULT,
                                             0};
    const char *text = source;
    int *host = malloc(ITEMS * sizeof(int));
    cl_int code;
    const cl_command_queue device_queue =
        clCreateCommandQueueWithProperties(cl.context, cl.device, on_device, &code);
    cl_program program;
    cl_mem mem;
    int before;

    OK(code);
    EXPECT(host);
    for (int i = 0; i < ITEMS; i++)
        host[i] = i;
    program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 1, &cl.device, options, NULL, NULL));
    mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                         ITEMS * sizeof(int), host, &code);
    OK(code);
    shift(&cl, program, mem, 3);
    reverse(&cl, mem);
    shift(&cl, program, mem, 7);
    say(&cl, program, mem);
    before = first_int(&cl, mem);
    tree(&cl, program, mem);
    EXPECT(first_int(&cl, mem) == before + 4 + 2 * 4);
    if (argc > 1 && !strcmp(argv[1], "wrong"))
        read_past(&cl, program, mem);
    OK(clReleaseMemObject(mem));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(device_queue));
    acceptance_close(&cl);
    free(host);
    return 0;
}
