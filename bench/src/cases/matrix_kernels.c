// SPDX-License-Identifier: MIT
/* Dense and sparse matrices, and a distance search. */
#include <math.h>

#include "cases/kernel_case.h"
#include "cases/lanes.h"
#include "embedded_kernels.h"

// ---- matrix product ----

enum { TILE = 16 }; /* as in matmul_tiled.cl */

struct matmul {
    float *restrict c;
    const float *restrict a, *restrict b;
    size_t n;
    unsigned repeats;
};

static void matmul_rows(void *data, size_t begin, size_t end)
{
    struct matmul m = *(struct matmul *)data;
    for (size_t row = begin; row < end; row++) {
        float *restrict c = &m.c[row * m.n];
        for (size_t column = 0; column < m.n; column++)
            c[column] = 0.0f;
        for (size_t k = 0; k < m.n; k++) {
            float a = m.a[row * m.n + k];
            const float *restrict b = &m.b[k * m.n];
            for (size_t column = 0; column < m.n; column++)
                c[column] += a * b[column];
        }
    }
}

enum { PANEL_ROWS = 6, PANEL_COLUMNS = 2 * LANES, PANEL_DEPTH = 768 };

/* Rows [row, row + rows) of c times a packed panel of b. */
static void multiply_panel(const struct matmul *m, const float *panel, size_t row,
                           size_t rows, size_t column)
{
    float_lanes sum[PANEL_ROWS][2] = {0};
    for (size_t k = 0; k < m->n; k++) {
        float_lanes b0 = load_lanes(&panel[k * PANEL_COLUMNS]);
        float_lanes b1 = load_lanes(&panel[k * PANEL_COLUMNS + LANES]);
        for (size_t r = 0; r < PANEL_ROWS; r++) {
            float a = m->a[(row + (r < rows ? r : 0)) * m->n + k];
            sum[r][0] += a * b0;
            sum[r][1] += a * b1;
        }
    }
    for (size_t r = 0; r < rows; r++) {
        store_lanes(&m->c[(row + r) * m->n + column], sum[r][0]);
        store_lanes(&m->c[(row + r) * m->n + column + LANES], sum[r][1]);
    }
}

static void matmul_panels(void *data, size_t begin, size_t end)
{
    struct matmul m = *(struct matmul *)data;
    static _Thread_local float panel[PANEL_DEPTH * PANEL_COLUMNS]
        __attribute__((aligned(LANES * sizeof(float))));
    for (size_t column = begin * PANEL_COLUMNS; column < end * PANEL_COLUMNS;
         column += PANEL_COLUMNS) {
        for (size_t k = 0; k < m.n; k++)
            memcpy(&panel[k * PANEL_COLUMNS], &m.b[k * m.n + column],
                   PANEL_COLUMNS * sizeof(float));
        for (size_t row = 0; row < m.n; row += PANEL_ROWS)
            multiply_panel(&m, panel, row,
                           m.n - row < PANEL_ROWS ? m.n - row : PANEL_ROWS, column);
    }
}

static void matmul_native(void *data)
{
    struct matmul *m = data;
    for (unsigned i = 0; i < m->repeats; i++)
        parallel_for(m->n, 16, matmul_rows, data);
}

static void matmul_tuned(void *data)
{
    struct matmul *m = data;
    for (unsigned i = 0; i < m->repeats; i++)
        parallel_for(m->n / PANEL_COLUMNS, 1, matmul_panels, data);
}

enum { JAM_ROWS = 4 };

/* The naive kernel in lanes: work-groups of LANES columns and JAM_ROWS rows. */
static void matmul_rows_in_lanes(void *data, size_t begin, size_t end)
{
    struct matmul m = *(struct matmul *)data;
    for (size_t row = begin * JAM_ROWS; row < end * JAM_ROWS; row += JAM_ROWS) {
        for (size_t column = 0; column < m.n; column += 4 * LANES) {
            float_lanes sum[JAM_ROWS][4] = {0};
            for (size_t k = 0; k < m.n; k++)
                for (size_t v = 0; v < 4; v++)
                    for (size_t r = 0; r < JAM_ROWS; r++)
                        sum[r][v] += m.a[(row + r) * m.n + k] *
                                     load_lanes(&m.b[k * m.n + column + v * LANES]);
            for (size_t r = 0; r < JAM_ROWS; r++)
                for (size_t v = 0; v < 4; v++)
                    store_lanes(&m.c[(row + r) * m.n + column + v * LANES], sum[r][v]);
        }
    }
}

/* One work-group of the tiled kernel in lanes: a loop over its rows for each region. */
static void multiply_tiles(const struct matmul *m, size_t row, size_t column)
{
    float a_tile[TILE][TILE], b_tile[TILE][TILE], sum[TILE][TILE] = {{0}};
    for (size_t tile = 0; tile < m->n; tile += TILE) {
        for (size_t y = 0; y < TILE; y++) {
            memcpy(a_tile[y], &m->a[(row + y) * m->n + tile], sizeof a_tile[y]);
            memcpy(b_tile[y], &m->b[(tile + y) * m->n + column], sizeof b_tile[y]);
        }
        for (size_t y = 0; y < TILE; y++) {
            for (size_t x = 0; x < TILE; x += LANES) {
                float_lanes s = load_lanes(&sum[y][x]);
                for (size_t k = 0; k < TILE; k++)
                    s += a_tile[y][k] * load_lanes(&b_tile[k][x]);
                store_lanes(&sum[y][x], s);
            }
        }
    }
    for (size_t y = 0; y < TILE; y++)
        memcpy(&m->c[(row + y) * m->n + column], sum[y], sizeof sum[y]);
}

static void matmul_tile_rows(void *data, size_t begin, size_t end)
{
    struct matmul *m = data;
    for (size_t row = begin * TILE; row < end * TILE; row += TILE)
        for (size_t column = 0; column < m->n; column += TILE)
            multiply_tiles(m, row, column);
}

static void matmul_naive_in_lanes(void *data)
{
    struct matmul *m = data;
    for (unsigned i = 0; i < m->repeats; i++)
        parallel_for(m->n / JAM_ROWS, 4, matmul_rows_in_lanes, data);
}

static void matmul_tiled_in_lanes(void *data)
{
    struct matmul *m = data;
    for (unsigned i = 0; i < m->repeats; i++)
        parallel_for(m->n / TILE, 1, matmul_tile_rows, data);
}

/* n is a multiple of 4 * LANES; 256 fits into the second-level cache. */
struct matmul_plan {
    const char *source, *kernel_name;
    size_t n, local[2]; /* local[0] 0: the implementation chooses */
    size_t each;        /* rows and columns of a work-item; 0: one */
    unsigned repeats;
    void (*tuned)(void *data);
};

static void run_matmul(const struct options *options, const struct matmul_plan *plan)
{
    struct kernel_case *test = case_open(options);
    cl_uint n = (cl_uint)case_size(test, plan->n, 4 * LANES);
    size_t count = (size_t)n * n, size = count * sizeof(float);
    struct matmul m = {host_array(count, sizeof(float)),
                       host_random_floats(count, -1.0f, 1.0f),
                       host_random_floats(count, -1.0f, 1.0f), n,
                       (unsigned)case_size(test, plan->repeats, 1)};

    cl_program program = case_build(test, plan->source, "");
    cl_mem c = opencl_buffer(&test->cl, size, NULL);
    cl_mem a = opencl_buffer(&test->cl, size, m.a);
    cl_mem b = opencl_buffer(&test->cl, size, m.b);
    cl_kernel kernel = KERNEL(program, plan->kernel_name, ARG(c), ARG(a), ARG(b), ARG(n));
    const size_t items = plan->each ? n / plan->each : n;
    for (unsigned i = 0; i < m.repeats; i++)
        case_launch_2d(test, kernel, items, items, plan->local[0], plan->local[1]);
    case_native(test, matmul_native, plan->tuned, &m);
    case_measure(test, 2e-9 * (double)n * n * n * m.repeats, "GFLOP");
    case_expect_floats(test, c, m.c, count, 1e-4, 0);
}

static void matmul_naive(const struct options *options)
{
    run_matmul(options, &(struct matmul_plan){.source = matmul_naive_cl,
                                              .kernel_name = "matmul_naive",
                                              .n = PANEL_DEPTH,
                                              .repeats = 1,
                                              .tuned = matmul_tuned});
}

static void matmul_naive_local_16x16(const struct options *options)
{
    run_matmul(options, &(struct matmul_plan){.source = matmul_naive_cl,
                                              .kernel_name = "matmul_naive",
                                              .n = PANEL_DEPTH,
                                              .local = {16, 16},
                                              .repeats = 1,
                                              .tuned = matmul_tuned});
}

static void matmul_naive_in_cache(const struct options *options)
{
    run_matmul(options, &(struct matmul_plan){.source = matmul_naive_cl,
                                              .kernel_name = "matmul_naive",
                                              .n = 256,
                                              .local = {64, JAM_ROWS},
                                              .repeats = 20,
                                              .tuned = matmul_naive_in_lanes});
}

static void matmul_tiled(const struct options *options)
{
    run_matmul(options, &(struct matmul_plan){.source = matmul_tiled_cl,
                                              .kernel_name = "matmul_tiled",
                                              .n = PANEL_DEPTH,
                                              .local = {TILE, TILE},
                                              .repeats = 1,
                                              .tuned = matmul_tuned});
}

static void matmul_tiled_in_cache(const struct options *options)
{
    run_matmul(options, &(struct matmul_plan){.source = matmul_tiled_cl,
                                              .kernel_name = "matmul_tiled",
                                              .n = 256,
                                              .local = {TILE, TILE},
                                              .repeats = 20,
                                              .tuned = matmul_tiled_in_lanes});
}

static void matmul_blocks(const struct options *options)
{
    run_matmul(options, &(struct matmul_plan){.source = matmul_blocks_cl,
                                              .kernel_name = "matmul_blocks",
                                              .n = PANEL_DEPTH,
                                              .local = {8, 8},
                                              .each = 4,
                                              .repeats = 1,
                                              .tuned = matmul_tuned});
}

// ---- sparse matrix times vector ----

struct spmv {
    float *y;
    const float *x, *values;
    const uint32_t *columns, *row_starts;
    size_t rows;
};

static void spmv_range(void *data, size_t begin, size_t end)
{
    struct spmv s = *(struct spmv *)data;
    for (size_t row = begin; row < end; row++) {
        float sum = 0.0f;
        for (uint32_t k = s.row_starts[row]; k < s.row_starts[row + 1]; k++)
            sum += s.values[k] * s.x[s.columns[k]];
        s.y[row] = sum;
    }
}

static void spmv_native(void *data)
{
    parallel_for(((struct spmv *)data)->rows, 4096, spmv_range, data);
}

static void spmv_csr(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t rows = case_size(test, 1 << 19, 256);
    uint32_t *row_starts = host_array(rows + 1, sizeof(uint32_t));
    for (size_t row = 0; row < rows; row++)
        row_starts[row + 1] = row_starts[row] + random_word() % 33;
    size_t entries = row_starts[rows];
    uint32_t *columns = host_random_words(entries);
    for (size_t k = 0; k < entries; k++)
        columns[k] %= rows;
    struct spmv s = {host_array(rows, sizeof(float)),
                     host_random_floats(rows, -1.0f, 1.0f),
                     host_random_floats(entries, -1.0f, 1.0f),
                     columns,
                     row_starts,
                     rows};

    cl_program program = case_build(test, spmv_csr_cl, "");
    cl_mem y = opencl_buffer(&test->cl, rows * sizeof(float), NULL);
    cl_mem x = opencl_buffer(&test->cl, rows * sizeof(float), s.x);
    cl_mem values = opencl_buffer(&test->cl, entries * sizeof(float), s.values);
    cl_mem column_buffer = opencl_buffer(&test->cl, entries * sizeof(uint32_t), columns);
    cl_mem start_buffer =
        opencl_buffer(&test->cl, (rows + 1) * sizeof(uint32_t), row_starts);
    cl_kernel kernel = KERNEL(program, "spmv_csr", ARG(y), ARG(x), ARG(values),
                              ARG(column_buffer), ARG(start_buffer));
    case_launch_1d(test, kernel, rows, 0);
    case_native(test, spmv_native, NULL, &s);
    case_measure(test, 2e-9 * (double)entries, "GFLOP");
    case_expect_floats(test, y, s.y, rows, 1e-5, 0);
}

// ---- k-means: the nearest of some centres ----

struct kmeans {
    uint32_t *nearest;
    const float *features, *centres;
    uint32_t points, dimensions, clusters;
};

static void kmeans_range(void *data, size_t begin, size_t end)
{
    struct kmeans m = *(struct kmeans *)data;
    for (size_t point = begin; point < end; point++) {
        float best = INFINITY;
        uint32_t best_cluster = 0;
        for (uint32_t cluster = 0; cluster < m.clusters; cluster++) {
            float distance = 0.0f;
            for (uint32_t d = 0; d < m.dimensions; d++) {
                float difference = m.features[(size_t)d * m.points + point] -
                                   m.centres[cluster * m.dimensions + d];
                distance += difference * difference;
            }
            if (distance < best) {
                best = distance;
                best_cluster = cluster;
            }
        }
        m.nearest[point] = best_cluster;
    }
}

static void kmeans_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct kmeans m = *(struct kmeans *)data;
    for (size_t point = begin; point < end; point += LANES) {
        float_lanes best = {0};
        int_lanes best_cluster = {0};
        best += INFINITY;
        for (uint32_t cluster = 0; cluster < m.clusters; cluster++) {
            float_lanes distance = {0};
            for (uint32_t d = 0; d < m.dimensions; d++) {
                float_lanes difference =
                    load_lanes(&m.features[(size_t)d * m.points + point]) -
                    m.centres[cluster * m.dimensions + d];
                distance += difference * difference;
            }
            int_lanes nearer = distance < best;
            best = select_lanes(nearer, distance, best);
            best_cluster = (nearer & (int32_t)cluster) | (~nearer & best_cluster);
        }
        memcpy(&m.nearest[point], &best_cluster, sizeof best_cluster);
    }
}

static void kmeans_native(void *data)
{
    parallel_for(((struct kmeans *)data)->points, 4096, kmeans_range, data);
}

static void kmeans_tuned(void *data)
{
    parallel_for(((struct kmeans *)data)->points, 4096, kmeans_range_in_lanes, data);
}

static void kmeans_assign(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    struct kmeans m = {
        .points = (uint32_t)case_size(test, 1 << 18, 256),
        .dimensions = 16,
        .clusters = 32,
    };
    size_t features = (size_t)m.points * m.dimensions,
           centres = m.clusters * m.dimensions;
    m.nearest = host_array(m.points, sizeof(uint32_t));
    m.features = host_random_floats(features, 0.0f, 1.0f);
    m.centres = host_random_floats(centres, 0.0f, 1.0f);

    cl_program program = case_build(test, kmeans_assign_cl, "");
    cl_mem nearest = opencl_buffer(&test->cl, m.points * sizeof(uint32_t), NULL);
    cl_mem feature_buffer =
        opencl_buffer(&test->cl, features * sizeof(float), m.features);
    cl_mem centre_buffer = opencl_buffer(&test->cl, centres * sizeof(float), m.centres);
    cl_kernel kernel =
        KERNEL(program, "kmeans_assign", ARG(nearest), ARG(feature_buffer),
               ARG(centre_buffer), ARG(m.points), ARG(m.dimensions), ARG(m.clusters));
    case_launch_1d(test, kernel, m.points, 256);
    case_native(test, kmeans_native, kmeans_tuned, &m);
    case_measure(test, 3e-9 * (double)features * m.clusters, "GFLOP");
    case_expect_words(test, nearest, m.nearest, m.points, m.points / 1000);
}

// ---- shortest paths: n small launches over one matrix ----

struct shortest_paths {
    uint32_t *distance;
    const uint32_t *initial;
    size_t n, k;
};

static void shortest_paths_rows(void *data, size_t begin, size_t end)
{
    struct shortest_paths s = *(struct shortest_paths *)data;
    const uint32_t *from_k = &s.distance[s.k * s.n];
    for (size_t y = begin; y < end; y++) {
        uint32_t *row = &s.distance[y * s.n];
        uint32_t to_k = row[s.k];
        for (size_t x = 0; x < s.n; x++) {
            uint32_t detour = to_k + from_k[x];
            row[x] = detour < row[x] ? detour : row[x];
        }
    }
}

static void shortest_paths_native(void *data)
{
    struct shortest_paths *s = data;
    memcpy(s->distance, s->initial, s->n * s->n * sizeof *s->distance);
    for (s->k = 0; s->k < s->n; s->k++)
        parallel_for(s->n, 64, shortest_paths_rows, s);
}

static void shortest_paths(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    cl_uint n = (cl_uint)case_size(test, 512, 16);
    size_t count = (size_t)n * n, size = count * sizeof(uint32_t);
    uint32_t *initial = host_random_words(count);
    for (size_t i = 0; i < count; i++)
        initial[i] = initial[i] % 10 ? 1000000 : initial[i] % 1000;
    struct shortest_paths s = {host_array(count, sizeof(uint32_t)), initial, n, 0};

    cl_program program = case_build(test, shortest_paths_cl, "");
    cl_mem start = opencl_buffer(&test->cl, size, s.initial);
    cl_mem distance = opencl_buffer(&test->cl, size, NULL);
    case_copy(test, start, distance, size);
    for (cl_uint k = 0; k < n; k++) {
        cl_kernel kernel =
            KERNEL(program, "shortest_paths_step", ARG(distance), ARG(n), ARG(k));
        case_launch_2d(test, kernel, n, n, 0, 0);
    }
    case_native(test, shortest_paths_native, NULL, &s);
    case_measure(test, 1e-9 * (double)n * n * n, "Gstep");
    case_expect_words(test, distance, s.distance, count, 0);
}

// ---- products of all pairs of columns ----

struct column_products {
    float *products;
    const float *matrix;
    size_t columns, rows;
};

/* Row by row of the matrix, so that a row of products is made side by side. */
static void column_products_range(void *data, size_t begin, size_t end)
{
    struct column_products p = *(struct column_products *)data;
    for (size_t first = begin; first < end; first++) {
        float *restrict products = &p.products[first * p.columns];
        for (size_t second = first; second < p.columns; second++)
            products[second] = 0.0f;
        for (size_t row = 0; row < p.rows; row++) {
            const float *restrict values = &p.matrix[row * p.columns];
            float value = values[first];
            for (size_t second = first; second < p.columns; second++)
                products[second] += value * values[second];
        }
        for (size_t second = first; second < p.columns; second++)
            p.products[second * p.columns + first] = products[second];
    }
}

static void column_products_native(void *data)
{
    parallel_for(((struct column_products *)data)->columns, 16, column_products_range,
                 data);
}

static void run_column_products(const struct options *options, const char *kernel_name)
{
    struct kernel_case *test = case_open(options);
    cl_int n = (cl_int)case_size(test, 512, 64);
    size_t count = (size_t)n * (size_t)n, size = count * sizeof(float);
    struct column_products p = {host_array(count, sizeof(float)),
                                host_random_floats(count, -1.0f, 1.0f), (size_t)n,
                                (size_t)n};

    cl_program program = case_build(test, column_products_cl, "");
    cl_mem products = opencl_buffer(&test->cl, size, NULL);
    cl_mem matrix = opencl_buffer(&test->cl, size, p.matrix);
    cl_kernel kernel =
        KERNEL(program, kernel_name, ARG(products), ARG(matrix), ARG(n), ARG(n));
    case_launch_1d(test, kernel, (size_t)n, 0);
    case_native(test, column_products_native, NULL, &p);
    case_measure(test, 1e-9 * (double)count * n, "GFLOP");
    case_expect_floats(test, products, p.products, count, 1e-4, 0);
}

static void column_products(const struct options *options)
{
    run_column_products(options, "column_products");
}

static void column_products_summed(const struct options *options)
{
    run_column_products(options, "column_products_summed");
}

// ---- matrix times vector ----

struct matrix_vector {
    float *restrict result;
    const float *restrict matrix, *restrict vector;
    size_t n;
};

static void matrix_vector_rows(void *data, size_t begin, size_t end)
{
    struct matrix_vector m = *(struct matrix_vector *)data;
    for (size_t row = begin; row < end; row++) {
        float sum = 0.0f;
        for (size_t column = 0; column < m.n; column++)
            sum += m.matrix[row * m.n + column] * m.vector[column];
        m.result[row] = sum;
    }
}

static void matrix_vector_columns(void *data, size_t begin, size_t end)
{
    struct matrix_vector m = *(struct matrix_vector *)data;
    for (size_t column = begin; column < end; column++)
        m.result[column] = 0.0f;
    for (size_t row = 0; row < m.n; row++) {
        for (size_t column = begin; column < end; column++)
            m.result[column] += m.matrix[row * m.n + column] * m.vector[row];
    }
}

static void matrix_vector_native(void *data)
{
    parallel_for(((struct matrix_vector *)data)->n, 64, matrix_vector_rows, data);
}

static void matrix_vector_transposed_native(void *data)
{
    parallel_for(((struct matrix_vector *)data)->n, 256, matrix_vector_columns, data);
}

static void run_matrix_vector(const struct options *options, const char *kernel_name,
                              void (*native)(void *data))
{
    struct kernel_case *test = case_open(options);
    cl_int n = (cl_int)case_size(test, 2048, 64);
    size_t count = (size_t)n * (size_t)n;
    struct matrix_vector m = {host_array((size_t)n, sizeof(float)),
                              host_random_floats(count, -1.0f, 1.0f),
                              host_random_floats((size_t)n, -1.0f, 1.0f), (size_t)n};

    cl_program program = case_build(test, matrix_vector_cl, "");
    cl_mem result = opencl_buffer(&test->cl, (size_t)n * sizeof(float), NULL);
    cl_mem matrix = opencl_buffer(&test->cl, count * sizeof(float), m.matrix);
    cl_mem vector = opencl_buffer(&test->cl, (size_t)n * sizeof(float), m.vector);
    cl_kernel kernel = KERNEL(program, kernel_name, ARG(result), ARG(matrix), ARG(vector),
                              ARG(n), ARG(n));
    case_launch_1d(test, kernel, (size_t)n, 0);
    case_native(test, native, NULL, &m);
    case_measure(test, 2e-9 * (double)count, "GFLOP");
    case_expect_floats(test, result, m.result, (size_t)n, 1e-4, 0);
}

static void matrix_vector(const struct options *options)
{
    run_matrix_vector(options, "matrix_vector", matrix_vector_native);
}

static void matrix_vector_transposed(const struct options *options)
{
    run_matrix_vector(options, "matrix_vector_transposed",
                      matrix_vector_transposed_native);
}

const struct benchmark matrix_kernels[] = {
    {"kernel/matmul_naive", "one dot product per item, local size NULL", matmul_naive,
     ONE_PROCESS},
    {"kernel/matmul_naive_16x16", "the same, work-groups of 16x16",
     matmul_naive_local_16x16, ONE_PROCESS},
    {"kernel/matmul_naive_in_cache",
     "256x256, work-groups of 64x4; tuned: the same by hand", matmul_naive_in_cache,
     ONE_PROCESS},
    {"kernel/matmul_tiled", "16x16 tiles in local memory, barriers", matmul_tiled,
     ONE_PROCESS},
    {"kernel/matmul_tiled_in_cache", "256x256; tuned: the same tiles by hand",
     matmul_tiled_in_cache, ONE_PROCESS},
    {"kernel/matmul_blocks", "work-groups of 8x8, 4x4 numbers each", matmul_blocks,
     ONE_PROCESS},
    {"kernel/spmv_csr", "sparse matrix, 0 to 32 entries per row", spmv_csr, ONE_PROCESS},
    {"kernel/kmeans_assign", "nearest of 32 centres in 16 dimensions", kmeans_assign,
     ONE_PROCESS},
    {"kernel/shortest_paths", "Floyd-Warshall, 512 launches of 512x512", shortest_paths,
     ONE_PROCESS},
    {"kernel/column_products", "of all pairs of 512 columns, sums in memory",
     column_products, ONE_PROCESS},
    {"kernel/column_products_summed", "the same, sums in registers",
     column_products_summed, ONE_PROCESS},
    {"kernel/matrix_vector", "2048x2048, one item a row, sums in memory", matrix_vector,
     ONE_PROCESS},
    {"kernel/matrix_vector_transposed", "the same, one item a column",
     matrix_vector_transposed, ONE_PROCESS},
    {0},
};
