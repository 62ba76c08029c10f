// SPDX-License-Identifier: MIT
// Programs whose traces check_trace.py reads: what they did is known.
//   work      two kernels on two queues, one waits for the other, and a read that waits
//             for both
//   launches  100,000 of one kernel
//   fork      as work, and a child does it, too
//   nested    a command buffer of a fill, two kernels and a copy, replayed three times,
//             one kernel of which enqueues two more; then that kernel by itself
//   limit     launches, where no file may grow past 64 KiB
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "acceptance.h"

enum { ITEMS = 1 << 14 };

static const char source[] =
    "kernel void first(global uint *a) { a[get_global_id(0)] = get_global_id(0); }\n"
    "kernel void second(global uint *a) {\n"
    "  uint x = a[get_global_id(0)];\n"
    "  for (int i = 0; i < 100; i++) x = x * 1664525u + 1013904223u;\n"
    "  a[get_global_id(0)] = x;\n"
    "}\n";

static const char nested_source[] =
    "kernel void plain(global uint *a) { a[get_global_id(0)] += 1; }\n"
    "kernel void parent(global uint *a) {\n"
    "  if (get_global_id(0) == 0)\n"
    "    for (int i = 0; i < 2; i++)\n"
    "      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "                     ndrange_1D(32, 8), ^{ atomic_inc(a); });\n"
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

// ---- Commands in commands ----

// As the newest headers have them: those of the system may be older, without properties.
typedef cl_int(CL_API_CALL *fill_fn)(cl_command_buffer_khr, cl_command_queue,
                                     const void *properties, cl_mem, const void *, size_t,
                                     size_t, size_t, cl_uint, const cl_sync_point_khr *,
                                     cl_sync_point_khr *, void *);
typedef cl_int(CL_API_CALL *copy_fn)(cl_command_buffer_khr, cl_command_queue,
                                     const void *properties, cl_mem, cl_mem, size_t,
                                     size_t, size_t, cl_uint, const cl_sync_point_khr *,
                                     cl_sync_point_khr *, void *);
#define ADDRESS(name) clGetExtensionFunctionAddressForPlatform(cl.platform, #name)
#define CALL(name) ((name##_fn)ADDRESS(name))

static cl_mem new_buffer(const struct acceptance_cl *cl, size_t bytes)
{
    cl_int code;
    const cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);

    OK(code);
    return mem;
}

static void nested(void)
{
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                 CL_QUEUE_ON_DEVICE |
                                                 CL_QUEUE_ON_DEVICE_DEFAULT,
                                             0};
    const size_t global = ITEMS, local = 64;
    const cl_uint zero = 0;
    struct acceptance_cl cl = acceptance_open();
    const char *text = nested_source;
    cl_int code;
    const cl_command_queue device_queue =
        clCreateCommandQueueWithProperties(cl.context, cl.device, on_device, &code);
    const cl_mem a = new_buffer(&cl, 4 * ITEMS), b = new_buffer(&cl, 4 * ITEMS);
    cl_program program;
    cl_kernel plain, parent;
    cl_command_buffer_khr list;
    cl_uint first;

    OK(code);
    program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
    plain = acceptance_kernel(program, "plain");
    parent = acceptance_kernel(program, "parent");
    OK(clSetKernelArg(plain, 0, sizeof(a), &a));
    OK(clSetKernelArg(parent, 0, sizeof(a), &a));
    list = CALL(clCreateCommandBufferKHR)(1, &cl.queue, NULL, &code);
    OK(code);
    OK(((fill_fn)ADDRESS(clCommandFillBufferKHR))(list, NULL, NULL, a, &zero, 4, 0,
                                                  4 * ITEMS, 0, NULL, NULL, NULL));
    OK(CALL(clCommandNDRangeKernelKHR)(list, NULL, NULL, plain, 1, NULL, &global, &local,
                                       0, NULL, NULL, NULL));
    OK(CALL(clCommandNDRangeKernelKHR)(list, NULL, NULL, parent, 1, NULL, &local, &local,
                                       0, NULL, NULL, NULL));
    OK(((copy_fn)ADDRESS(clCommandCopyBufferKHR))(list, NULL, NULL, a, b, 0, 0, 4 * ITEMS,
                                                  0, NULL, NULL, NULL));
    OK(CALL(clFinalizeCommandBufferKHR)(list));
    for (int i = 0; i < 3; i++)
        OK(CALL(clEnqueueCommandBufferKHR)(0, NULL, list, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(cl.queue, parent, 1, NULL, &local, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, b, CL_TRUE, 0, 4, &first, 0, NULL, NULL));
    EXPECT(first == 1 + 2 * 32);
    OK(CALL(clReleaseCommandBufferKHR)(list));
    OK(clReleaseKernel(plain));
    OK(clReleaseKernel(parent));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseCommandQueue(device_queue));
    acceptance_close(&cl);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    if (!strcmp(argv[1], "limit"))
        OK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){65536, 65536}));
    if (!strcmp(argv[1], "launches") || !strcmp(argv[1], "limit"))
        launches(argv[1][1] == 'a' ? 100000 : 5000);
    else if (!strcmp(argv[1], "nested"))
        nested();
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
