// SPDX-License-Identifier: MIT
#include "cases/kernel_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/report.h"

/* A case stops after this many seconds, but not before MIN_RUNS. */
static const double TIME_BUDGET = 12.0;
enum { MIN_RUNS = 3, MAX_RUNS = 101 };

struct kernel_case *case_open(const struct options *options)
{
    struct kernel_case *test = calloc(1, sizeof *test);
    if (test == NULL)
        report_failure("error", "out of memory");
    test->options = options;
    test->cl = opencl_open(options);
    parallel_start(options->threads);
    return test;
}

size_t case_size(const struct kernel_case *test, size_t full, size_t tiny)
{
    return test->options->tiny ? tiny : full;
}

cl_program case_build(struct kernel_case *test, const char *source,
                      const char *build_options)
{
    struct stopwatch start = stopwatch_start();
    cl_program program = opencl_build(&test->cl, source, build_options);
    struct stopwatch elapsed = stopwatch_elapsed(start);
    report_number("build_ms", elapsed.wall);
    report_number("build_cpu_ms", elapsed.cpu);
    return program;
}

void *host_array(size_t count, size_t element_size)
{
    size_t size = (count * element_size + 4095) / 4096 * 4096;
    void *array = aligned_alloc(4096, size);
    if (array == NULL)
        report_failure("error", "out of memory");
    memset(array, 0, size);
    return array;
}

uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

float *host_random_floats(size_t count, float low, float high)
{
    float *array = host_array(count, sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = low + (high - low) * (float)(random_word() >> 8) * 0x1p-24f;
    return array;
}

uint32_t *host_random_words(size_t count)
{
    uint32_t *array = host_array(count, sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = random_word();
    return array;
}

static struct launch *add_launch(struct kernel_case *test)
{
    if (test->launch_count == CASE_MAX_LAUNCHES)
        report_failure("error", "too many launches");
    return &test->launches[test->launch_count++];
}

void case_launch(struct kernel_case *test, cl_kernel kernel, cl_uint dimensions,
                 const size_t *global, const size_t *local)
{
    struct launch *launch = add_launch(test);
    launch->kernel = kernel;
    launch->dimensions = dimensions;
    launch->has_local = local != NULL;
    memcpy(launch->global, global, dimensions * sizeof *global);
    if (local)
        memcpy(launch->local, local, dimensions * sizeof *local);
}

void case_launch_1d(struct kernel_case *test, cl_kernel kernel, size_t global,
                    size_t local)
{
    case_launch(test, kernel, 1, &global, local ? &local : NULL);
}

void case_launch_2d(struct kernel_case *test, cl_kernel kernel, size_t width,
                    size_t height, size_t local_width, size_t local_height)
{
    size_t global[2] = {width, height};
    size_t local[2] = {local_width, local_height};
    case_launch(test, kernel, 2, global, local_width ? local : NULL);
}

void case_copy(struct kernel_case *test, cl_mem source, cl_mem target, size_t size)
{
    struct launch *launch = add_launch(test);
    launch->source = source;
    launch->target = target;
    launch->size = size;
}

void case_native(struct kernel_case *test, void (*native)(void *), void (*tuned)(void *),
                 void *data)
{
    test->native = native;
    test->tuned = tuned;
    test->native_data = data;
}

static void enqueue(cl_command_queue queue, const struct launch *launch)
{
    if (launch->kernel)
        CHECK(clEnqueueNDRangeKernel(
            queue, launch->kernel, launch->dimensions, NULL, launch->global,
            launch->has_local ? launch->local : NULL, 0, NULL, NULL));
    else
        CHECK(clEnqueueCopyBuffer(queue, launch->source, launch->target, 0, 0,
                                  launch->size, 0, NULL, NULL));
}

static struct stopwatch time_opencl(struct kernel_case *test)
{
    struct stopwatch start = stopwatch_start();
    for (size_t i = 0; i < test->launch_count; i++)
        enqueue(test->cl.queue, &test->launches[i]);
    CHECK(clFinish(test->cl.queue));
    return stopwatch_elapsed(start);
}

static struct stopwatch time_native(void (*function)(void *), void *data)
{
    struct stopwatch start = stopwatch_start();
    function(data);
    return stopwatch_elapsed(start);
}

/* The timings of one side of the comparison. */
struct series {
    double wall[MAX_RUNS];
    double cpu[MAX_RUNS];
    double ratio[MAX_RUNS];     /* this side's wall time over OpenCL's, run by run */
    double cpu_ratio[MAX_RUNS]; /* the same of CPU time: tells more on a busy machine */
};

static void report_side(const char *format, const char *side, double value)
{
    char field[48];
    snprintf(field, sizeof field, format, side);
    report_number(field, value);
}

static void report_series(const char *side, struct series *series, size_t count)
{
    report_side("%s_min_ms", side, minimum_of(series->wall, count));
    report_side("%s_ms", side, median_of(series->wall, count));
    report_side("%s_cpu_ms", side, median_of(series->cpu, count));
}

static void report_ratios(const char *side, struct series *series, size_t count)
{
    report_side("ratio_%s", side, median_of(series->ratio, count));
    report_side("cpu_ratio_%s", side, median_of(series->cpu_ratio, count));
}

static void add_opencl_timing(struct series *series, size_t run, struct stopwatch elapsed)
{
    series->wall[run] = elapsed.wall;
    series->cpu[run] = elapsed.cpu;
}

static void add_native_timing(struct series *series, size_t run, struct stopwatch elapsed,
                              struct stopwatch opencl)
{
    series->wall[run] = elapsed.wall;
    series->cpu[run] = elapsed.cpu;
    series->ratio[run] = elapsed.wall / opencl.wall;
    series->cpu_ratio[run] = elapsed.cpu / opencl.cpu;
}

void case_measure(struct kernel_case *test, double work, const char *unit)
{
    static struct series opencl, native, tuned;

    struct stopwatch first = time_opencl(test);
    report_number("first_run_ms", first.wall);
    report_number("first_run_cpu_ms", first.cpu);
    time_native(test->native, test->native_data);
    if (test->tuned)
        time_native(test->tuned, test->native_data);

    size_t wanted = test->options->runs < MAX_RUNS ? test->options->runs : MAX_RUNS;
    size_t runs = 0;
    double start = now_seconds();
    while (runs < wanted && (runs < MIN_RUNS || now_seconds() - start < TIME_BUDGET)) {
        struct stopwatch native_time = time_native(test->native, test->native_data);
        struct stopwatch opencl_time = time_opencl(test);
        add_opencl_timing(&opencl, runs, opencl_time);
        add_native_timing(&native, runs, native_time, opencl_time);
        if (test->tuned)
            add_native_timing(&tuned, runs, time_native(test->tuned, test->native_data),
                              opencl_time);
        runs++;
    }

    report_number("runs", (double)runs);
    report_series("opencl", &opencl, runs);
    report_series("native", &native, runs);
    report_ratios("native", &native, runs);
    if (test->tuned) {
        report_series("tuned", &tuned, runs);
        report_ratios("tuned", &tuned, runs);
    }
    report_number("rate", 1e3 * work / median_of(opencl.wall, runs));
    report_text("rate_unit", "%s/s", unit);
}

void case_read(struct kernel_case *test, cl_mem buffer, void *target, size_t size)
{
    CHECK(clEnqueueReadBuffer(test->cl.queue, buffer, CL_TRUE, 0, size, target, 0, NULL,
                              NULL));
}

struct misses {
    size_t count, first;
};

static void count_miss(struct misses *misses, size_t index)
{
    if (misses->count++ == 0)
        misses->first = index;
}

static void report_misses(const struct misses *misses, size_t allowed, double actual,
                          double expected)
{
    if (misses->count > allowed)
        report_failure("wrong_result",
                       "%zu wrong elements, first [%zu] = %.9g, expected %.9g",
                       misses->count, misses->first, actual, expected);
}

/* Written so that a NaN where a number is expected is a miss. */
static bool is_close(double actual, double expected, double tolerance)
{
    double magnitude = fmax(1.0, fabs(expected));
    if (isnan(expected))
        return isnan(actual);
    if (isinf(expected))
        return actual == expected;
    return fabs(actual - expected) <= tolerance * magnitude;
}

void case_expect_floats(struct kernel_case *test, cl_mem buffer, const float *expected,
                        size_t count, double tolerance, size_t allowed_misses)
{
    float *actual = host_array(count, sizeof *actual);
    struct misses misses = {0};
    case_read(test, buffer, actual, count * sizeof *actual);
    for (size_t i = 0; i < count; i++)
        if (!is_close(actual[i], expected[i], tolerance))
            count_miss(&misses, i);
    report_misses(&misses, allowed_misses, actual[misses.first], expected[misses.first]);
}

void case_expect_doubles(struct kernel_case *test, cl_mem buffer, const double *expected,
                         size_t count, double tolerance)
{
    double *actual = host_array(count, sizeof *actual);
    struct misses misses = {0};
    case_read(test, buffer, actual, count * sizeof *actual);
    for (size_t i = 0; i < count; i++)
        if (!is_close(actual[i], expected[i], tolerance))
            count_miss(&misses, i);
    report_misses(&misses, 0, actual[misses.first], expected[misses.first]);
}

void case_expect_words(struct kernel_case *test, cl_mem buffer, const uint32_t *expected,
                       size_t count, size_t allowed_misses)
{
    uint32_t *actual = host_array(count, sizeof *actual);
    struct misses misses = {0};
    case_read(test, buffer, actual, count * sizeof *actual);
    for (size_t i = 0; i < count; i++)
        if (actual[i] != expected[i])
            count_miss(&misses, i);
    report_misses(&misses, allowed_misses, actual[misses.first], expected[misses.first]);
}

void case_expect_bytes(struct kernel_case *test, const uint8_t *actual,
                       const uint8_t *expected, size_t count, int tolerance,
                       size_t allowed_misses)
{
    (void)test;
    struct misses misses = {0};
    for (size_t i = 0; i < count; i++)
        if (abs(actual[i] - expected[i]) > tolerance)
            count_miss(&misses, i);
    report_misses(&misses, allowed_misses, actual[misses.first], expected[misses.first]);
}
