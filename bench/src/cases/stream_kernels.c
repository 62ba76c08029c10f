// SPDX-License-Identifier: MIT
/* Kernels limited by memory: streams, strides, gathers. */
#include "cases/kernel_case.h"
#include "cases/lanes.h"
#include "embedded_kernels.h"

enum { GRAIN = 1 << 15 };

// ---- a = b + scale * c, with several ways of choosing the work-group size ----

struct triad {
    float *restrict a;
    const float *restrict b, *restrict c;
    float scale;
    size_t count;
    unsigned repeats;
};

static void triad_range(void *data, size_t begin, size_t end)
{
    struct triad t = *(struct triad *)data;
    for (size_t i = begin; i < end; i++)
        t.a[i] = t.b[i] + t.scale * t.c[i];
}

static void triad_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct triad t = *(struct triad *)data;
    size_t i = begin;
    for (; i + LANES <= end; i += LANES)
        store_lanes(&t.a[i], load_lanes(&t.b[i]) + t.scale * load_lanes(&t.c[i]));
    triad_range(data, i, end);
}

static void triad_native(void *data)
{
    struct triad *t = data;
    for (unsigned i = 0; i < t->repeats; i++)
        parallel_for(t->count, GRAIN, triad_range, data);
}

static void triad_tuned(void *data)
{
    struct triad *t = data;
    for (unsigned i = 0; i < t->repeats; i++)
        parallel_for(t->count, GRAIN, triad_range_in_lanes, data);
}

static void run_triad(const struct options *options, bool float4, size_t count,
                      size_t local, unsigned repeats)
{
    struct kernel_case *test = case_open(options);
    count = case_size(test, count, 1024);
    repeats = (unsigned)case_size(test, repeats, 1);
    size_t size = count * sizeof(float);
    float *b = host_random_floats(count, -1.0f, 1.0f);
    float *c = host_random_floats(count, -1.0f, 1.0f);
    struct triad t = {host_array(count, sizeof *t.a), b, c, 1.5f, count, repeats};

    cl_program program = case_build(test, float4 ? triad_float4_cl : triad_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem left = opencl_buffer(&test->cl, size, t.b);
    cl_mem right = opencl_buffer(&test->cl, size, t.c);
    cl_kernel kernel = KERNEL(program, float4 ? "triad_float4" : "triad", ARG(out),
                              ARG(left), ARG(right), ARG(t.scale));
    for (unsigned i = 0; i < repeats; i++)
        case_launch_1d(test, kernel, float4 ? count / 4 : count, local);
    case_native(test, triad_native, triad_tuned, &t);
    case_measure(test, 3e-9 * (double)size * repeats, "GB");
    case_expect_floats(test, out, t.a, count, 1e-6, 0);
}

static void triad_local_null(const struct options *options)
{
    run_triad(options, false, 1 << 25, 0, 1);
}

static void triad_local_256(const struct options *options)
{
    run_triad(options, false, 1 << 25, 256, 1);
}

static void triad_local_1(const struct options *options)
{
    run_triad(options, false, 1 << 22, 1, 1);
}

/* No work-group size but 1 divides this global size. */
static void triad_prime_size(const struct options *options)
{
    run_triad(options, false, 33554393, 0, 1);
}

/* Fits in the second-level cache of one core: shows the loop itself and the launch. */
static void triad_in_cache(const struct options *options)
{
    run_triad(options, false, 1 << 16, 0, 1000);
}

static void triad_float4(const struct options *options)
{
    run_triad(options, true, 1 << 25, 0, 1);
}

// ---- an array of structures ----

struct particle {
    float position[3];
    float velocity[3];
    float mass;
    float age;
};

struct particles {
    struct particle *moved;
    const struct particle *initial;
    size_t count;
    float step;
};

static void move_range(void *data, size_t begin, size_t end)
{
    struct particles *particles = data;
    float step = particles->step;
    for (size_t i = begin; i < end; i++) {
        struct particle p = particles->initial[i];
        float drag = 1.0f - step * p.mass;
        for (int axis = 0; axis < 3; axis++) {
            p.velocity[axis] *= drag;
            p.position[axis] += step * p.velocity[axis];
        }
        p.age += step;
        particles->moved[i] = p;
    }
}

static void move_native(void *data)
{
    parallel_for(((struct particles *)data)->count, GRAIN, move_range, data);
}

static void struct_array(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 22, 256);
    size_t floats = count * sizeof(struct particle) / sizeof(float);
    size_t size = count * sizeof(struct particle);
    struct particles p = {
        .moved = host_array(count, sizeof(struct particle)),
        .initial = (const struct particle *)host_random_floats(floats, -1.0f, 1.0f),
        .count = count,
        .step = 0.01f,
    };

    cl_program program = case_build(test, struct_array_cl, "");
    cl_mem initial = opencl_buffer(&test->cl, size, p.initial);
    cl_mem moved = opencl_buffer(&test->cl, size, NULL);
    cl_kernel kernel =
        KERNEL(program, "move_particles", ARG(moved), ARG(initial), ARG(p.step));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, move_native, NULL, &p);
    case_measure(test, 2e-9 * (double)size, "GB");
    case_expect_floats(test, moved, (const float *)p.moved, floats, 1e-6, 0);
}

// ---- random reads ----

struct gather {
    float *out;
    const float *in;
    const uint32_t *index;
    size_t count;
};

static void gather_range(void *data, size_t begin, size_t end)
{
    struct gather *g = data;
    for (size_t i = begin; i < end; i++)
        g->out[i] = g->in[g->index[i]];
}

static void gather_native(void *data)
{
    parallel_for(((struct gather *)data)->count, GRAIN, gather_range, data);
}

static void gather(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 23, 1024);
    size_t table =
        case_size(test, 1 << 20, 256); /* 4 MiB: beyond the second-level cache */
    uint32_t *index = host_random_words(count);
    for (size_t i = 0; i < count; i++)
        index[i] %= table;
    struct gather g = {host_array(count, sizeof(float)),
                       host_random_floats(table, 0.0f, 1.0f), index, count};

    cl_program program = case_build(test, gather_cl, "");
    cl_mem out = opencl_buffer(&test->cl, count * sizeof(float), NULL);
    cl_mem in = opencl_buffer(&test->cl, table * sizeof(float), g.in);
    cl_mem positions = opencl_buffer(&test->cl, count * sizeof(uint32_t), g.index);
    cl_kernel kernel = KERNEL(program, "gather", ARG(out), ARG(in), ARG(positions));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, gather_native, NULL, &g);
    case_measure(test, 1e-9 * (double)count, "Gitem");
    case_expect_floats(test, out, g.out, count, 0.0, 0);
}

// ---- matrix transpose through local memory ----

enum { TILE = 16 }; /* as in transpose.cl */

struct transpose {
    float *out;
    const float *in;
    size_t width, height;
};

static void transpose_range(void *data, size_t begin, size_t end)
{
    struct transpose *t = data;
    for (size_t y0 = begin * TILE; y0 < end * TILE; y0 += TILE)
        for (size_t x0 = 0; x0 < t->width; x0 += TILE)
            for (size_t x = x0; x < x0 + TILE; x++)
                for (size_t y = y0; y < y0 + TILE; y++)
                    t->out[x * t->height + y] = t->in[y * t->width + x];
}

static void transpose_native(void *data)
{
    parallel_for(((struct transpose *)data)->height / TILE, 4, transpose_range, data);
}

static void transpose(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    cl_uint width = (cl_uint)case_size(test, 4096 + 64, 48);
    cl_uint height = (cl_uint)case_size(test, 2048 + 64, 32);
    size_t count = (size_t)width * height, size = count * sizeof(float);
    struct transpose t = {host_array(count, sizeof(float)),
                          host_random_floats(count, 0.0f, 1.0f), width, height};

    cl_program program = case_build(test, transpose_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem in = opencl_buffer(&test->cl, size, t.in);
    cl_kernel kernel =
        KERNEL(program, "transpose", ARG(out), ARG(in), ARG(width), ARG(height));
    case_launch_2d(test, kernel, width, height, TILE, TILE);
    case_native(test, transpose_native, NULL, &t);
    case_measure(test, 2e-9 * (double)size, "GB");
    case_expect_floats(test, out, t.out, count, 0.0, 0);
}

const struct benchmark stream_kernels[] = {
    {"kernel/triad_local_null", "a = b + s * c, local size NULL", triad_local_null,
     ONE_PROCESS},
    {"kernel/triad_local_256", "the same, work-groups of 256", triad_local_256,
     ONE_PROCESS},
    {"kernel/triad_local_1", "the same, work-groups of 1", triad_local_1, ONE_PROCESS},
    {"kernel/triad_prime_size", "the same, prime global size, local NULL",
     triad_prime_size, ONE_PROCESS},
    {"kernel/triad_in_cache", "the same, 64 Ki items", triad_in_cache, ONE_PROCESS},
    {"kernel/triad_float4", "the same on float4", triad_float4, ONE_PROCESS},
    {"kernel/struct_array", "update of an array of structures", struct_array,
     ONE_PROCESS},
    {"kernel/gather", "random reads from 4 MiB", gather, ONE_PROCESS},
    {"kernel/transpose", "16x16 tiles through local memory", transpose, ONE_PROCESS},
    {0},
};
