// SPDX-License-Identifier: MIT
/* Copies and fills of buffers, against memcpy() and memset() in the same process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "opencl.h"
#include "parallel.h"
#include "report.h"

enum { RUNS = 9, KIB = 1024, MIB = 1024 * 1024 };

/* Small sizes are repeated up to this many bytes per run. */
static const size_t BYTES_PER_RUN = 64 * MIB;

/* One size of one operation: from and to are host memory, source and target are buffers.
 */
struct transfer {
    struct opencl cl;
    size_t size;
    char *from, *to;
    cl_mem source, target;
};

typedef void operation(struct transfer *);

// ---- the native limits ----

static void native_copy(struct transfer *t)
{
    memcpy(t->to, t->from, t->size);
}

static void native_fill(struct transfer *t)
{
    memset(t->to, 1, t->size);
}

static void copy_range(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    memcpy(t->to + begin, t->from + begin, end - begin);
}

static void fill_range(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    memset(t->to + begin, 1, end - begin);
}

static size_t one_piece_per_thread(const struct transfer *t)
{
    return (t->size / parallel_thread_count() + 4095) / 4096 * 4096;
}

static void native_copy_threads(struct transfer *t)
{
    parallel_for(t->size, one_piece_per_thread(t), copy_range, t);
}

static void native_fill_threads(struct transfer *t)
{
    parallel_for(t->size, one_piece_per_thread(t), fill_range, t);
}

// ---- the OpenCL operations ----

static void cl_read(struct transfer *t)
{
    CHECK(clEnqueueReadBuffer(t->cl.queue, t->source, CL_TRUE, 0, t->size, t->to, 0, NULL,
                              NULL));
}

static void cl_write(struct transfer *t)
{
    CHECK(clEnqueueWriteBuffer(t->cl.queue, t->target, CL_TRUE, 0, t->size, t->from, 0,
                               NULL, NULL));
}

static void cl_copy(struct transfer *t)
{
    CHECK(clEnqueueCopyBuffer(t->cl.queue, t->source, t->target, 0, 0, t->size, 0, NULL,
                              NULL));
    CHECK(clFinish(t->cl.queue));
}

static void cl_fill_1(struct transfer *t)
{
    cl_uchar pattern = 1;
    CHECK(clEnqueueFillBuffer(t->cl.queue, t->target, &pattern, sizeof pattern, 0,
                              t->size, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
}

static void cl_fill_4(struct transfer *t)
{
    cl_uint pattern = 0x01020304;
    CHECK(clEnqueueFillBuffer(t->cl.queue, t->target, &pattern, sizeof pattern, 0,
                              t->size, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
}

static void cl_fill_16(struct transfer *t)
{
    cl_uint4 pattern = {{1, 2, 3, 4}};
    CHECK(clEnqueueFillBuffer(t->cl.queue, t->target, &pattern, sizeof pattern, 0,
                              t->size, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
}

/* Rows of 1 KiB out of a pitch of 2 KiB: half of the buffer moves. */
static void cl_copy_rectangle(struct transfer *t)
{
    const size_t origin[3] = {0}, region[3] = {KIB, t->size / (2 * KIB), 1};
    CHECK(clEnqueueCopyBufferRect(t->cl.queue, t->source, t->target, origin, origin,
                                  region, 2 * KIB, 0, 2 * KIB, 0, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
}

static void native_copy_rectangle(struct transfer *t)
{
    for (size_t at = 0; at < t->size; at += 2 * KIB)
        memcpy(t->to + at, t->from + at, KIB);
}

static void cl_map_and_copy(struct transfer *t)
{
    cl_int error;
    void *mapped = clEnqueueMapBuffer(t->cl.queue, t->target, CL_TRUE,
                                      CL_MAP_WRITE_INVALIDATE_REGION, 0, t->size, 0, NULL,
                                      NULL, &error);
    opencl_check(error, "clEnqueueMapBuffer");
    memcpy(mapped, t->from, t->size);
    CHECK(clEnqueueUnmapMemObject(t->cl.queue, t->target, mapped, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
}

// ---- measurement ----

/* Seconds for one operation: the median of some runs. */
static double time_operation(struct transfer *t, operation *operation)
{
    double samples[RUNS];
    size_t repeats = t->size < BYTES_PER_RUN ? BYTES_PER_RUN / t->size : 1;
    operation(t);
    for (int run = 0; run < RUNS; run++) {
        double start = now_seconds();
        for (size_t i = 0; i < repeats; i++)
            operation(t);
        samples[run] = (now_seconds() - start) / (double)repeats;
    }
    return median_of(samples, RUNS);
}

struct comparison {
    operation *opencl, *native, *native_threads; /* the last may be NULL */
    double fraction_moved;
};

static void compare_size(const struct options *options,
                         const struct comparison *comparison, size_t size,
                         const char *size_name)
{
    struct transfer t = {.cl = opencl_open(options), .size = size};
    t.from = aligned_alloc(4096, size);
    t.to = aligned_alloc(4096, size);
    memset(t.from, 5, size);
    memset(t.to, 6, size);
    t.source = opencl_buffer(&t.cl, size, t.from);
    t.target = opencl_buffer(&t.cl, size, t.to);

    double native = time_operation(&t, comparison->native);
    if (comparison->native_threads) {
        double threads = time_operation(&t, comparison->native_threads);
        if (threads < native)
            native = threads;
    }
    double opencl = time_operation(&t, comparison->opencl);
    double gigabytes = 1e-9 * (double)size * comparison->fraction_moved;
    char field[48];
    snprintf(field, sizeof field, "%s_GBps", size_name);
    report_number(field, gigabytes / opencl);
    snprintf(field, sizeof field, "%s_native_GBps", size_name);
    report_number(field, gigabytes / native);
    snprintf(field, sizeof field, "%s_ratio", size_name);
    report_number(field, native / opencl);

    CHECK(clReleaseMemObject(t.source));
    CHECK(clReleaseMemObject(t.target));
    free(t.from);
    free(t.to);
}

static void compare(const struct options *options, struct comparison comparison)
{
    if (parallel_thread_count() == 1)
        parallel_start(options->threads);
    compare_size(options, &comparison, 64 * KIB, "64KiB");
    if (options->tiny)
        return;
    compare_size(options, &comparison, 4 * MIB, "4MiB");
    compare_size(options, &comparison, 256 * (size_t)MIB, "256MiB");
}

static void bandwidth_read(const struct options *options)
{
    compare(options, (struct comparison){cl_read, native_copy, native_copy_threads, 1.0});
}

static void bandwidth_write(const struct options *options)
{
    compare(options,
            (struct comparison){cl_write, native_copy, native_copy_threads, 1.0});
}

static void bandwidth_map(const struct options *options)
{
    compare(options, (struct comparison){cl_map_and_copy, native_copy, NULL, 1.0});
}

static void bandwidth_copy(const struct options *options)
{
    compare(options, (struct comparison){cl_copy, native_copy, native_copy_threads, 1.0});
}

static void bandwidth_fill_1(const struct options *options)
{
    compare(options,
            (struct comparison){cl_fill_1, native_fill, native_fill_threads, 1.0});
}

static void bandwidth_fill_4(const struct options *options)
{
    compare(options,
            (struct comparison){cl_fill_4, native_fill, native_fill_threads, 1.0});
}

static void bandwidth_fill_16(const struct options *options)
{
    compare(options,
            (struct comparison){cl_fill_16, native_fill, native_fill_threads, 1.0});
}

static void bandwidth_rectangle(const struct options *options)
{
    compare(options,
            (struct comparison){cl_copy_rectangle, native_copy_rectangle, NULL, 0.5});
}

const struct benchmark bandwidth_benchmarks[] = {
    {"bandwidth/read", "clEnqueueReadBuffer against memcpy", bandwidth_read, ONE_PROCESS},
    {"bandwidth/write", "clEnqueueWriteBuffer against memcpy", bandwidth_write,
     ONE_PROCESS},
    {"bandwidth/map_and_copy", "map, memcpy, unmap against memcpy", bandwidth_map,
     ONE_PROCESS},
    {"bandwidth/copy", "clEnqueueCopyBuffer against memcpy", bandwidth_copy, ONE_PROCESS},
    {"bandwidth/fill_1", "clEnqueueFillBuffer of 1 byte against memset", bandwidth_fill_1,
     ONE_PROCESS},
    {"bandwidth/fill_4", "the same with a pattern of 4 bytes", bandwidth_fill_4,
     ONE_PROCESS},
    {"bandwidth/fill_16", "the same with a pattern of 16 bytes", bandwidth_fill_16,
     ONE_PROCESS},
    {"bandwidth/copy_rectangle",
     "clEnqueueCopyBufferRect, 1 KiB rows, against memcpy by rows", bandwidth_rectangle,
     ONE_PROCESS},
    {0},
};
