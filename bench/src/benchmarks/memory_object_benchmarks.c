// SPDX-License-Identifier: MIT
/* Latencies of buffers: creation, mapping, small transfers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/report.h"

enum { MAX_SAMPLES = 1000, KIB = 1024, MIB = 1024 * 1024 };

/* Median microseconds of `count` calls of the action. */
static double time_action(const struct options *options, size_t count,
                          void (*action)(void *data), void *data)
{
    static double samples[MAX_SAMPLES];
    if (options->tiny)
        count = 5;
    action(data);
    for (size_t i = 0; i < count; i++) {
        double start = now_seconds();
        action(data);
        samples[i] = 1e6 * (now_seconds() - start);
    }
    return median_of(samples, count);
}

struct transfer {
    struct opencl cl;
    cl_mem buffer;
    size_t size;
    cl_mem_flags flags;
    void *host;
};

static void create_and_release(void *data)
{
    struct transfer *t = data;
    cl_int error;
    cl_mem buffer = clCreateBuffer(t->cl.context, t->flags, t->size, t->host, &error);
    opencl_check(error, "clCreateBuffer");
    CHECK(clReleaseMemObject(buffer));
}

static void map_and_unmap(void *data)
{
    struct transfer *t = data;
    cl_int error;
    void *mapped =
        clEnqueueMapBuffer(t->cl.queue, t->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           t->size, 0, NULL, NULL, &error);
    opencl_check(error, "clEnqueueMapBuffer");
    *(volatile char *)mapped = 1;
    CHECK(clEnqueueUnmapMemObject(t->cl.queue, t->buffer, mapped, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
}

static void read_blocking(void *data)
{
    struct transfer *t = data;
    CHECK(clEnqueueReadBuffer(t->cl.queue, t->buffer, CL_TRUE, 0, t->size, t->host, 0,
                              NULL, NULL));
}

static void write_blocking(void *data)
{
    struct transfer *t = data;
    CHECK(clEnqueueWriteBuffer(t->cl.queue, t->buffer, CL_TRUE, 0, t->size, t->host, 0,
                               NULL, NULL));
}

static struct transfer make_transfer(const struct options *options, size_t size,
                                     cl_mem_flags flags)
{
    struct transfer t = {.cl = opencl_open(options), .size = size, .flags = flags};
    cl_int error;
    t.buffer = clCreateBuffer(t.cl.context, flags, size, NULL, &error);
    opencl_check(error, "clCreateBuffer");
    t.host = malloc(size);
    return t;
}

static void create(const struct options *options)
{
    struct transfer t = {.cl = opencl_open(options), .flags = CL_MEM_READ_WRITE};
    t.size = 4 * KIB;
    report_number("4KiB_us", time_action(options, MAX_SAMPLES, create_and_release, &t));
    t.size = 64 * MIB;
    report_number("64MiB_us", time_action(options, 100, create_and_release, &t));
    t.host = aligned_alloc(4096, t.size);
    t.flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    report_number("64MiB_use_host_ptr_us",
                  time_action(options, 100, create_and_release, &t));
}

static void map(const struct options *options)
{
    struct transfer t = make_transfer(options, 4 * KIB, CL_MEM_READ_WRITE);
    report_number("4KiB_us", time_action(options, MAX_SAMPLES, map_and_unmap, &t));
    t = make_transfer(options, 16 * MIB, CL_MEM_READ_WRITE);
    report_number("16MiB_us", time_action(options, 200, map_and_unmap, &t));
    t = make_transfer(options, 16 * MIB, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
    report_number("16MiB_alloc_host_ptr_us",
                  time_action(options, 200, map_and_unmap, &t));
}

/* memcpy() between the memory that the buffer has while it is mapped, and the host's. */
static double time_memcpy(const struct transfer *t, bool read)
{
    enum { REPEATS = 100 };
    double samples[MAX_SAMPLES / REPEATS];
    cl_int error;
    void *mapped =
        clEnqueueMapBuffer(t->cl.queue, t->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           t->size, 0, NULL, NULL, &error);
    opencl_check(error, "clEnqueueMapBuffer");
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        double start = now_seconds();
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            memcpy(read ? t->host : mapped, read ? mapped : t->host, t->size);
            __asm__ volatile("" ::: "memory");
        }
        samples[i] = 1e6 * (now_seconds() - start) / REPEATS;
    }
    CHECK(clEnqueueUnmapMemObject(t->cl.queue, t->buffer, mapped, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
    return median_of(samples, sizeof samples / sizeof *samples);
}

static void report_small(const struct options *options, struct transfer *t,
                         const char *name, bool read)
{
    double native = time_memcpy(t, read);
    double opencl =
        time_action(options, MAX_SAMPLES, read ? read_blocking : write_blocking, t);
    char field[48];
    snprintf(field, sizeof field, "%s_%s_us", read ? "read" : "write", name);
    report_number(field, opencl);
    snprintf(field, sizeof field, "%s_%s_over_memcpy_us", read ? "read" : "write", name);
    report_number(field, opencl - native);
}

static void small_transfers(const struct options *options)
{
    static const struct {
        const char *name;
        size_t size;
    } sizes[] = {{"4B", 4}, {"64B", 64}, {"512B", 512}, {"4KiB", 4 * KIB}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct transfer t = make_transfer(options, sizes[i].size, CL_MEM_READ_WRITE);
        report_small(options, &t, sizes[i].name, true);
        report_small(options, &t, sizes[i].name, false);
    }
}

const struct benchmark memory_object_benchmarks[] = {
    {"memory/create", "clCreateBuffer and clReleaseMemObject", create, ONE_PROCESS},
    {"memory/map", "blocking map, unmap, clFinish", map, ONE_PROCESS},
    {"memory/small_transfers", "blocking reads and writes, idle queue", small_transfers,
     ONE_PROCESS},
    {0},
};
