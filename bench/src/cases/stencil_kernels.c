// SPDX-License-Identifier: MIT
/* Neighbourhoods in a 2D array, with a branch at the border. */
#include "cases/kernel_case.h"
#include "embedded_kernels.h"

#include <string.h>

enum { RADIUS = 2, SIDE = 2 * RADIUS + 1 };

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

// ---- 3x3, repeated between two arrays ----

struct stencil {
    float *restrict out;
    const float *restrict in;
    const float *weights;
    int width, height;
};

static void stencil_3x3_rows(void *data, size_t begin, size_t end)
{
    struct stencil s = *(struct stencil *)data;
    size_t width = (size_t)s.width;
    for (size_t y = begin; y < end; y++) {
        float *restrict out = &s.out[y * width];
        const float *restrict row = &s.in[y * width];
        if (y == 0 || y == (size_t)s.height - 1) {
            memcpy(out, row, width * sizeof *out);
            continue;
        }
        const float *restrict above = row - width, *restrict below = row + width;
        out[0] = row[0];
        for (size_t x = 1; x < width - 1; x++) {
            float edges = row[x - 1] + row[x + 1] + above[x] + below[x];
            float corners = above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1];
            out[x] = 0.5f * row[x] + 0.1f * edges + 0.025f * corners;
        }
        out[width - 1] = row[width - 1];
    }
}

enum { STENCIL_STEPS = 8 };

struct stencil_steps {
    struct stencil step[STENCIL_STEPS];
};

static void stencil_3x3_native(void *data)
{
    struct stencil_steps *steps = data;
    for (int i = 0; i < STENCIL_STEPS; i++)
        parallel_for((size_t)steps->step[i].height, 32, stencil_3x3_rows,
                     &steps->step[i]);
}

static void stencil_3x3(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    int width = (int)case_size(test, 2000, 40), height = (int)case_size(test, 1500, 30);
    size_t count = (size_t)width * (size_t)height, size = count * sizeof(float);
    const float *initial = host_random_floats(count, 0.0f, 1.0f);
    float *even = host_array(count, sizeof(float)),
          *odd = host_array(count, sizeof(float));
    struct stencil_steps steps;

    cl_program program = case_build(test, stencil_3x3_cl, "");
    cl_mem initial_buffer = opencl_buffer(&test->cl, size, initial);
    cl_mem even_buffer = opencl_buffer(&test->cl, size, NULL);
    cl_mem odd_buffer = opencl_buffer(&test->cl, size, NULL);
    for (int i = 0; i < STENCIL_STEPS; i++) {
        cl_mem in = i == 0 ? initial_buffer : i % 2 ? odd_buffer : even_buffer;
        cl_mem out = i % 2 ? even_buffer : odd_buffer;
        cl_kernel kernel =
            KERNEL(program, "stencil_3x3", ARG(out), ARG(in), ARG(width), ARG(height));
        case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
        steps.step[i] = (struct stencil){
            .out = i % 2 ? even : odd,
            .in = i == 0  ? initial
                  : i % 2 ? odd
                          : even,
            .width = width,
            .height = height,
        };
    }
    case_native(test, stencil_3x3_native, NULL, &steps);
    case_measure(test, 1e-9 * (double)(count * STENCIL_STEPS), "Gcell");
    case_expect_floats(test, even_buffer, even, count, 1e-5, 0);
}

// ---- 5x5, the border tested for each neighbour ----

static float weighted_sum_at_border(const struct stencil *s, int x, int y)
{
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int nx = x + dx, ny = y + dy;
            if (nx >= 0 && nx < s->width && ny >= 0 && ny < s->height)
                sum += s->weights[(dy + RADIUS) * SIDE + dx + RADIUS] *
                       s->in[ny * s->width + nx];
        }
    }
    return sum;
}

static void stencil_5x5_inner_row(const struct stencil *s, int y)
{
    int width = s->width;
    const float *restrict weights = s->weights, *restrict in = s->in + y * width;
    float *restrict out = s->out + y * width;
    for (int x = RADIUS; x < width - RADIUS; x++) {
        float sum = 0.0f;
        for (int dy = -RADIUS; dy <= RADIUS; dy++)
            for (int dx = -RADIUS; dx <= RADIUS; dx++)
                sum +=
                    weights[(dy + RADIUS) * SIDE + dx + RADIUS] * in[dy * width + x + dx];
        out[x] = sum;
    }
}

static void stencil_5x5_rows(void *data, size_t begin, size_t end)
{
    struct stencil s = *(struct stencil *)data;
    for (int y = (int)begin; y < (int)end; y++) {
        if (y < RADIUS || y >= s.height - RADIUS) {
            for (int x = 0; x < s.width; x++)
                s.out[y * s.width + x] = weighted_sum_at_border(&s, x, y);
            continue;
        }
        stencil_5x5_inner_row(&s, y);
        for (int x = 0; x < RADIUS; x++) {
            int right = s.width - 1 - x;
            s.out[y * s.width + x] = weighted_sum_at_border(&s, x, y);
            s.out[y * s.width + right] = weighted_sum_at_border(&s, right, y);
        }
    }
}

static void stencil_5x5_native(void *data)
{
    parallel_for((size_t)((struct stencil *)data)->height, 32, stencil_5x5_rows, data);
}

static void stencil_5x5(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    int width = (int)case_size(test, 4000, 40), height = (int)case_size(test, 3000, 30);
    size_t count = (size_t)width * (size_t)height, size = count * sizeof(float);
    struct stencil s = {host_array(count, sizeof(float)),
                        host_random_floats(count, 0.0f, 1.0f),
                        host_random_floats(SIDE * SIDE, 0.0f, 0.1f), width, height};

    cl_program program = case_build(test, stencil_5x5_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem in = opencl_buffer(&test->cl, size, s.in);
    cl_mem weights = opencl_buffer(&test->cl, SIDE * SIDE * sizeof(float), s.weights);
    cl_kernel kernel = KERNEL(program, "stencil_5x5", ARG(out), ARG(in), ARG(weights),
                              ARG(width), ARG(height));
    case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
    case_native(test, stencil_5x5_native, NULL, &s);
    case_measure(test, 1e-9 * (double)count, "Gcell");
    case_expect_floats(test, out, s.out, count, 1e-5, 0);
}

// ---- 5x5 mean of uchar4 pixels in a buffer ----

struct blur {
    uint8_t *restrict out;
    const uint8_t *restrict in;
    int width, height;
};

static void blur_pixel(const struct blur *b, int x, int y)
{
    unsigned sum[4] = {0};
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int nx = clamp(x + dx, 0, b->width - 1), ny = clamp(y + dy, 0, b->height - 1);
            for (int channel = 0; channel < 4; channel++)
                sum[channel] += b->in[4 * (ny * b->width + nx) + channel];
        }
    }
    for (int channel = 0; channel < 4; channel++)
        b->out[4 * (y * b->width + x) + channel] = (uint8_t)((sum[channel] + 12) / 25);
}

/* Away from the border the four channels are just more bytes of the row. */
static void blur_inner_row(const struct blur *b, int y)
{
    int stride = 4 * b->width;
    const uint8_t *restrict in = b->in + y * stride;
    uint8_t *restrict out = b->out + y * stride;
    for (int at = 4 * RADIUS; at < stride - 4 * RADIUS; at++) {
        unsigned sum = 0;
        for (int dy = -RADIUS; dy <= RADIUS; dy++)
            for (int dx = -RADIUS; dx <= RADIUS; dx++)
                sum += in[dy * stride + at + 4 * dx];
        out[at] = (uint8_t)((sum + 12) / 25);
    }
}

static void blur_rows(void *data, size_t begin, size_t end)
{
    struct blur b = *(struct blur *)data;
    for (int y = (int)begin; y < (int)end; y++) {
        bool inner = y >= RADIUS && y < b.height - RADIUS;
        if (inner)
            blur_inner_row(&b, y);
        for (int x = 0; x < b.width; x++) {
            if (inner && x == RADIUS)
                x = b.width - RADIUS;
            blur_pixel(&b, x, y);
        }
    }
}

static void blur_native(void *data)
{
    parallel_for((size_t)((struct blur *)data)->height, 32, blur_rows, data);
}

static void blur_uchar4(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    int width = (int)case_size(test, 3000, 40), height = (int)case_size(test, 2000, 30);
    size_t size = 4 * (size_t)width * (size_t)height;
    struct blur b = {host_array(size, 1), (uint8_t *)host_random_words(size / 4), width,
                     height};

    cl_program program = case_build(test, blur_uchar4_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem in = opencl_buffer(&test->cl, size, b.in);
    cl_kernel kernel =
        KERNEL(program, "blur_uchar4", ARG(out), ARG(in), ARG(width), ARG(height));
    case_launch_2d(test, kernel, (size_t)width, (size_t)height, 0, 0);
    case_native(test, blur_native, NULL, &b);
    case_measure(test, 1e-9 * (double)(size / 4), "Gpixel");
    uint8_t *actual = host_array(size, 1);
    case_read(test, out, actual, size);
    case_expect_bytes(test, actual, b.out, size, 0, 0);
}

const struct benchmark stencil_kernels[] = {
    {"kernel/stencil_3x3", "8 steps, border copied", stencil_3x3, ONE_PROCESS},
    {"kernel/stencil_5x5", "weights in constant memory, border tested per tap",
     stencil_5x5, ONE_PROCESS},
    {"kernel/blur_uchar4", "5x5 mean of uchar4 pixels in a buffer", blur_uchar4,
     ONE_PROCESS},
    {0},
};
