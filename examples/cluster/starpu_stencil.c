// SPDX-License-Identifier: MIT
// Heat in a plane that is cut into strips of rows, with StarPU. A strip's first and last
// row are data of their own, since they are all that its neighbours read: between ranks
// nothing else travels. All is there twice, so that a step writes what none reads.
//
//   mpirun -n 4 starpu_stencil [--width 1024] [--height 256] [--strips 2] [--steps 20]
//   height of a strip; strips a rank
#include "cluster.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A part of the plane: the rows of a strip, or one row that its neighbours read.
struct part {
    starpu_data_handle_t handle[2]; // of even and of odd steps
    float *values[2];               // NULL where another rank has them
};

struct strip {
    struct part first, rows, last;
};

struct plane {
    int width, height, strips, steps; // height of a strip
    struct strip *strip;
    struct part outside[2]; // zeros above the first strip and below the last
    int tag;                // of the next part
};

static void *allocate(size_t bytes)
{
    void *block = calloc(1, bytes);

    if (!block)
        abort();
    return block;
}

static float at_start(const struct plane *p, int row, int column)
{
    return row < 0 || row >= p->strips * p->height
               ? 0
               : (float)((row * 31 + column * 17) % 101);
}

static void make_part(struct plane *p, struct part *part, struct ranks ranks, int rank,
                      int row, int count)
{
    for (int odd = 0; odd < 2; odd++) {
        if (rank == ranks.self) {
            part->values[odd] =
                allocate((size_t)count * (size_t)p->width * sizeof(float));
            for (int i = 0; i < count * p->width; i++)
                part->values[odd][i] = at_start(p, row + i / p->width, i % p->width);
        }
        starpu_vector_data_register(
            &part->handle[odd], part->values[odd] ? STARPU_MAIN_RAM : -1,
            (uintptr_t)part->values[odd], (uint32_t)(count * p->width), sizeof(float));
        starpu_mpi_data_register(part->handle[odd], p->tag++, rank);
    }
}

static void make(struct plane *p, struct ranks ranks, int strips_a_rank)
{
    const int last = p->strips - 1;

    p->strip = allocate((size_t)p->strips * sizeof *p->strip);
    for (int i = 0; i < p->strips; i++) {
        const int rank = i / strips_a_rank, row = i * p->height;

        make_part(p, &p->strip[i].first, ranks, rank, row, 1);
        make_part(p, &p->strip[i].rows, ranks, rank, row, p->height);
        make_part(p, &p->strip[i].last, ranks, rank, row + p->height - 1, 1);
    }
    make_part(p, &p->outside[0], ranks, 0, -1, 1);
    make_part(p, &p->outside[1], ranks, last / strips_a_rank, p->strips * p->height, 1);
}

static void unregister_part(struct part *part)
{
    starpu_data_unregister(part->handle[0]);
    starpu_data_unregister(part->handle[1]);
}

// The values are in main memory afterwards.
static void unregister(struct plane *p)
{
    for (int i = 0; i < p->strips; i++) {
        unregister_part(&p->strip[i].first);
        unregister_part(&p->strip[i].rows);
        unregister_part(&p->strip[i].last);
    }
    unregister_part(&p->outside[0]);
    unregister_part(&p->outside[1]);
}

static void destroy_part(struct part *part)
{
    free(part->values[0]);
    free(part->values[1]);
}

static void destroy(struct plane *p)
{
    for (int i = 0; i < p->strips; i++) {
        destroy_part(&p->strip[i].first);
        destroy_part(&p->strip[i].rows);
        destroy_part(&p->strip[i].last);
    }
    destroy_part(&p->outside[0]);
    destroy_part(&p->outside[1]);
    free(p->strip);
}

static void heat(void *buffers[], void *argument)
{
    cl_command_queue queue;
    cl_kernel kernel = cluster_kernel("heat", &queue);
    int width, height;

    starpu_codelet_unpack_args(argument, &width, &height);
    for (cl_uint i = 0; i < 6; i++) {
        cl_mem mem = (cl_mem)STARPU_VECTOR_GET_DEV_HANDLE(buffers[i]);

        clSetKernelArg(kernel, i, sizeof mem, &mem);
    }
    clSetKernelArg(kernel, 6, sizeof height, &height);
    cluster_enqueue(kernel, queue, (const size_t[]){(size_t)width, (size_t)height});
}

static struct starpu_codelet step = {
    .where = STARPU_OPENCL,
    .opencl_funcs = {heat},
    .nbuffers = 6,
    .modes = {STARPU_R, STARPU_R, STARPU_R, STARPU_W, STARPU_W, STARPU_W},
    .name = "heat",
};

static void run_step(struct plane *p, int number)
{
    const int from = number % 2, to = 1 - from;

    for (int i = 0; i < p->strips; i++) {
        const struct strip *s = &p->strip[i];
        const struct part *above = i > 0 ? &s[-1].last : &p->outside[0];
        const struct part *below = i < p->strips - 1 ? &s[1].first : &p->outside[1];

        starpu_mpi_task_insert(
            MPI_COMM_WORLD, &step, STARPU_R, above->handle[from], STARPU_R,
            s->rows.handle[from], STARPU_R, below->handle[from], STARPU_W,
            s->rows.handle[to], STARPU_W, s->first.handle[to], STARPU_W,
            s->last.handle[to], STARPU_VALUE, &p->width, sizeof p->width, STARPU_VALUE,
            &p->height, sizeof p->height, 0);
    }
}

// Computes the strip anew from the start, with as many rows above and below as all steps
// reach, and compares bit by bit.
static bool strip_is_right(const struct plane *p, int index)
{
    const int width = p->width, top = index * p->height - p->steps,
              rows = p->height + 2 * p->steps;
    const size_t bytes = (size_t)rows * (size_t)width * sizeof(float);
    float *from = allocate(bytes), *to = allocate(bytes);
    bool right;

    for (int i = 0; i < rows * width; i++)
        from[i] = at_start(p, top + i / width, i % width);
    for (int s = 0; s < p->steps; s++) {
        float *swap = from;

        for (int y = 1; y < rows - 1; y++) {
            if (top + y < 0 || top + y >= p->strips * p->height)
                continue; // zeros, in both
            for (int x = 0; x < width; x++) {
                const float *at = from + y * width + x;

                to[y * width + x] =
                    0.25f * ((at[-width] + at[width]) +
                             ((x > 0 ? at[-1] : 0) + (x < width - 1 ? at[1] : 0)));
            }
        }
        from = to;
        to = swap;
    }
    right = !memcmp(from + p->steps * width, p->strip[index].rows.values[p->steps % 2],
                    (size_t)p->height * (size_t)width * sizeof(float));
    free(from);
    free(to);
    return right;
}

int main(int argc, char **argv)
{
    const struct ranks ranks = cluster_start(&argc, &argv);
    const int strips_a_rank = cluster_option(argc, argv, "strips", 2);
    struct plane plane = {.width = cluster_option(argc, argv, "width", 1024),
                          .height = cluster_option(argc, argv, "height", 256),
                          .strips = ranks.count * strips_a_rank,
                          .steps = cluster_option(argc, argv, "steps", 20)};
    double start, time_us;
    bool right = true;

    make(&plane, ranks, strips_a_rank);
    start = cluster_time_us();
    for (int i = 0; i < plane.steps; i++)
        run_step(&plane, i);
    time_us = cluster_time_us() - start;
    if (ranks.self == 0)
        printf("%d ranks, %d steps of %d x %d points: %.1f ms, %.1f million points a "
               "second\n",
               ranks.count, plane.steps, plane.width, plane.strips * plane.height,
               time_us / 1e3,
               (double)plane.steps * plane.width * plane.strips * plane.height / time_us);
    unregister(&plane);
    for (int i = 0; i < plane.strips; i++)
        right &= !plane.strip[i].rows.values[0] || strip_is_right(&plane, i);
    destroy(&plane);
    return cluster_end(ranks, right);
}
