// SPDX-License-Identifier: MIT
/* Compilation.  What clBuildProgram() puts off shows in the first run of a kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded_kernels.h"
#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/report.h"

enum { MAX_RUNS = 101, SMALL_KERNELS = 50, HEAVY_KERNELS = 60 };

static unsigned run_count(const struct options *options)
{
    return options->runs < MAX_RUNS ? options->runs : MAX_RUNS;
}

/* The time of one launch and its end. */
static struct stopwatch time_run(const struct opencl *cl, cl_kernel kernel,
                                 cl_uint dimensions, const size_t *global,
                                 const size_t *local)
{
    struct stopwatch start = stopwatch_start();
    CHECK(clEnqueueNDRangeKernel(cl->queue, kernel, dimensions, NULL, global, local, 0,
                                 NULL, NULL));
    CHECK(clFinish(cl->queue));
    return stopwatch_elapsed(start);
}

/* Many timings of one thing. */
struct timings {
    size_t count;
    double wall[MAX_RUNS], cpu[MAX_RUNS];
};

static void add_timing(struct timings *timings, struct stopwatch elapsed)
{
    timings->wall[timings->count] = elapsed.wall;
    timings->cpu[timings->count] = elapsed.cpu;
    timings->count++;
}

/* Medians, as <name>_ms and <name>_cpu_ms. */
static void report_timings(const char *name, struct timings *timings)
{
    char field[48];
    snprintf(field, sizeof field, "%s_ms", name);
    report_number(field, median_of(timings->wall, timings->count));
    snprintf(field, sizeof field, "%s_cpu_ms", name);
    report_number(field, median_of(timings->cpu, timings->count));
}

// ---- one kernel ----

struct single_kernel {
    const char *source;
    const char *name;
    cl_uint dimensions;
    cl_uint samples; /* the second argument, where there is one */
    bool has_samples;
};

static cl_kernel make_kernel(cl_program program, const struct single_kernel *single,
                             cl_mem out)
{
    if (single->has_samples)
        return KERNEL(program, single->name, ARG(out), ARG(single->samples));
    return KERNEL(program, single->name, ARG(out));
}

static void build_single(const struct options *options,
                         const struct single_kernel *single)
{
    struct opencl cl = opencl_open(options);
    const size_t global[2] = {64, 64}, local[2] = {8, 8}, other_local[2] = {16, 4};
    struct timings build = {0}, first_run = {0}, new_local_size = {0}, rebuild = {0};
    cl_mem out = opencl_buffer(&cl, 64 * 64 * 4, NULL);
    unsigned runs = run_count(options);

    for (unsigned run = 0; run < runs; run++) {
        char variant[32];
        snprintf(variant, sizeof variant, "-DVARIANT=%u", 1000 + run);

        struct stopwatch start = stopwatch_start();
        cl_program program = opencl_build(&cl, single->source, variant);
        add_timing(&build, stopwatch_elapsed(start));
        cl_kernel kernel = make_kernel(program, single, out);
        add_timing(&first_run, time_run(&cl, kernel, single->dimensions, global, local));
        add_timing(&new_local_size,
                   time_run(&cl, kernel, single->dimensions, global, other_local));

        start = stopwatch_start();
        cl_program again = opencl_build(&cl, single->source, variant);
        cl_kernel kernel_again = make_kernel(again, single, out);
        time_run(&cl, kernel_again, single->dimensions, global, local);
        add_timing(&rebuild, stopwatch_elapsed(start));
    }
    report_timings("build", &build);
    report_timings("first_run", &first_run);
    report_timings("new_local_size", &new_local_size);
    report_timings("same_source_again", &rebuild);
}

static void build_trivial(const struct options *options)
{
    build_single(options,
                 &(struct single_kernel){build_trivial_cl, "trivial", 1, 0, false});
}

static void build_medium(const struct options *options)
{
    build_single(options,
                 &(struct single_kernel){build_medium_cl, "ray_trace", 2, 1, true});
}

// ---- fifty kernels in one program ----

static const char small_kernel_format[] =
    "__kernel void small_%u(__global float *out, __global const float *in, uint count)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    float sum = 0.0f;\n"
    "    if (i >= count)\n"
    "        return;\n"
    "    for (uint k = 0; k <= %u; k++)\n"
    "        sum += in[(i + k * %u) %% count] * %u.5f;\n"
    "    out[i] = sum > %u.0f ? sqrt(sum) : sum * sum;\n"
    "}\n";

static char *make_small_kernels(unsigned variant)
{
    size_t room = SMALL_KERNELS * (sizeof small_kernel_format + 64), used = 0;
    char *source = malloc(room);
    if (source == NULL)
        report_failure("error", "out of memory");
    for (unsigned k = 0; k < SMALL_KERNELS; k++)
        used += (size_t)snprintf(source + used, room - used, small_kernel_format, k,
                                 k % 7 + 1, k + variant, k, variant);
    return source;
}

static void build_fifty(const struct options *options)
{
    struct opencl cl = opencl_open(options);
    struct timings build = {0}, first_run = {0}, all_first_runs = {0};
    const size_t global = 256, local = 64;
    cl_uint count = 256;
    cl_mem out = opencl_buffer(&cl, count * sizeof(float), NULL);
    cl_mem in = opencl_buffer(&cl, count * sizeof(float), NULL);
    unsigned runs = run_count(options) < 5 ? run_count(options) : 5;

    for (unsigned run = 0; run < runs; run++) {
        char *source = make_small_kernels(10 + run);
        struct stopwatch start = stopwatch_start();
        cl_program program = opencl_build(&cl, source, "");
        add_timing(&build, stopwatch_elapsed(start));
        start = stopwatch_start();
        for (unsigned k = 0; k < SMALL_KERNELS; k++) {
            char name[32];
            snprintf(name, sizeof name, "small_%u", k);
            cl_kernel kernel = KERNEL(program, name, ARG(out), ARG(in), ARG(count));
            time_run(&cl, kernel, 1, &global, &local);
            if (k == 0)
                add_timing(&first_run, stopwatch_elapsed(start));
        }
        add_timing(&all_first_runs, stopwatch_elapsed(start));
        free(source);
    }
    report_timings("build", &build);
    report_timings("first_run_of_one", &first_run);
    report_timings("first_run_of_all", &all_first_runs);
}

// ---- a program from its binary ----

static unsigned char *get_binary(cl_program program, size_t *size)
{
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    unsigned char *binary = malloc(*size);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    return binary;
}

static cl_program load_binary(const struct opencl *cl, const unsigned char *binary,
                              size_t size)
{
    cl_int error, status;
    cl_program loaded = clCreateProgramWithBinary(cl->context, 1, &cl->device, &size,
                                                  &binary, &status, &error);
    opencl_check(error, "clCreateProgramWithBinary");
    CHECK(clBuildProgram(loaded, 1, &cl->device, "", NULL, NULL));
    return loaded;
}

static void build_from_binary(const struct options *options)
{
    struct opencl cl = opencl_open(options);
    const size_t global[2] = {64, 64}, local[2] = {8, 8};
    cl_uint samples = 1;
    cl_mem out = opencl_buffer(&cl, 64 * 64 * 4, NULL);
    cl_program program = opencl_build(&cl, build_medium_cl, "-DVARIANT=1");
    cl_kernel kernel = KERNEL(program, "ray_trace", ARG(out), ARG(samples));
    time_run(&cl, kernel, 2, global, local);

    struct stopwatch start = stopwatch_start();
    size_t size = 0;
    unsigned char *binary = get_binary(program, &size);
    report_number("get_binary_ms", stopwatch_elapsed(start).wall);
    report_number("binary_bytes", (double)size);

    start = stopwatch_start();
    cl_program loaded = load_binary(&cl, binary, size);
    report_number("load_ms", stopwatch_elapsed(start).wall);
    start = stopwatch_start();
    cl_kernel loaded_kernel = KERNEL(loaded, "ray_trace", ARG(out), ARG(samples));
    time_run(&cl, loaded_kernel, 2, global, local);
    report_number("first_run_ms", stopwatch_elapsed(start).wall);
}

// ---- the binary of sixty heavy kernels, asked for right after the build ----

/* 24 rounds that nothing but unrolls, of which each has a branch of its own. */
static const char heavy_kernel_format[] =
    "__kernel void heavy_%u(__global float4 *out, __global const float4 *in)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    float4 a = in[i], b = in[i ^ 1], c = (float4)(%u.5f);\n"
    "#pragma unroll\n"
    "    for (uint k = 0; k < 24; k++) {\n"
    "        a = native_sin(a * %u.25f + k) + b.yzwx;\n"
    "        if (a.x > b.y + k)\n"
    "            c = mad(a, b, c) + fmin(b, (float4)(k));\n"
    "        else\n"
    "            b = rsqrt(fabs(c) + 1.0f) * in[(i + k) & 255];\n"
    "    }\n"
    "    out[i] = a + b + c;\n"
    "}\n";

static char *make_heavy_kernels(void)
{
    size_t room = HEAVY_KERNELS * (sizeof heavy_kernel_format + 64), used = 0;
    char *source = malloc(room);
    if (source == NULL)
        report_failure("error", "out of memory");
    for (unsigned k = 0; k < HEAVY_KERNELS; k++)
        used += (size_t)snprintf(source + used, room - used, heavy_kernel_format, k, k,
                                 k + 1);
    return source;
}

static void report_stopwatch(const char *name, struct stopwatch start)
{
    struct timings once = {0};
    add_timing(&once, stopwatch_elapsed(start));
    report_timings(name, &once);
}

static void build_binary_of_many(const struct options *options)
{
    struct opencl cl = opencl_open(options);
    const size_t global = 256, local = 64;
    cl_mem out = opencl_buffer(&cl, 256 * sizeof(cl_float4), NULL);
    cl_mem in = opencl_buffer(&cl, 256 * sizeof(cl_float4), NULL);
    char *source = make_heavy_kernels();
    struct stopwatch start = stopwatch_start();
    cl_program program = opencl_build(&cl, source, "");
    report_stopwatch("build", start);
    start = stopwatch_start();
    size_t size = 0;
    unsigned char *binary = get_binary(program, &size);
    report_stopwatch("get_binary", start);
    report_number("binary_bytes", (double)size);
    start = stopwatch_start();
    cl_program loaded = load_binary(&cl, binary, size);
    report_stopwatch("load", start);
    start = stopwatch_start();
    cl_kernel kernel = KERNEL(loaded, "heavy_7", ARG(out), ARG(in));
    time_run(&cl, kernel, 1, &global, &local);
    report_stopwatch("first_run", start);
    free(binary);
    free(source);
}

const struct benchmark build_benchmarks[] = {
    {"build/trivial", "one kernel of one line", build_trivial, ONE_PROCESS},
    {"build/medium", "one kernel of 200 lines", build_medium, ONE_PROCESS},
    {"build/fifty_kernels", "50 small kernels in one program", build_fifty, ONE_PROCESS},
    {"build/from_binary", "the medium kernel from its binary", build_from_binary,
     ONE_PROCESS},
    {"build/binary_of_many", "60 heavy kernels and their binary", build_binary_of_many,
     ONE_PROCESS},
    {0},
};
