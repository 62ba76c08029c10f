// SPDX-License-Identifier: MIT
/*
 * From the start of a process to its first result.  The runner starts a new process for
 * each run, with an empty kernel cache or with the one that an earlier run has filled.
 */
#include "embedded_kernels.h"
#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/report.h"

static void report_milliseconds_since(const char *field, double start)
{
    report_number(field, 1e3 * (now_seconds() - start));
}

static void startup(const struct options *options)
{
    report_milliseconds_since("to_main_ms", options->start_time);

    cl_uint count;
    CHECK(clGetPlatformIDs(0, NULL, &count));
    report_milliseconds_since("to_platforms_ms", options->start_time);

    struct opencl cl = opencl_open(options);
    report_milliseconds_since("to_queue_ms", options->start_time);

    double start = now_seconds();
    cl_program program = opencl_build(&cl, build_trivial_cl, "-DVARIANT=7");
    report_milliseconds_since("build_ms", start);

    start = now_seconds();
    cl_mem buffer = opencl_buffer(&cl, sizeof(cl_uint), NULL);
    cl_kernel kernel = KERNEL(program, "trivial", ARG(buffer));
    size_t one = 1;
    cl_uint value = 0;
    CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL,
                              NULL));
    report_milliseconds_since("first_run_ms", start);
    report_milliseconds_since("to_first_result_ms", options->start_time);
    report_number("to_first_result_cpu_ms", 1e3 * cpu_seconds());
    if (value != 7)
        report_failure("wrong_result", "%u instead of 7", value);
}

const struct benchmark startup_benchmarks[] = {
    {"startup/empty_cache", "process start to first result, nothing cached", startup,
     NEW_PROCESS_EACH_RUN_WITH_EMPTY_CACHE},
    {"startup/filled_cache", "the same when an earlier process built the program",
     startup, NEW_PROCESS_EACH_RUN_WITH_FILLED_CACHE},
    {0},
};
