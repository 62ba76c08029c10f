// SPDX-License-Identifier: MIT
/* Copies and fills of buffers, against memcpy() and memset() of the same blocks of
 * memory: a buffer's own block is found by mapping it. How fast memcpy() is depends on
 * the distance between its blocks, so other blocks would not be a yardstick. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/parallel.h"
#include "harness/report.h"

enum { RUNS = 15, KIB = 1024, MIB = 1024 * 1024 };

/* Small sizes are repeated up to this many bytes per run. */
static const size_t BYTES_PER_RUN = 64 * MIB;

/* One size of one operation. */
struct transfer {
    struct opencl cl;
    size_t size;
    char *from, *to;       /* host memory that is read from buffers and written to them */
    cl_mem source, target; /* buffers */
    char *native_from, *native_to; /* what the native operation works on */
};

typedef void operation(struct transfer *);

// ---- the native limits ----

static void native_copy(struct transfer *t)
{
    memcpy(t->native_to, t->native_from, t->size);
}

static void native_fill(struct transfer *t)
{
    memset(t->native_to, 1, t->size);
}

static void copy_range(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    memcpy(t->native_to + begin, t->native_from + begin, end - begin);
}

static void fill_range(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    memset(t->native_to + begin, 1, end - begin);
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

static void copy_rows(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    for (size_t at = begin; at < end; at += 2 * KIB)
        memcpy(t->native_to + at, t->native_from + at, KIB);
}

static void native_copy_rectangle(struct transfer *t)
{
    copy_rows(t, 0, t->size);
}

static void native_copy_rectangle_threads(struct transfer *t)
{
    parallel_for(t->size, one_piece_per_thread(t), copy_rows, t);
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

struct comparison {
    operation *opencl, *native, *native_threads; /* the last may be NULL */
    bool from_buffer, to_buffer; /* what the operation works on; otherwise host memory */
    size_t host_offset;          /* of the host's blocks from a page */
    double fraction_moved;
};

/* Seconds for one operation. */
static double time_once(struct transfer *t, operation *operation)
{
    size_t repeats = t->size < BYTES_PER_RUN ? BYTES_PER_RUN / t->size : 1;
    double start = now_seconds();
    for (size_t i = 0; i < repeats; i++)
        operation(t);
    return (now_seconds() - start) / (double)repeats;
}

static void *map(const struct transfer *t, cl_mem buffer)
{
    cl_int error;
    void *mapped =
        clEnqueueMapBuffer(t->cl.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           t->size, 0, NULL, NULL, &error);
    opencl_check(error, "clEnqueueMapBuffer");
    return mapped;
}

/* The faster of one thread and all of them, on the buffers' own memory. */
static double time_native(struct transfer *t, const struct comparison *comparison)
{
    char *source = map(t, t->source), *target = map(t, t->target);
    t->native_from = comparison->from_buffer ? source : t->from;
    t->native_to = comparison->to_buffer ? target : t->to;
    double native = time_once(t, comparison->native);
    if (comparison->native_threads) {
        double threads = time_once(t, comparison->native_threads);
        if (threads < native)
            native = threads;
    }
    CHECK(clEnqueueUnmapMemObject(t->cl.queue, t->source, source, 0, NULL, NULL));
    CHECK(clEnqueueUnmapMemObject(t->cl.queue, t->target, target, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
    return native;
}

static void report_part(const char *size_name, const char *part, double value)
{
    char field[48];
    snprintf(field, sizeof field, "%s_%s", size_name, part);
    report_number(field, value);
}

/* Native and OpenCL take turns, so that both meet the same load. */
static void time_in_turns(struct transfer *t, const struct comparison *comparison,
                          const char *size_name)
{
    double native[RUNS], opencl[RUNS], ratio[RUNS];
    time_native(t, comparison);
    comparison->opencl(t);
    for (int run = 0; run < RUNS; run++) {
        native[run] = time_native(t, comparison);
        opencl[run] = time_once(t, comparison->opencl);
        ratio[run] = native[run] / opencl[run];
    }
    double gigabytes = 1e-9 * (double)t->size * comparison->fraction_moved;
    double native_median = median_of(native, RUNS);
    double opencl_median = median_of(opencl, RUNS);
    report_part(size_name, "GBps", gigabytes / opencl_median);
    report_part(size_name, "native_GBps", gigabytes / native_median);
    report_part(size_name, "ratio", native_median / opencl_median);
    report_part(size_name, "spread", spread_of(ratio, RUNS));
    if (t->size < MIB)
        report_part(size_name, "over_us", 1e6 * (opencl_median - native_median));
}

static void compare_size(const struct options *options,
                         const struct comparison *comparison, size_t size,
                         const char *size_name)
{
    struct transfer t = {.cl = opencl_open(options), .size = size};
    size_t offset = comparison->host_offset;
    char *from = aligned_alloc(4096, size + 4096);
    char *to = aligned_alloc(4096, size + 4096);
    if (from == NULL || to == NULL)
        report_failure("error", "out of memory");
    t.from = memset(from + offset, 5, size);
    t.to = memset(to + offset, 6, size);
    t.source = opencl_buffer(&t.cl, size, t.from);
    t.target = opencl_buffer(&t.cl, size, t.to);
    time_in_turns(&t, comparison, size_name);
    CHECK(clReleaseMemObject(t.source));
    CHECK(clReleaseMemObject(t.target));
    free(from);
    free(to);
}

static void compare(const struct options *options, struct comparison comparison)
{
    if (parallel_thread_count() == 1)
        parallel_start(options->threads);
    if (comparison.fraction_moved == 0.0)
        comparison.fraction_moved = 1.0;
    compare_size(options, &comparison, 64 * KIB, "64KiB");
    if (options->tiny)
        return;
    compare_size(options, &comparison, 4 * MIB, "4MiB");
    compare_size(options, &comparison, 32 * MIB, "32MiB");
    compare_size(options, &comparison, 256 * (size_t)MIB, "256MiB");
}

/* Offset of large blocks of malloc() from a page. */
enum { MALLOC_OFFSET = 16 };

static void read_to(const struct options *options, size_t host_offset)
{
    compare(options, (struct comparison){.opencl = cl_read,
                                         .native = native_copy,
                                         .native_threads = native_copy_threads,
                                         .from_buffer = true,
                                         .host_offset = host_offset});
}

static void write_from(const struct options *options, size_t host_offset)
{
    compare(options, (struct comparison){.opencl = cl_write,
                                         .native = native_copy,
                                         .native_threads = native_copy_threads,
                                         .to_buffer = true,
                                         .host_offset = host_offset});
}

static void bandwidth_read(const struct options *options)
{
    read_to(options, 0);
}

static void bandwidth_read_malloc(const struct options *options)
{
    read_to(options, MALLOC_OFFSET);
}

static void bandwidth_write(const struct options *options)
{
    write_from(options, 0);
}

static void bandwidth_write_malloc(const struct options *options)
{
    write_from(options, MALLOC_OFFSET);
}

static void bandwidth_map(const struct options *options)
{
    compare(options, (struct comparison){.opencl = cl_map_and_copy,
                                         .native = native_copy,
                                         .to_buffer = true});
}

static void bandwidth_copy(const struct options *options)
{
    compare(options, (struct comparison){.opencl = cl_copy,
                                         .native = native_copy,
                                         .native_threads = native_copy_threads,
                                         .from_buffer = true,
                                         .to_buffer = true});
}

static void compare_fill(const struct options *options, operation *fill)
{
    compare(options, (struct comparison){.opencl = fill,
                                         .native = native_fill,
                                         .native_threads = native_fill_threads,
                                         .to_buffer = true});
}

static void bandwidth_fill_1(const struct options *options)
{
    compare_fill(options, cl_fill_1);
}

static void bandwidth_fill_4(const struct options *options)
{
    compare_fill(options, cl_fill_4);
}

static void bandwidth_fill_16(const struct options *options)
{
    compare_fill(options, cl_fill_16);
}

static void bandwidth_rectangle(const struct options *options)
{
    compare(options, (struct comparison){.opencl = cl_copy_rectangle,
                                         .native = native_copy_rectangle,
                                         .native_threads = native_copy_rectangle_threads,
                                         .from_buffer = true,
                                         .to_buffer = true,
                                         .fraction_moved = 0.5});
}

const struct benchmark bandwidth_benchmarks[] = {
    {"bandwidth/read", "clEnqueueReadBuffer against memcpy", bandwidth_read, ONE_PROCESS},
    {"bandwidth/read_malloc", "the same, to a block as malloc() aligns it",
     bandwidth_read_malloc, ONE_PROCESS},
    {"bandwidth/write", "clEnqueueWriteBuffer against memcpy", bandwidth_write,
     ONE_PROCESS},
    {"bandwidth/write_malloc", "the same, from a block as malloc() aligns it",
     bandwidth_write_malloc, ONE_PROCESS},
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
