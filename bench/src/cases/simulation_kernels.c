// SPDX-License-Identifier: MIT
/* Kernels limited by arithmetic, with loops inside the work-item. */
#include <float.h>
#include <math.h>

#include "cases/kernel_case.h"
#include "cases/lanes.h"
#include "embedded_kernels.h"

// ---- Mandelbrot set: a loop whose length differs from item to item ----

struct mandelbrot {
    uint32_t *iterations;
    size_t width, height;
    float left, top, step;
    uint32_t limit;
};

static void mandelbrot_rows(void *data, size_t begin, size_t end)
{
    struct mandelbrot m = *(struct mandelbrot *)data;
    for (size_t y = begin; y < end; y++) {
        for (size_t x = 0; x < m.width; x++) {
            float cr = m.left + m.step * (float)x, ci = m.top + m.step * (float)y;
            float zr = 0.0f, zi = 0.0f;
            uint32_t n = 0;
            while (n < m.limit && zr * zr + zi * zi <= 4.0f) {
                float next = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = next;
                n++;
            }
            m.iterations[y * m.width + x] = n;
        }
    }
}

static void mandelbrot_rows_in_lanes(void *data, size_t begin, size_t end)
{
    struct mandelbrot m = *(struct mandelbrot *)data;
    float_lanes lane_number;
    for (int i = 0; i < LANES; i++)
        lane_number[i] = (float)i;
    for (size_t y = begin; y < end; y++) {
        float ci = m.top + m.step * (float)y;
        for (size_t x = 0; x < m.width; x += LANES) {
            float_lanes cr = m.left + m.step * ((float)x + lane_number);
            float_lanes zr = {0}, zi = {0};
            int_lanes n = {0};
            for (uint32_t step = 0; step < m.limit; step++) {
                float_lanes rr = zr * zr, ii = zi * zi;
                int_lanes inside =
                    rr + ii <= 4.0f; /* -1 where true; false for ever after */
                if (!any_lane(inside))
                    break;
                n -= inside;
                zi = 2.0f * zr * zi + ci;
                zr = rr - ii + cr;
            }
            memcpy(&m.iterations[y * m.width + x], &n, sizeof n);
        }
    }
}

static void mandelbrot_native(void *data)
{
    parallel_for(((struct mandelbrot *)data)->height, 4, mandelbrot_rows, data);
}

static void mandelbrot_tuned(void *data)
{
    parallel_for(((struct mandelbrot *)data)->height, 4, mandelbrot_rows_in_lanes, data);
}

static void mandelbrot(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t size = case_size(test, 1024, 32), count = size * size;
    struct mandelbrot m = {
        .iterations = host_array(count, sizeof(uint32_t)),
        .width = size,
        .height = size,
        .left = -2.0f,
        .top = -1.25f,
        .step = 2.5f / (float)size,
        .limit = (uint32_t)case_size(test, 256, 64),
    };

    cl_program program = case_build(test, mandelbrot_cl, "");
    cl_mem iterations = opencl_buffer(&test->cl, count * sizeof(uint32_t), NULL);
    cl_kernel kernel = KERNEL(program, "mandelbrot", ARG(iterations), ARG(m.left),
                              ARG(m.top), ARG(m.step), ARG(m.limit));
    case_launch_2d(test, kernel, size, size, 0, 0);
    case_native(test, mandelbrot_native, mandelbrot_tuned, &m);
    case_measure(test, 1e-9 * (double)count, "Gpixel");
    /* Rounding of the multiply-adds moves some pixels along the border. */
    case_expect_words(test, iterations, m.iterations, count, count / 50);
}

// ---- n-body: every item reads every body ----

struct nbody {
    float *acceleration; /* 4 floats each, as in OpenCL */
    const float *bodies; /* x, y, z, mass */
    size_t count;
    float softening;
};

static void nbody_range(void *data, size_t begin, size_t end)
{
    struct nbody n = *(struct nbody *)data;
    for (size_t i = begin; i < end; i++) {
        const float *self = &n.bodies[4 * i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (size_t j = 0; j < n.count; j++) {
            const float *other = &n.bodies[4 * j];
            float dx = other[0] - self[0], dy = other[1] - self[1],
                  dz = other[2] - self[2];
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + n.softening);
            float pull = other[3] * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        n.acceleration[4 * i + 0] = ax;
        n.acceleration[4 * i + 1] = ay;
        n.acceleration[4 * i + 2] = az;
        n.acceleration[4 * i + 3] = 0.0f;
    }
}

static void nbody_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct nbody n = *(struct nbody *)data;
    for (size_t i = begin; i < end; i += LANES) {
        float_lanes x, y, z, ax = {0}, ay = {0}, az = {0};
        for (int lane = 0; lane < LANES; lane++) {
            x[lane] = n.bodies[4 * (i + lane) + 0];
            y[lane] = n.bodies[4 * (i + lane) + 1];
            z[lane] = n.bodies[4 * (i + lane) + 2];
        }
        for (size_t j = 0; j < n.count; j++) {
            const float *other = &n.bodies[4 * j];
            float_lanes dx = other[0] - x, dy = other[1] - y, dz = other[2] - z;
            float_lanes inverse =
                1.0f / square_root_lanes(dx * dx + dy * dy + dz * dz + n.softening);
            float_lanes pull = other[3] * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        for (int lane = 0; lane < LANES; lane++) {
            float *a = &n.acceleration[4 * (i + lane)];
            a[0] = ax[lane];
            a[1] = ay[lane];
            a[2] = az[lane];
            a[3] = 0.0f;
        }
    }
}

static void nbody_native(void *data)
{
    parallel_for(((struct nbody *)data)->count, 64, nbody_range, data);
}

static void nbody_tuned(void *data)
{
    parallel_for(((struct nbody *)data)->count, 64, nbody_range_in_lanes, data);
}

static void run_nbody(const struct options *options, size_t count, size_t local)
{
    struct kernel_case *test = case_open(options);
    cl_uint bodies_count = (cl_uint)case_size(test, count, 128);
    size_t floats = 4 * (size_t)bodies_count;
    struct nbody n = {host_array(floats, sizeof(float)),
                      host_random_floats(floats, 0.0f, 1.0f), bodies_count, 0.01f};

    cl_program program = case_build(test, nbody_cl, "");
    cl_mem acceleration = opencl_buffer(&test->cl, floats * sizeof(float), NULL);
    cl_mem bodies = opencl_buffer(&test->cl, floats * sizeof(float), n.bodies);
    cl_kernel kernel = KERNEL(program, "nbody", ARG(acceleration), ARG(bodies),
                              ARG(bodies_count), ARG(n.softening));
    case_launch_1d(test, kernel, bodies_count, local);
    case_native(test, nbody_native, nbody_tuned, &n);
    case_measure(test, 1e-9 * (double)bodies_count * (double)bodies_count,
                 "Ginteraction");
    // Components may cancel: one float's epsilon of all that is added up.
    case_expect_floats(test, acceleration, n.acceleration, floats,
                       FLT_EPSILON * (double)bodies_count, 0);
}

static void nbody(const struct options *options)
{
    run_nbody(options, 8192, 0);
}

static void nbody_local_1(const struct options *options)
{
    run_nbody(options, 8192, 1);
}

// ---- float4 arithmetic ----

struct transform {
    float *out;
    const float *in;
    size_t count;
    float rows[4][4];
    uint32_t steps;
};

static void transform_range(void *data, size_t begin, size_t end)
{
    struct transform t = *(struct transform *)data;
    for (size_t i = begin; i < end; i++) {
        float p[4];
        memcpy(p, &t.in[4 * i], sizeof p);
        for (uint32_t step = 0; step < t.steps; step++) {
            float q[4], square = 1.0f;
            for (int row = 0; row < 4; row++) {
                const float *r = t.rows[row];
                q[row] = r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3] * p[3];
                square += q[row] * q[row];
            }
            float scale = 1.0f / sqrtf(square);
            for (int row = 0; row < 4; row++)
                p[row] = q[row] * scale;
        }
        memcpy(&t.out[4 * i], p, sizeof p);
    }
}

static void transform_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct transform t = *(struct transform *)data;
    for (size_t i = begin; i < end; i += LANES) {
        float_lanes p[4], q[4];
        for (int lane = 0; lane < LANES; lane++)
            for (int row = 0; row < 4; row++)
                p[row][lane] = t.in[4 * (i + lane) + row];
        for (uint32_t step = 0; step < t.steps; step++) {
            float_lanes square = {0};
            square += 1.0f;
            for (int row = 0; row < 4; row++) {
                const float *r = t.rows[row];
                q[row] = r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3] * p[3];
                square += q[row] * q[row];
            }
            float_lanes scale = 1.0f / square_root_lanes(square);
            for (int row = 0; row < 4; row++)
                p[row] = q[row] * scale;
        }
        for (int lane = 0; lane < LANES; lane++)
            for (int row = 0; row < 4; row++)
                t.out[4 * (i + lane) + row] = p[row][lane];
    }
}

static void transform_native(void *data)
{
    parallel_for(((struct transform *)data)->count, 1024, transform_range, data);
}

static void transform_tuned(void *data)
{
    parallel_for(((struct transform *)data)->count, 1024, transform_range_in_lanes, data);
}

static void transform_float4(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 20, 256), floats = 4 * count;
    struct transform t = {
        .out = host_array(floats, sizeof(float)),
        .in = host_random_floats(floats, -1.0f, 1.0f),
        .count = count,
        .rows = {{0.9f, 0.3f, 0.1f, 0.2f},
                 {-0.3f, 0.8f, 0.2f, 0.1f},
                 {0.1f, -0.2f, 0.9f, 0.3f},
                 {0.2f, 0.1f, -0.3f, 0.8f}},
        .steps = 32,
    };

    cl_program program = case_build(test, transform_float4_cl, "");
    cl_mem out = opencl_buffer(&test->cl, floats * sizeof(float), NULL);
    cl_mem in = opencl_buffer(&test->cl, floats * sizeof(float), t.in);
    cl_kernel kernel =
        KERNEL(program, "transform_float4", ARG(out), ARG(in), ARG(t.rows[0]),
               ARG(t.rows[1]), ARG(t.rows[2]), ARG(t.rows[3]), ARG(t.steps));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, transform_native, transform_tuned, &t);
    case_measure(test, 1e-9 * (double)count * t.steps, "Gtransform");
    case_expect_floats(test, out, t.out, floats, 1e-4, 0);
}

// ---- Collatz sequence ----

struct collatz {
    uint32_t *steps;
    size_t count;
    uint32_t first;
};

static void collatz_range(void *data, size_t begin, size_t end)
{
    struct collatz c = *(struct collatz *)data;
    for (size_t i = begin; i < end; i++) {
        uint64_t n = c.first + i;
        uint32_t count = 0;
        while (n != 1) {
            n = (n & 1) ? 3 * n + 1 : n >> 1;
            count++;
        }
        c.steps[i] = count;
    }
}

static void collatz_native(void *data)
{
    parallel_for(((struct collatz *)data)->count, 4096, collatz_range, data);
}

static void collatz(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 20, 256);
    struct collatz c = {host_array(count, sizeof(uint32_t)), count, 1};

    cl_program program = case_build(test, collatz_cl, "");
    cl_mem steps = opencl_buffer(&test->cl, count * sizeof(uint32_t), NULL);
    cl_kernel kernel = KERNEL(program, "collatz", ARG(steps), ARG(c.first));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, collatz_native, NULL, &c);
    case_measure(test, 1e-9 * (double)count, "Gitem");
    case_expect_words(test, steps, c.steps, count, 0);
}

// ---- sorting a private array ----

enum { PRIVATE_COUNT = 16 }; /* as in private_sort.cl */

struct private_sort {
    uint32_t *medians;
    const uint32_t *in;
    size_t count;
};

static void private_sort_range(void *data, size_t begin, size_t end)
{
    struct private_sort p = *(struct private_sort *)data;
    for (size_t i = begin; i < end; i++) {
        uint32_t sorted[PRIVATE_COUNT];
        for (int k = 0; k < PRIVATE_COUNT; k++) {
            uint32_t value = p.in[k * p.count + i];
            int at = k;
            while (at > 0 && sorted[at - 1] > value) {
                sorted[at] = sorted[at - 1];
                at--;
            }
            sorted[at] = value;
        }
        p.medians[i] = sorted[PRIVATE_COUNT / 2];
    }
}

static void private_sort_native(void *data)
{
    parallel_for(((struct private_sort *)data)->count, 4096, private_sort_range, data);
}

static void private_sort(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 20, 256);
    struct private_sort p = {host_array(count, sizeof(uint32_t)),
                             host_random_words(count * PRIVATE_COUNT), count};

    cl_program program = case_build(test, private_sort_cl, "");
    cl_mem medians = opencl_buffer(&test->cl, count * sizeof(uint32_t), NULL);
    cl_mem in = opencl_buffer(&test->cl, count * PRIVATE_COUNT * sizeof(uint32_t), p.in);
    cl_kernel kernel = KERNEL(program, "private_sort", ARG(medians), ARG(in));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, private_sort_native, NULL, &p);
    case_measure(test, 1e-9 * (double)count, "Gitem");
    case_expect_words(test, medians, p.medians, count, 0);
}

const struct benchmark simulation_kernels[] = {
    {"kernel/mandelbrot", "loop of a different length in each item", mandelbrot,
     ONE_PROCESS},
    {"kernel/nbody", "all pairs, rsqrt", nbody, ONE_PROCESS},
    {"kernel/nbody_local_1", "the same, work-groups of 1", nbody_local_1, ONE_PROCESS},
    {"kernel/transform_float4", "4x4 transformations written with float4",
     transform_float4, ONE_PROCESS},
    {"kernel/collatz", "integer loop of a different length in each item", collatz,
     ONE_PROCESS},
    {"kernel/private_sort", "insertion sort of a private array", private_sort,
     ONE_PROCESS},
    {0},
};
