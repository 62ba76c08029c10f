// SPDX-License-Identifier: MIT
/* Branches: at the border of a picture, and on the value of each item. All in cache. */
#include <math.h>

#include "cases/kernel_case.h"
#include "cases/lanes.h"
#include "embedded_kernels.h"

// ---- 5x5 stencil, one branch at the border ----

enum { RADIUS = 2, SIDE = 2 * RADIUS + 1 };

struct stencil {
    float *restrict out;
    const float *restrict in;
    const float *weights;
    int width, height;
    unsigned repeats;
};

static void stencil_rows(void *data, size_t begin, size_t end)
{
    struct stencil s = *(struct stencil *)data;
    for (int y = (int)begin; y < (int)end; y++) {
        for (int x = 0; x < s.width; x++) {
            if (x < RADIUS || y < RADIUS || x >= s.width - RADIUS ||
                y >= s.height - RADIUS) {
                s.out[y * s.width + x] = s.in[y * s.width + x];
                continue;
            }
            float sum = 0.0f;
            for (int dy = -RADIUS; dy <= RADIUS; dy++)
                for (int dx = -RADIUS; dx <= RADIUS; dx++)
                    sum += s.weights[(dy + RADIUS) * SIDE + dx + RADIUS] *
                           s.in[(y + dy) * s.width + x + dx];
            s.out[y * s.width + x] = sum;
        }
    }
}

static float_lanes weighted_sum_where(const struct stencil *s, const float *in,
                                      int_lanes mask)
{
    float_lanes sum = {0};
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            sum += s->weights[(dy + RADIUS) * SIDE + dx + RADIUS] *
                   load_lanes_where(mask, &in[dy * s->width + dx]);
    return sum;
}

static float_lanes weighted_sum(const struct stencil *s, const float *in)
{
    float_lanes sum = {0};
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            sum += s->weights[(dy + RADIUS) * SIDE + dx + RADIUS] *
                   load_lanes(&in[dy * s->width + dx]);
    return sum;
}

/* The width is a multiple of LANES. */
static void stencil_rows_in_lanes(void *data, size_t begin, size_t end)
{
    struct stencil s = *(struct stencil *)data;
    for (int y = (int)begin; y < (int)end; y++) {
        int outer_row = -(y < RADIUS || y >= s.height - RADIUS);
        for (int x = 0; x < s.width; x += LANES) {
            int_lanes column = lane_numbers() + x;
            int_lanes border =
                (column < RADIUS) | (column >= s.width - RADIUS) | outer_row;
            const float *in = &s.in[y * s.width + x];
            float *out = &s.out[y * s.width + x];
            if (!any_lane(border)) {
                store_lanes(out, weighted_sum(&s, in));
                continue;
            }
            store_lanes_where(border, out, load_lanes_where(border, in));
            if (any_lane(~border))
                store_lanes_where(~border, out, weighted_sum_where(&s, in, ~border));
        }
    }
}

static void stencil_native(void *data)
{
    struct stencil *s = data;
    for (unsigned i = 0; i < s->repeats; i++)
        parallel_for((size_t)s->height, 32, stencil_rows, data);
}

static void stencil_tuned(void *data)
{
    struct stencil *s = data;
    for (unsigned i = 0; i < s->repeats; i++)
        parallel_for((size_t)s->height, 32, stencil_rows_in_lanes, data);
}

static void stencil_boundary(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    int width = (int)case_size(test, 512, 64), height = (int)case_size(test, 128, 16);
    size_t count = (size_t)width * (size_t)height, size = count * sizeof(float);
    struct stencil s = {host_array(count, sizeof(float)),
                        host_random_floats(count, 0.0f, 1.0f),
                        host_random_floats(SIDE * SIDE, 0.0f, 0.1f),
                        width,
                        height,
                        (unsigned)case_size(test, 500, 1)};

    cl_program program = case_build(test, stencil_boundary_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem in = opencl_buffer(&test->cl, size, s.in);
    cl_mem weights = opencl_buffer(&test->cl, SIDE * SIDE * sizeof(float), s.weights);
    cl_kernel kernel = KERNEL(program, "stencil_boundary", ARG(out), ARG(in),
                              ARG(weights), ARG(width), ARG(height));
    for (unsigned i = 0; i < s.repeats; i++)
        case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
    case_native(test, stencil_native, stencil_tuned, &s);
    case_measure(test, 1e-9 * (double)count * s.repeats, "Gcell");
    case_expect_floats(test, out, s.out, count, 1e-5, 0);
}

// ---- 3x3 mean of uchar4 pixels ----

struct blur {
    uint8_t *restrict out;
    const uint8_t *restrict in;
    int width, height;
    unsigned repeats;
};

static void blur_rows(void *data, size_t begin, size_t end)
{
    struct blur b = *(struct blur *)data;
    for (int y = (int)begin; y < (int)end; y++) {
        for (int x = 0; x < b.width; x++) {
            if (x < 1 || y < 1 || x >= b.width - 1 || y >= b.height - 1)
                continue;
            for (int channel = 0; channel < 4; channel++) {
                unsigned sum = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        sum += b.in[4 * ((y + dy) * b.width + x + dx) + channel];
                b.out[4 * (y * b.width + x) + channel] = (uint8_t)(sum / 9);
            }
        }
    }
}

#ifdef HAS_MASKED_ACCESS
typedef uint8_t pixel_bytes __attribute__((ext_vector_type(4 * LANES)));
typedef uint32_t pixel_words __attribute__((ext_vector_type(4 * LANES)));
typedef int32_t masked_ints __attribute__((ext_vector_type(LANES)));

/* LANES pixels from x on. */
static void blur_pixels(const struct blur *b, int x, int y)
{
    int_lanes column = lane_numbers() + x;
    mask_lanes inner = TO_MASK((column >= 1) & (column < b->width - 1));
    pixel_words sum = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const uint8_t *at = b->in + 4 * ((y + dy) * b->width + x + dx);
            masked_ints zero = 0;
            masked_ints pixels = __builtin_masked_load(inner, (const int32_t *)at, zero);
            sum += __builtin_convertvector((pixel_bytes)pixels, pixel_words);
        }
    }
    pixel_bytes mean = __builtin_convertvector(sum / 9, pixel_bytes);
    __builtin_masked_store(inner, (masked_ints)mean,
                           (int32_t *)(b->out + 4 * (y * b->width + x)));
}

static void blur_rows_in_lanes(void *data, size_t begin, size_t end)
{
    struct blur b = *(struct blur *)data;
    for (int y = (int)begin; y < (int)end; y++)
        for (int x = 0; x < b.width && y >= 1 && y < b.height - 1; x += LANES)
            blur_pixels(&b, x, y);
}

static void blur_tuned(void *data)
{
    struct blur *b = data;
    for (unsigned i = 0; i < b->repeats; i++)
        parallel_for((size_t)b->height, 32, blur_rows_in_lanes, data);
}
#else
#define blur_tuned NULL
#endif

static void blur_native(void *data)
{
    struct blur *b = data;
    for (unsigned i = 0; i < b->repeats; i++)
        parallel_for((size_t)b->height, 32, blur_rows, data);
}

static void blur_3x3(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    int width = (int)case_size(test, 512, 64), height = (int)case_size(test, 128, 16);
    size_t size = 4 * (size_t)width * (size_t)height;
    struct blur b = {host_array(size, 1), (uint8_t *)host_random_words(size / 4), width,
                     height, (unsigned)case_size(test, 200, 1)};

    cl_program program = case_build(test, blur_3x3_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, b.out);
    cl_mem in = opencl_buffer(&test->cl, size, b.in);
    cl_kernel kernel =
        KERNEL(program, "blur_3x3", ARG(out), ARG(in), ARG(width), ARG(height));
    for (unsigned i = 0; i < b.repeats; i++)
        case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
    case_native(test, blur_native, blur_tuned, &b);
    case_measure(test, 1e-9 * (double)(size / 4) * b.repeats, "Gpixel");
    uint8_t *actual = host_array(size, 1);
    case_read(test, out, actual, size);
    case_expect_bytes(test, actual, b.out, size, 0, 0);
}

// ---- three ways through a kernel ----

struct divergent {
    float *out;
    const float *in;
    size_t count;
    unsigned repeats;
};

static void divergent_range(void *data, size_t begin, size_t end)
{
    struct divergent d = *(struct divergent *)data;
    for (size_t i = begin; i < end; i++) {
        float x = d.in[i];
        if (x < 0.0f)
            continue;
        if (x < 0.5f) {
            for (int step = 0; step < 8; step++)
                x = sqrtf(x * x + 0.5f) * 0.9f;
        } else {
            for (int step = 0; step < 16; step++)
                x = x * x * 0.3f + 0.7f - x * 0.1f;
        }
        d.out[i] = x;
    }
}

static void divergent_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct divergent d = *(struct divergent *)data;
    for (size_t i = begin; i < end; i += LANES) {
        float_lanes x = load_lanes(&d.in[i]), slow = x, fast = x;
        int_lanes takes_slow = (x >= 0.0f) & (x < 0.5f), takes_fast = x >= 0.5f;
        if (any_lane(takes_slow)) {
            for (int step = 0; step < 8; step++)
                slow = square_root_lanes(slow * slow + 0.5f) * 0.9f;
            store_lanes_where(takes_slow, &d.out[i], slow);
        }
        if (any_lane(takes_fast)) {
            for (int step = 0; step < 16; step++)
                fast = fast * fast * 0.3f + 0.7f - fast * 0.1f;
            store_lanes_where(takes_fast, &d.out[i], fast);
        }
    }
}

static void divergent_native(void *data)
{
    struct divergent *d = data;
    for (unsigned i = 0; i < d->repeats; i++)
        parallel_for(d->count, 4096, divergent_range, data);
}

static void divergent_tuned(void *data)
{
    struct divergent *d = data;
    for (unsigned i = 0; i < d->repeats; i++)
        parallel_for(d->count, 4096, divergent_range_in_lanes, data);
}

static void run_divergent(const struct options *options, bool coherent)
{
    static const float values[] = {-0.5f, 0.25f, 0.75f};
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 16, 1 << 11), size = count * sizeof(float);
    float *in = host_random_floats(count, -0.3f, 1.0f);
    for (size_t i = 0; i < count && coherent; i++)
        in[i] = values[i / 512 % 3];
    struct divergent d = {host_array(count, sizeof(float)), in, count,
                          (unsigned)case_size(test, 200, 1)};

    cl_program program = case_build(test, divergent_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, d.out);
    cl_mem in_buffer = opencl_buffer(&test->cl, size, in);
    cl_kernel kernel = KERNEL(program, "divergent", ARG(out), ARG(in_buffer));
    for (unsigned i = 0; i < d.repeats; i++)
        case_launch_1d(test, kernel, count, 0);
    case_native(test, divergent_native, divergent_tuned, &d);
    case_measure(test, 1e-9 * (double)count * d.repeats, "Gitem");
    case_expect_floats(test, out, d.out, count, 1e-5, 0);
}

static void divergent_random(const struct options *options)
{
    run_divergent(options, false);
}

static void divergent_coherent(const struct options *options)
{
    run_divergent(options, true);
}

const struct benchmark branch_kernels[] = {
    {"kernel/stencil_boundary", "5x5, one branch at the border, in cache",
     stencil_boundary, ONE_PROCESS},
    {"kernel/blur_3x3", "3x3 mean of uchar4 pixels, in cache", blur_3x3, ONE_PROCESS},
    {"kernel/divergent_random", "three ways, each item its own", divergent_random,
     ONE_PROCESS},
    {"kernel/divergent_coherent", "three ways, the same for 512 items",
     divergent_coherent, ONE_PROCESS},
    {0},
};
