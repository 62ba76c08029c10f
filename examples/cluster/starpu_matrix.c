// SPDX-License-Identifier: MIT
// C = A B in square blocks, spread over ranks like the colours of a chess board, with
// StarPU. Every rank inserts the same tasks: StarPU-MPI runs each where its block of C
// lies, and sends the blocks of A and B that it reads.
//
//   mpirun -n 4 starpu_matrix [--blocks 4] [--size 256]      blocks a side; rows and
//   columns of each
#include "cluster.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int blocks, size;
    starpu_data_handle_t *handles;
    float **values; // NULL where another rank has them
};

// Small integers, so that sums of their products are exact in any order.
static float element_of_a(int row, int column)
{
    return (float)((row * 7 + column * 3) % 11 - 5);
}

static float element_of_b(int row, int column)
{
    return (float)((row * 5 + column * 13) % 7 - 3);
}

static float zero(int row, int column)
{
    (void)row, (void)column;
    return 0;
}

static int owner(struct ranks ranks, int row, int column)
{
    int down = 1;

    for (int i = 1; i * i <= ranks.count; i++) // the grid of ranks, as square as may be
        if (ranks.count % i == 0)
            down = i;
    return row % down * (ranks.count / down) + column % (ranks.count / down);
}

static void *allocate(size_t bytes)
{
    void *block = calloc(1, bytes);

    if (!block)
        abort();
    return block;
}

static struct matrix make(struct ranks ranks, int blocks, int size, int number,
                          float (*element)(int, int))
{
    const size_t count = (size_t)blocks * (size_t)blocks;
    struct matrix m = {blocks, size, allocate(count * sizeof *m.handles),
                       allocate(count * sizeof *m.values)};

    for (int i = 0; i < (int)count; i++) {
        const int row = i / blocks, column = i % blocks, rank = owner(ranks, row, column);

        if (rank == ranks.self) {
            m.values[i] = allocate((size_t)size * (size_t)size * sizeof(float));
            for (int y = 0; y < size; y++)
                for (int x = 0; x < size; x++)
                    m.values[i][y * size + x] =
                        element(row * size + y, column * size + x);
        }
        starpu_matrix_data_register(&m.handles[i], m.values[i] ? STARPU_MAIN_RAM : -1,
                                    (uintptr_t)m.values[i], (uint32_t)size,
                                    (uint32_t)size, (uint32_t)size, sizeof(float));
        starpu_mpi_data_register(m.handles[i], number * (int)count + i, rank);
    }
    return m;
}

// The values are in main memory afterwards.
static void unregister(struct matrix *m)
{
    for (int i = 0; i < m->blocks * m->blocks; i++)
        starpu_data_unregister(m->handles[i]);
    free(m->handles);
}

static void destroy(struct matrix *m)
{
    for (int i = 0; i < m->blocks * m->blocks; i++)
        free(m->values[i]);
    free(m->values);
}

static void multiply_add(void *buffers[], void *argument)
{
    cl_mem a = (cl_mem)STARPU_MATRIX_GET_DEV_HANDLE(buffers[0]),
           b = (cl_mem)STARPU_MATRIX_GET_DEV_HANDLE(buffers[1]);
    cl_mem c = (cl_mem)STARPU_MATRIX_GET_DEV_HANDLE(buffers[2]);
    const int size = (int)STARPU_MATRIX_GET_NX(buffers[2]);
    cl_command_queue queue;
    cl_kernel kernel = cluster_kernel("multiply_add", &queue);

    (void)argument;
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof b, &b);
    clSetKernelArg(kernel, 2, sizeof c, &c);
    clSetKernelArg(kernel, 3, sizeof size, &size);
    cluster_enqueue(kernel, queue, (const size_t[]){(size_t)size, (size_t)size});
}

static struct starpu_codelet product = {
    .where = STARPU_OPENCL,
    .opencl_funcs = {multiply_add},
    .nbuffers = 3,
    .modes = {STARPU_R, STARPU_R, STARPU_RW},
    .name = "multiply_add",
};

static void multiply(struct matrix *a, struct matrix *b, struct matrix *c)
{
    const int n = c->blocks;

    for (int k = 0; k < n; k++)
        for (int i = 0; i < n * n; i++)
            starpu_mpi_task_insert(
                MPI_COMM_WORLD, &product, STARPU_R, a->handles[i / n * n + k], STARPU_R,
                b->handles[k * n + i % n], STARPU_RW, c->handles[i], 0);
}

// Whether C x = A (B x) for the columns of one block, and x = 1, 2, .. 17, 1, 2, ..:
// exact, and n times cheaper than the product.
static bool block_is_right(const struct matrix *c, int index)
{
    const int n = c->blocks * c->size, row = index / c->blocks * c->size,
              column = index % c->blocks * c->size;
    int64_t *b_x = allocate((size_t)n * sizeof *b_x);
    bool right = true;

    for (int k = 0; k < n; k++)
        for (int x = 0; x < c->size; x++)
            b_x[k] += (int64_t)element_of_b(k, column + x) * (x % 17 + 1);
    for (int y = 0; y < c->size; y++) {
        int64_t wanted = 0, got = 0;

        for (int k = 0; k < n; k++)
            wanted += (int64_t)element_of_a(row + y, k) * b_x[k];
        for (int x = 0; x < c->size; x++)
            got += (int64_t)c->values[index][y * c->size + x] * (x % 17 + 1);
        right &= got == wanted;
    }
    free(b_x);
    return right;
}

int main(int argc, char **argv)
{
    const struct ranks ranks = cluster_start(&argc, &argv);
    const int blocks = cluster_option(argc, argv, "blocks", 4),
              size = cluster_option(argc, argv, "size", 256);
    struct matrix a = make(ranks, blocks, size, 0, element_of_a),
                  b = make(ranks, blocks, size, 1, element_of_b);
    struct matrix c = make(ranks, blocks, size, 2, zero);
    const double start = cluster_time_us(), n = (double)blocks * size;
    bool right = true;
    double time_us;

    multiply(&a, &b, &c);
    time_us = cluster_time_us() - start;
    if (ranks.self == 0)
        printf("%d ranks, matrices of %.0f x %.0f: %.1f ms, %.2f GFLOP/s\n", ranks.count,
               n, n, time_us / 1e3, 2 * n * n * n / time_us / 1e3);
    unregister(&a);
    unregister(&b);
    unregister(&c);
    for (int i = 0; i < blocks * blocks; i++)
        right &= !c.values[i] || block_is_right(&c, i);
    destroy(&a);
    destroy(&b);
    destroy(&c);
    return cluster_end(ranks, right);
}
