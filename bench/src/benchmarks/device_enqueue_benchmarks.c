// SPDX-License-Identifier: MIT
/* What it costs a kernel to enqueue kernels, beside what it costs the host. */
#include "embedded_kernels.h"
#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/report.h"

enum { ROUNDS = 15, CHILDREN = 10000, DEPTH = 10 };

/* Rounds before those that count: code that is quick to make gives way to better. */
static const double WARM_UP_SECONDS = 1;

struct fixture {
    struct opencl cl;
    cl_program program;
    cl_mem counter, failures;
};

/* A default queue on the device, as large as there is. */
static void make_device_queue(const struct opencl *cl)
{
    cl_uint queues = 0, bytes = 0;
    cl_int code;
    CHECK(clGetDeviceInfo(cl->device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof queues,
                          &queues, NULL));
    if (queues == 0)
        report_failure("unsupported", "no queues on the device");
    CHECK(clGetDeviceInfo(cl->device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof bytes,
                          &bytes, NULL));
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_ON_DEVICE |
                                                  CL_QUEUE_ON_DEVICE_DEFAULT |
                                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                              CL_QUEUE_SIZE, bytes, 0};
    clCreateCommandQueueWithProperties(cl->context, cl->device, properties, &code);
    opencl_check(code, "clCreateCommandQueueWithProperties on the device");
}

static struct fixture open_fixture(const struct options *options)
{
    struct fixture f = {.cl = opencl_open(options)};
    static const cl_uint zero;
    make_device_queue(&f.cl);
    f.program = opencl_build(&f.cl, device_enqueue_cl, "-cl-std=CL3.0");
    f.counter = opencl_buffer(&f.cl, sizeof zero, &zero);
    f.failures = opencl_buffer(&f.cl, sizeof zero, &zero);
    return f;
}

static cl_uint take(const struct fixture *f, cl_mem memory)
{
    static const cl_uint zero;
    cl_uint value = 0;
    CHECK(clEnqueueReadBuffer(f->cl.queue, memory, CL_TRUE, 0, sizeof value, &value, 0,
                              NULL, NULL));
    CHECK(clEnqueueWriteBuffer(f->cl.queue, memory, CL_TRUE, 0, sizeof zero, &zero, 0,
                               NULL, NULL));
    return value;
}

static void check_launches(const struct fixture *f, cl_uint expected)
{
    cl_uint failed = take(f, f->failures), launched = take(f, f->counter);
    if (failed)
        report_failure("failed", "no room for %u of %u children", failed, expected);
    if (launched != expected)
        report_failure("wrong_result", "%u launches instead of %u", launched, expected);
}

static void launch(const struct fixture *f, cl_kernel kernel, size_t items)
{
    CHECK(clEnqueueNDRangeKernel(f->cl.queue, kernel, 1, NULL, &items, &items, 0, NULL,
                                 NULL));
}

struct cost {
    double wall_ns, cpu_ns; /* per launch */
};

/* The kernel enqueued `times` times, each of which makes so many launches. */
static struct cost per_launch(const struct fixture *f, cl_kernel kernel, size_t items,
                              cl_uint times, cl_uint launches)
{
    double wall[ROUNDS], cpu[ROUNDS];
    const double begin = now_seconds();
    for (int round = -1; round < ROUNDS;) {
        double start = now_seconds(), cpu_start = cpu_seconds();
        for (cl_uint i = 0; i < times; i++)
            launch(f, kernel, items);
        CHECK(clFinish(f->cl.queue));
        if (round >= 0) {
            wall[round] = 1e9 * (now_seconds() - start) / (times * launches);
            cpu[round] = 1e9 * (cpu_seconds() - cpu_start) / (times * launches);
        }
        check_launches(f, times * launches);
        if (round >= 0 || now_seconds() - begin >= WARM_UP_SECONDS)
            round++;
    }
    return (struct cost){median_of(wall, ROUNDS), median_of(cpu, ROUNDS)};
}

static void children(const struct options *options)
{
    struct fixture f = open_fixture(options);
    cl_uint count = options->tiny ? 20 : CHILDREN;
    cl_kernel parent =
        KERNEL(f.program, "children", ARG(f.counter), ARG(f.failures), ARG(count));
    cl_kernel alone = KERNEL(f.program, "add_one", ARG(f.counter));
    struct cost child = per_launch(&f, parent, 1, 1, count);
    struct cost host = per_launch(&f, alone, 64, count, 1);
    report_number("child_ns", child.wall_ns);
    report_number("child_cpu_ns", child.cpu_ns);
    report_number("host_ns", host.wall_ns);
    report_number("host_cpu_ns", host.cpu_ns);
    report_number("gain", host.wall_ns / child.wall_ns);
}

static void tree(const struct options *options)
{
    struct fixture f = open_fixture(options);
    cl_uint depth = options->tiny ? 3 : DEPTH;
    cl_kernel root =
        KERNEL(f.program, "tree", ARG(f.counter), ARG(f.failures), ARG(depth));
    struct cost cost = per_launch(&f, root, 1, 1, (2u << depth) - 1);
    report_number("launch_ns", cost.wall_ns);
    report_number("launch_cpu_ns", cost.cpu_ns);
}

const struct benchmark device_enqueue_benchmarks[] = {
    {"enqueue/children", "10,000 children of one kernel, and as many by the host",
     children, ONE_PROCESS},
    {"enqueue/tree", "kernels that enqueue two each, ten deep", tree, ONE_PROCESS},
    {0},
};
