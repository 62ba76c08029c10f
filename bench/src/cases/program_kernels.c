// SPDX-License-Identifier: MIT
/* Shapes of kernels that other people's programs are made of, written anew. */
#include <math.h>
#include <string.h>

#include "cases/kernel_case.h"
#include "embedded_kernels.h"

// ---- Elimination: hundreds of launches, each with less to do ----

struct elimination {
    float *matrix, *factors;
    const float *initial;
    size_t size, step;
};

static void elimination_rows(void *data, size_t begin, size_t end)
{
    const struct elimination e = *(struct elimination *)data;
    const float *pivot = &e.matrix[e.step * e.size];
    for (size_t i = begin; i < end; i++) {
        float *row = &e.matrix[(e.step + 1 + i) * e.size];
        const float factor = row[e.step] / pivot[e.step];
        for (size_t x = e.step; x < e.size; x++)
            row[x] -= factor * pivot[x];
    }
}

static void elimination_native(void *data)
{
    struct elimination *e = data;
    memcpy(e->matrix, e->initial, e->size * e->size * sizeof(float));
    for (e->step = 0; e->step + 1 < e->size; e->step++)
        parallel_for(e->size - 1 - e->step, 64, elimination_rows, e);
}

static void elimination(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    const size_t size = case_size(test, 512, 16), bytes = size * size * sizeof(float);
    float *initial = host_random_floats(size * size, -1.0f, 1.0f);
    struct elimination e = {host_array(size * size, sizeof(float)), NULL, initial, size,
                            0};
    const cl_int n = (cl_int)size;

    for (size_t i = 0; i < size; i++) // no row needs another's place
        initial[i * size + i] += (float)size;
    cl_program program = case_build(test, elimination_cl, "");
    cl_mem start = opencl_buffer(&test->cl, bytes, initial);
    cl_mem matrix = opencl_buffer(&test->cl, bytes, NULL);
    cl_mem factors = opencl_buffer(&test->cl, size * sizeof(float), NULL);
    case_copy(test, start, matrix, bytes);
    for (cl_int step = 0; step + 1 < n; step++) {
        case_launch_1d(test,
                       KERNEL(program, "elimination_factors", ARG(factors), ARG(matrix),
                              ARG(n), ARG(step)),
                       size, 0);
        case_launch_2d(test,
                       KERNEL(program, "elimination_rows", ARG(matrix), ARG(factors),
                              ARG(n), ARG(step)),
                       size, size, 0, 0);
    }
    case_native(test, elimination_native, NULL, &e);
    case_measure(test, 2e-9 / 3 * (double)size * (double)size * (double)size, "GFLOP");
    case_expect_floats(test, matrix, e.matrix, size * size, 1e-4, 0);
}

// ---- Particles in boxes: a tile in local memory, sums in global memory ----

enum { BOX = 100, NEIGHBOURS = 9 };

struct boxes {
    float *forces;
    const float *particles;
    size_t count;
    float alpha;
};

static void boxes_range(void *data, size_t begin, size_t end)
{
    const struct boxes b = *(struct boxes *)data;
    for (size_t i = begin * BOX; i < end * BOX; i++) {
        const float *self = &b.particles[4 * i];
        float sum[4] = {0};
        for (size_t k = 0; k < NEIGHBOURS; k++) {
            const size_t box = (i / BOX + k * k) % b.count;
            for (size_t j = 0; j < BOX; j++) {
                const float *other = &b.particles[4 * (box * BOX + j)];
                const float dx = self[0] - other[0], dy = self[1] - other[1],
                            dz = self[2] - other[2];
                const float pull =
                    other[3] * expf(-b.alpha * (dx * dx + dy * dy + dz * dz));
                sum[0] += pull * dx;
                sum[1] += pull * dy;
                sum[2] += pull * dz;
                sum[3] += pull;
            }
        }
        memcpy(&b.forces[4 * i], sum, sizeof sum);
    }
}

static void boxes_native(void *data)
{
    parallel_for(((struct boxes *)data)->count, 1, boxes_range, data);
}

static void box_forces(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    const size_t count = case_size(test, 128, 4), bytes = count * BOX * 4 * sizeof(float);
    struct boxes b = {host_array(count * BOX * 4, sizeof(float)),
                      host_random_floats(count * BOX * 4, 0.0f, 1.0f), count, 0.5f};
    const float zeros[4] = {0};
    const cl_int boxes = (cl_int)count;

    cl_program program = case_build(test, box_forces_cl, "-DBOX=100 -DNEIGHBOURS=9");
    float *nothing = host_array(count * BOX * 4, sizeof(float));
    for (size_t i = 0; i < count * BOX; i++)
        memcpy(&nothing[4 * i], zeros, sizeof zeros);
    cl_mem empty = opencl_buffer(&test->cl, bytes, nothing);
    cl_mem forces = opencl_buffer(&test->cl, bytes, NULL);
    cl_mem particles = opencl_buffer(&test->cl, bytes, b.particles);
    case_copy(test, empty, forces, bytes);
    case_launch_1d(test,
                   KERNEL(program, "box_forces", ARG(forces), ARG(particles), ARG(boxes),
                          ARG(b.alpha)),
                   count * 128, 128);
    case_native(test, boxes_native, NULL, &b);
    case_measure(test, 1e-9 * (double)(count * BOX * BOX * NEIGHBOURS), "Gpair");
    case_expect_floats(test, forces, b.forces, count * BOX * 4, 1e-3, 0);
}

// ---- Sines and cosines of large angles ----

enum { WAVES = 512 };

struct fourier {
    float *real, *imaginary;
    const float *x, *y, *z, *waves;
    size_t count;
};

static void fourier_range(void *data, size_t begin, size_t end)
{
    const struct fourier f = *(struct fourier *)data;
    for (size_t i = begin; i < end; i++) {
        float real = 0.0f, imaginary = 0.0f;
        for (size_t k = 0; k < WAVES; k++) {
            const float *wave = &f.waves[4 * k];
            const float angle =
                6.2831853f * (wave[0] * f.x[i] + wave[1] * f.y[i] + wave[2] * f.z[i]);
            real += wave[3] * cosf(angle);
            imaginary += wave[3] * sinf(angle);
        }
        f.real[i] = real;
        f.imaginary[i] = imaginary;
    }
}

static void fourier_native(void *data)
{
    parallel_for(((struct fourier *)data)->count, 64, fourier_range, data);
}

static void fourier_sums(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    const size_t count = case_size(test, 8192, 256), bytes = count * sizeof(float);
    struct fourier f = {host_array(count, sizeof(float)),
                        host_array(count, sizeof(float)),
                        host_random_floats(count, -1.0f, 1.0f),
                        host_random_floats(count, -1.0f, 1.0f),
                        host_random_floats(count, -1.0f, 1.0f),
                        host_random_floats(4 * WAVES, -20.0f, 20.0f),
                        count};

    cl_program program = case_build(test, fourier_sums_cl, "-DWAVES=512");
    cl_mem real = opencl_buffer(&test->cl, bytes, NULL);
    cl_mem imaginary = opencl_buffer(&test->cl, bytes, NULL);
    cl_mem x = opencl_buffer(&test->cl, bytes, f.x),
           y = opencl_buffer(&test->cl, bytes, f.y);
    cl_mem z = opencl_buffer(&test->cl, bytes, f.z);
    cl_mem waves = opencl_buffer(&test->cl, 4 * WAVES * sizeof(float), f.waves);
    case_launch_1d(test,
                   KERNEL(program, "fourier_sums", ARG(real), ARG(imaginary), ARG(x),
                          ARG(y), ARG(z), ARG(waves)),
                   count, 256);
    case_native(test, fourier_native, NULL, &f);
    case_measure(test, 1e-9 * (double)(count * WAVES), "Gpair");
    /* Angles of 400 are rounded to 3e-5, and sums of 512 of them may lose their digits.
     */
    case_expect_floats(test, real, f.real, count, 0.05, count / 50);
}

// ---- Heat in tiles: barriers in a loop, clamped neighbours ----

enum { TILE = 16, STEPS = 4 };

struct heat {
    float *now, *next;
    const float *in, *power;
    size_t size;
    float rate;
};

static void heat_rows(void *data, size_t begin, size_t end)
{
    const struct heat h = *(struct heat *)data;
    for (size_t y = begin; y < end; y++) {
        const size_t north = y > 0 ? y - 1 : y, south = y + 1 < h.size ? y + 1 : y;
        for (size_t x = 0; x < h.size; x++) {
            const size_t west = x > 0 ? x - 1 : x, east = x + 1 < h.size ? x + 1 : x;
            const float *row = &h.now[y * h.size];
            h.next[y * h.size + x] =
                row[x] + h.power[y * h.size + x] +
                h.rate * (row[west] + row[east] + h.now[north * h.size + x] +
                          h.now[south * h.size + x] - 4.0f * row[x]);
        }
    }
}

static void heat_native(void *data)
{
    struct heat *h = data;
    memcpy(h->now, h->in, h->size * h->size * sizeof(float));
    for (int step = 0; step < STEPS; step++) {
        float *const other = h->next;
        parallel_for(h->size, 16, heat_rows, h);
        h->next = h->now;
        h->now = other;
    }
}

static void heat_tiles(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    const size_t size = case_size(test, 1024, 24), count = size * size;
    const size_t inner = TILE - 2 * STEPS, groups = (size + inner - 1) / inner;
    struct heat h = {host_array(count, sizeof(float)),
                     host_array(count, sizeof(float)),
                     host_random_floats(count, 300.0f, 350.0f),
                     host_random_floats(count, 0.0f, 0.1f),
                     size,
                     0.125f};
    const cl_int n = (cl_int)size, steps = STEPS;

    cl_program program = case_build(test, heat_tiles_cl, "-DTILE=16");
    cl_mem out = opencl_buffer(&test->cl, count * sizeof(float), NULL);
    cl_mem in = opencl_buffer(&test->cl, count * sizeof(float), h.in);
    cl_mem power = opencl_buffer(&test->cl, count * sizeof(float), h.power);
    case_launch_2d(test,
                   KERNEL(program, "heat_tiles", ARG(out), ARG(in), ARG(power), ARG(n),
                          ARG(steps), ARG(h.rate)),
                   groups * TILE, groups * TILE, TILE, TILE);
    case_native(test, heat_native, NULL, &h);
    case_measure(test, 1e-9 * (double)(count * STEPS), "Gpoint");
    case_expect_floats(test, out, h.now, count, 1e-4, 0);
}

const struct benchmark program_kernels[] = {
    {"kernel/elimination", "Gauss' elimination, a launch a step", elimination,
     ONE_PROCESS},
    {"kernel/box_forces", "forces in boxes, sums in global memory", box_forces,
     ONE_PROCESS},
    {"kernel/fourier_sums", "sine and cosine of large angles for each pair", fourier_sums,
     ONE_PROCESS},
    {"kernel/heat_tiles", "steps of a heat equation in tiles with barriers", heat_tiles,
     ONE_PROCESS},
    {0},
};
