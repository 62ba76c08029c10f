// SPDX-License-Identifier: MIT
/* Transfers of images of 16 megapixels, whole and a part with gaps between its rows,
 * against memcpy() and memset() of the same rows, by one thread and by all: the faster
 * counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/parallel.h"
#include "harness/report.h"

enum { RUNS = 15, PIXEL = 4, SIDE = 4096, TINY_SIDE = 64, MARGIN = 8 };

struct transfer {
    struct opencl cl;
    cl_mem image, other;
    size_t origin[3], region[3];
    size_t image_pitch, image_offset; /* bytes, of the region in the image */
    size_t row_bytes;                 /* of the region */
    char *pixels, *copied, *host;     /* two images and a region */
};

typedef void operation(struct transfer *);

// ---- OpenCL ----

static void cl_write(struct transfer *t)
{
    CHECK(clEnqueueWriteImage(t->cl.queue, t->image, CL_TRUE, t->origin, t->region, 0, 0,
                              t->host, 0, NULL, NULL));
}

static void cl_read(struct transfer *t)
{
    CHECK(clEnqueueReadImage(t->cl.queue, t->image, CL_TRUE, t->origin, t->region, 0, 0,
                             t->host, 0, NULL, NULL));
}

static void cl_copy(struct transfer *t)
{
    CHECK(clEnqueueCopyImage(t->cl.queue, t->image, t->other, t->origin, t->origin,
                             t->region, 0, NULL, NULL));
    CHECK(clFinish(t->cl.queue));
}

static void cl_fill(struct transfer *t)
{
    const cl_float color[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    CHECK(clEnqueueFillImage(t->cl.queue, t->image, color, t->origin, t->region, 0, NULL,
                             NULL));
    CHECK(clFinish(t->cl.queue));
}

// ---- memcpy and memset ----

static void write_rows(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    char *to = t->pixels + t->image_offset;
    for (size_t y = begin; y < end; y++)
        memcpy(to + y * t->image_pitch, t->host + y * t->row_bytes, t->row_bytes);
}

static void read_rows(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    const char *from = t->pixels + t->image_offset;
    for (size_t y = begin; y < end; y++)
        memcpy(t->host + y * t->row_bytes, from + y * t->image_pitch, t->row_bytes);
}

static void copy_rows(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    const char *from = t->pixels + t->image_offset;
    char *to = t->copied + t->image_offset;
    for (size_t y = begin; y < end; y++)
        memcpy(to + y * t->image_pitch, from + y * t->image_pitch, t->row_bytes);
}

static void fill_rows(void *data, size_t begin, size_t end)
{
    struct transfer *t = data;
    char *to = t->pixels + t->image_offset;
    for (size_t y = begin; y < end; y++)
        memset(to + y * t->image_pitch, 1, t->row_bytes);
}

/* Seconds of the faster of one thread and all. */
static double time_rows(struct transfer *t, void rows(void *, size_t, size_t))
{
    const size_t count = t->region[1];
    double start = now_seconds(), one, all;
    rows(t, 0, count);
    one = now_seconds() - start;
    start = now_seconds();
    parallel_for(count, count / parallel_thread_count() + 1, rows, t);
    all = now_seconds() - start;
    return all < one ? all : one;
}

static double time_opencl(struct transfer *t, operation *operation)
{
    double start = now_seconds();
    operation(t);
    return now_seconds() - start;
}

/* Both take turns, so that they meet the same load. */
static void compare(struct transfer *t, const char *name, operation *operation,
                    void rows(void *, size_t, size_t))
{
    const double gigabytes = 1e-9 * (double)(t->row_bytes * t->region[1]);
    double native[RUNS], opencl[RUNS], ratio[RUNS];
    char field[48];
    time_rows(t, rows);
    operation(t);
    for (int run = 0; run < RUNS; run++) {
        native[run] = time_rows(t, rows);
        opencl[run] = time_opencl(t, operation);
        ratio[run] = native[run] / opencl[run];
    }
    snprintf(field, sizeof field, "%s_GBps", name);
    report_number(field, gigabytes / median_of(opencl, RUNS));
    snprintf(field, sizeof field, "%s_native_GBps", name);
    report_number(field, gigabytes / median_of(native, RUNS));
    snprintf(field, sizeof field, "%s_ratio", name);
    report_number(field, median_of(ratio, RUNS));
    snprintf(field, sizeof field, "%s_spread", name);
    report_number(field, spread_of(ratio, RUNS));
}

static cl_mem make_image(const struct opencl *cl, size_t side)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = side, .image_height = side};
    cl_int error;
    cl_mem image = clCreateImage(cl->context, 0, &format, &desc, NULL, &error);
    opencl_check(error, "clCreateImage");
    return image;
}

static char *make_block(size_t bytes)
{
    char *block = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (block == NULL)
        report_failure("error", "out of memory");
    return memset(block, 5, bytes);
}

static void compare_all(const struct options *options, size_t margin)
{
    const size_t side = options->tiny ? TINY_SIDE : SIDE, part = side - 2 * margin;
    struct transfer t = {.cl = opencl_open(options),
                         .origin = {margin, margin, 0},
                         .region = {part, part, 1},
                         .image_pitch = side * PIXEL,
                         .image_offset = (margin * side + margin) * PIXEL,
                         .row_bytes = part * PIXEL};
    if (parallel_thread_count() == 1)
        parallel_start(options->threads);
    t.image = make_image(&t.cl, side);
    t.other = make_image(&t.cl, side);
    t.pixels = make_block(side * side * PIXEL);
    t.copied = make_block(side * side * PIXEL);
    t.host = make_block(part * part * PIXEL);
    compare(&t, "write", cl_write, write_rows);
    compare(&t, "read", cl_read, read_rows);
    compare(&t, "copy", cl_copy, copy_rows);
    compare(&t, "fill", cl_fill, fill_rows);
    CHECK(clReleaseMemObject(t.image));
    CHECK(clReleaseMemObject(t.other));
    free(t.pixels);
    free(t.copied);
    free(t.host);
}

static void whole_image(const struct options *options)
{
    compare_all(options, 0);
}

static void part_of_image(const struct options *options)
{
    compare_all(options, MARGIN);
}

const struct benchmark image_transfer_benchmarks[] = {
    {"bandwidth/image", "image transfers, 16 megapixels, against memcpy and memset",
     whole_image, ONE_PROCESS},
    {"bandwidth/image_part", "the same without a margin, by rows", part_of_image,
     ONE_PROCESS},
    {0},
};
