// SPDX-License-Identifier: MIT
/* Kernels built on local memory, barriers and atomics. */
#include <stdlib.h>
#include <string.h>

#include "cases/kernel_case.h"
#include "cases/lanes.h"
#include "embedded_kernels.h"
#include "harness/report.h"

// ---- reduction ----

enum { REDUCE_GROUP = 256, REDUCE_BLOCK = 4 * REDUCE_GROUP };

struct reduce {
    float *partial;
    const float *in;
    size_t groups;
    unsigned repeats;
};

static void reduce_range(void *data, size_t begin, size_t end)
{
    struct reduce r = *(struct reduce *)data;
    for (size_t group = begin; group < end; group++) {
        const float *block = &r.in[group * REDUCE_BLOCK];
        float sum[LANES] = {0};
        for (size_t i = 0; i < REDUCE_BLOCK; i += LANES)
            for (size_t lane = 0; lane < LANES; lane++)
                sum[lane] += block[i + lane];
        float total = 0.0f;
        for (size_t lane = 0; lane < LANES; lane++)
            total += sum[lane];
        r.partial[group] = total;
    }
}

/* The tree of the kernel in lanes: a loop over the group for each of its regions. */
static float reduce_group_in_lanes(const float *block)
{
    float scratch[REDUCE_GROUP + LANES];
    for (size_t i = 0; i < REDUCE_GROUP; i += LANES) {
        float_lanes sum = load_lanes(&block[i]);
        for (size_t part = 1; part < REDUCE_BLOCK / REDUCE_GROUP; part++)
            sum += load_lanes(&block[part * REDUCE_GROUP + i]);
        store_lanes(&scratch[i], sum);
    }
    for (size_t half = REDUCE_GROUP / 2; half > 0; half /= 2) {
        if (half < LANES) {
            int_lanes active = lane_numbers() < (int)half;
            float_lanes sum = load_lanes_where(active, scratch) +
                              load_lanes_where(active, &scratch[half]);
            store_lanes_where(active, scratch, sum);
            continue;
        }
        for (size_t i = 0; i < half; i += LANES)
            store_lanes(&scratch[i],
                        load_lanes(&scratch[i]) + load_lanes(&scratch[i + half]));
    }
    return scratch[0];
}

static void reduce_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct reduce r = *(struct reduce *)data;
    for (size_t group = begin; group < end; group++)
        r.partial[group] = reduce_group_in_lanes(&r.in[group * REDUCE_BLOCK]);
}

static void reduce_native(void *data)
{
    for (unsigned i = 0; i < ((struct reduce *)data)->repeats; i++)
        parallel_for(((struct reduce *)data)->groups, 64, reduce_range, data);
}

static void reduce_tuned(void *data)
{
    for (unsigned i = 0; i < ((struct reduce *)data)->repeats; i++)
        parallel_for(((struct reduce *)data)->groups, 64, reduce_range_in_lanes, data);
}

/* The option for a version of OpenCL C that has work_group_reduce_add(). */
static const char *collective_version(const struct kernel_case *test)
{
    cl_device_id device = test->cl.device;
    const char *version =
        opencl_device_text(device, CL_DEVICE_VERSION) + strlen("OpenCL ");
    cl_bool supported = CL_FALSE;
    if (version[0] == '2')
        return "-cl-std=CL2.0";
    if (version[0] == '3')
        clGetDeviceInfo(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                        sizeof supported, &supported, NULL);
    if (!supported)
        report_failure("unsupported", "no work-group collective functions");
    return "-cl-std=CL3.0";
}

static void run_reduce(const struct options *options, bool builtin, size_t groups,
                       unsigned repeats)
{
    struct kernel_case *test = case_open(options);
    groups = case_size(test, groups, 4);
    repeats = (unsigned)case_size(test, repeats, 1);
    size_t count = groups * REDUCE_BLOCK;
    struct reduce r = {host_array(groups, sizeof(float)),
                       host_random_floats(count, 0.0f, 1.0f / (float)REDUCE_BLOCK),
                       groups, repeats};

    cl_program program =
        builtin ? case_build(test, reduce_builtin_cl, collective_version(test))
                : case_build(test, reduce_cl, "");
    cl_mem partial = opencl_buffer(&test->cl, groups * sizeof(float), NULL);
    cl_mem in = opencl_buffer(&test->cl, count * sizeof(float), r.in);
    cl_kernel kernel = builtin ? KERNEL(program, "reduce_builtin", ARG(partial), ARG(in))
                               : KERNEL(program, "reduce", ARG(partial), ARG(in),
                                        LOCAL_ARG(REDUCE_GROUP * sizeof(float)));
    for (unsigned i = 0; i < repeats; i++)
        case_launch_1d(test, kernel, groups * REDUCE_GROUP, REDUCE_GROUP);
    case_native(test, reduce_native, reduce_tuned, &r);
    case_measure(test, 1e-9 * (double)count * sizeof(float) * repeats, "GB");
    case_expect_floats(test, partial, r.partial, groups, 1e-5, 0);
}

static void reduce(const struct options *options)
{
    run_reduce(options, false, 1 << 15, 1);
}

static void reduce_in_cache(const struct options *options)
{
    run_reduce(options, false, 64, 500);
}

static void reduce_builtin(const struct options *options)
{
    run_reduce(options, true, 1 << 15, 1);
}

// ---- prefix sum ----

enum { SCAN_GROUP = 256, SCAN_BLOCK = 2 * SCAN_GROUP }; /* as in scan.cl */

struct scan {
    uint32_t *out;
    const uint32_t *in;
    uint32_t *block_sums;
    size_t blocks;
};

static void scan_sum_blocks(void *data, size_t begin, size_t end)
{
    struct scan s = *(struct scan *)data;
    for (size_t block = begin; block < end; block++) {
        uint32_t sum = 0;
        for (size_t i = 0; i < SCAN_BLOCK; i++)
            sum += s.in[block * SCAN_BLOCK + i];
        s.block_sums[block] = sum;
    }
}

static void scan_write_blocks(void *data, size_t begin, size_t end)
{
    struct scan s = *(struct scan *)data;
    for (size_t block = begin; block < end; block++) {
        uint32_t sum = s.block_sums[block];
        for (size_t i = block * SCAN_BLOCK; i < (block + 1) * SCAN_BLOCK; i++) {
            s.out[i] = sum;
            sum += s.in[i];
        }
    }
}

static void scan_native(void *data)
{
    struct scan *s = data;
    parallel_for(s->blocks, 64, scan_sum_blocks, s);
    uint32_t sum = 0;
    for (size_t block = 0; block < s->blocks; block++) {
        uint32_t next = sum + s->block_sums[block];
        s->block_sums[block] = sum;
        sum = next;
    }
    parallel_for(s->blocks, 64, scan_write_blocks, s);
}

/* Three levels of blocks: 512 * 512 * 512 elements would be the limit. */
static void scan(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t blocks = case_size(test, 1 << 15, SCAN_BLOCK / 64),
           count = blocks * SCAN_BLOCK;
    size_t super_blocks = (blocks + SCAN_BLOCK - 1) / SCAN_BLOCK;
    struct scan s = {host_array(count, sizeof(uint32_t)), host_random_words(count),
                     host_array(blocks, sizeof(uint32_t)), blocks};

    cl_program program = case_build(test, scan_cl, "");
    void *zeros = host_array(SCAN_BLOCK * SCAN_BLOCK, sizeof(uint32_t));
    cl_mem in = opencl_buffer(&test->cl, count * sizeof(uint32_t), s.in);
    cl_mem out = opencl_buffer(&test->cl, count * sizeof(uint32_t), NULL);
    cl_mem sums =
        opencl_buffer(&test->cl, super_blocks * SCAN_BLOCK * sizeof(uint32_t), zeros);
    cl_mem super_sums = opencl_buffer(&test->cl, SCAN_BLOCK * sizeof(uint32_t), zeros);
    cl_mem total = opencl_buffer(&test->cl, sizeof(uint32_t), zeros);
    cl_kernel leaves = KERNEL(program, "scan_blocks", ARG(out), ARG(in), ARG(sums));
    cl_kernel middle =
        KERNEL(program, "scan_blocks", ARG(sums), ARG(sums), ARG(super_sums));
    cl_kernel top =
        KERNEL(program, "scan_blocks", ARG(super_sums), ARG(super_sums), ARG(total));
    cl_kernel add_top = KERNEL(program, "scan_add", ARG(sums), ARG(super_sums));
    cl_kernel add_middle = KERNEL(program, "scan_add", ARG(out), ARG(sums));
    case_launch_1d(test, leaves, blocks * SCAN_GROUP, SCAN_GROUP);
    case_launch_1d(test, middle, super_blocks * SCAN_GROUP, SCAN_GROUP);
    case_launch_1d(test, top, SCAN_GROUP, SCAN_GROUP);
    case_launch_1d(test, add_top, super_blocks * SCAN_GROUP, SCAN_GROUP);
    case_launch_1d(test, add_middle, blocks * SCAN_GROUP, SCAN_GROUP);
    case_native(test, scan_native, NULL, &s);
    case_measure(test, 1e-9 * (double)count, "Gitem");
    case_expect_words(test, out, s.out, count, 0);
}

// ---- bitonic sort ----

struct bitonic {
    uint32_t *data;
    const uint32_t *initial;
    size_t count, block, distance;
};

static void bitonic_range(void *data, size_t begin, size_t end)
{
    struct bitonic b = *(struct bitonic *)data;
    for (size_t i = begin; i < end; i++) {
        size_t low = 2 * i - (i & (b.distance - 1)), high = low + b.distance;
        bool ascending = (low & b.block) == 0;
        uint32_t left = b.data[low], right = b.data[high];
        if ((left > right) == ascending) {
            b.data[low] = right;
            b.data[high] = left;
        }
    }
}

/* The same exchanges, run by run, without a branch: each run is a loop over two arrays.
 */
static void bitonic_runs(void *data, size_t begin, size_t end)
{
    struct bitonic b = *(struct bitonic *)data;
    for (size_t run = begin; run < end; run++) {
        uint32_t *restrict low = &b.data[run * 2 * b.distance];
        uint32_t *restrict high = low + b.distance;
        bool ascending = ((run * 2 * b.distance) & b.block) == 0;
        for (size_t i = 0; i < b.distance; i++) {
            uint32_t smaller = low[i] < high[i] ? low[i] : high[i];
            uint32_t larger = low[i] < high[i] ? high[i] : low[i];
            low[i] = ascending ? smaller : larger;
            high[i] = ascending ? larger : smaller;
        }
    }
}

static void bitonic_native(void *data)
{
    struct bitonic *b = data;
    memcpy(b->data, b->initial, b->count * sizeof *b->data);
    for (b->block = 2; b->block <= b->count; b->block *= 2)
        for (b->distance = b->block / 2; b->distance > 0; b->distance /= 2)
            parallel_for(b->count / 2, 1 << 14, bitonic_range, b);
}

static void bitonic_tuned(void *data)
{
    struct bitonic *b = data;
    memcpy(b->data, b->initial, b->count * sizeof *b->data);
    for (b->block = 2; b->block <= b->count; b->block *= 2)
        for (b->distance = b->block / 2; b->distance > 0; b->distance /= 2)
            parallel_for(b->count / 2 / b->distance, (1 << 14) / b->distance,
                         bitonic_runs, b);
}

static void bitonic_sort(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 18, 256), size = count * sizeof(uint32_t);
    struct bitonic b = {host_array(count, sizeof(uint32_t)), host_random_words(count),
                        count, 0, 0};

    cl_program program = case_build(test, bitonic_sort_cl, "");
    cl_mem initial = opencl_buffer(&test->cl, size, b.initial);
    cl_mem buffer = opencl_buffer(&test->cl, size, NULL);
    case_copy(test, initial, buffer, size);
    for (cl_uint block = 2; block <= count; block *= 2) {
        for (cl_uint distance = block / 2; distance > 0; distance /= 2) {
            cl_kernel kernel =
                KERNEL(program, "bitonic_step", ARG(buffer), ARG(block), ARG(distance));
            case_launch_1d(test, kernel, count / 2, 0);
        }
    }
    case_native(test, bitonic_native, bitonic_tuned, &b);
    case_measure(test, 1e-9 * (double)count, "Gitem");
    case_expect_words(test, buffer, b.data, count, 0);
}

// ---- histogram ----

enum { BINS = 256, HISTOGRAM_GROUP = 256, HISTOGRAM_PER_ITEM = 64 };

struct histogram {
    uint32_t bins[BINS];
    const uint8_t *in;
    size_t count;
};

static void histogram_range(void *data, size_t begin, size_t end)
{
    struct histogram *h = data;
    uint32_t private_bins[4][BINS] = {{0}};
    for (size_t i = begin; i < end; i++)
        private_bins[i % 4][h->in[i]]++;
    for (size_t bin = 0; bin < BINS; bin++)
        __atomic_fetch_add(&h->bins[bin],
                           private_bins[0][bin] + private_bins[1][bin] +
                               private_bins[2][bin] + private_bins[3][bin],
                           __ATOMIC_RELAXED);
}

static void histogram_native(void *data)
{
    struct histogram *h = data;
    memset(h->bins, 0, sizeof h->bins);
    parallel_for(h->count, 1 << 20, histogram_range, h);
}

static void run_histogram(const struct options *options, bool local_atomics)
{
    struct kernel_case *test = case_open(options);
    size_t per_group = HISTOGRAM_GROUP * HISTOGRAM_PER_ITEM;
    size_t groups = case_size(test, local_atomics ? 2048 : 1024, 1),
           count = groups * per_group;
    struct histogram h = {.in = (uint8_t *)host_random_words(count / 4), .count = count};
    static const uint32_t zeros[BINS];
    cl_uint per_item = HISTOGRAM_PER_ITEM;

    cl_program program =
        case_build(test, local_atomics ? histogram_local_cl : histogram_global_cl, "");
    cl_mem in = opencl_buffer(&test->cl, count, h.in);
    cl_mem zero_bins = opencl_buffer(&test->cl, sizeof zeros, zeros);
    cl_mem bins = opencl_buffer(&test->cl, sizeof zeros, NULL);
    case_copy(test, zero_bins, bins, sizeof zeros);
    if (local_atomics) {
        cl_kernel kernel =
            KERNEL(program, "histogram_local", ARG(bins), ARG(in), ARG(per_item));
        case_launch_1d(test, kernel, groups * HISTOGRAM_GROUP, HISTOGRAM_GROUP);
    } else {
        cl_kernel kernel = KERNEL(program, "histogram_global", ARG(bins), ARG(in));
        case_launch_1d(test, kernel, count, 0);
    }
    case_native(test, histogram_native, NULL, &h);
    case_measure(test, 1e-9 * (double)count, "Gitem");
    case_expect_words(test, bins, h.bins, BINS, 0);
}

static void histogram_local(const struct options *options)
{
    run_histogram(options, true);
}

static void histogram_global(const struct options *options)
{
    run_histogram(options, false);
}

// ---- longest common subsequences ----

enum { TEXT = 256 }; /* as in wavefront.cl */

struct wavefront {
    uint32_t *lengths;
    const uint8_t *texts;
    size_t pairs;
};

static void wavefront_range(void *data, size_t begin, size_t end)
{
    struct wavefront *w = data;
    for (size_t pair = begin; pair < end; pair++) {
        const uint8_t *first = &w->texts[pair * 2 * TEXT], *second = first + TEXT;
        uint16_t row[TEXT + 1] = {0};
        for (size_t i = 0; i < TEXT; i++) {
            uint16_t corner = 0;
            for (size_t j = 0; j < TEXT; j++) {
                uint16_t above = row[j + 1];
                uint16_t longest = above > row[j] ? above : row[j];
                row[j + 1] = first[i] == second[j] ? corner + 1 : longest;
                corner = above;
            }
        }
        w->lengths[pair] = row[TEXT];
    }
}

static void wavefront_native(void *data)
{
    parallel_for(((struct wavefront *)data)->pairs, 8, wavefront_range, data);
}

static void wavefront(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t pairs = case_size(test, 512, 2), letters = pairs * 2 * TEXT;
    uint8_t *texts = (uint8_t *)host_random_words(letters / 4);
    for (size_t i = 0; i < letters; i++)
        texts[i] %= 4;
    struct wavefront w = {host_array(pairs, sizeof(uint32_t)), texts, pairs};

    cl_program program = case_build(test, wavefront_cl, "");
    cl_mem lengths = opencl_buffer(&test->cl, pairs * sizeof(uint32_t), NULL);
    cl_mem text_buffer = opencl_buffer(&test->cl, letters, texts);
    cl_kernel kernel = KERNEL(program, "wavefront", ARG(lengths), ARG(text_buffer));
    case_launch_1d(test, kernel, pairs * TEXT, TEXT);
    case_native(test, wavefront_native, NULL, &w);
    case_measure(test, 1e-9 * (double)(pairs * TEXT * TEXT), "Gcell");
    case_expect_words(test, lengths, w.lengths, pairs, 0);
}

// ---- many small shortest-path problems ----

enum { NODES = 32 }; /* as in small_graphs.cl */

struct small_graphs {
    uint32_t *out;
    const uint32_t *in;
    size_t graphs;
};

static void small_graphs_range(void *data, size_t begin, size_t end)
{
    struct small_graphs *s = data;
    for (size_t graph = begin; graph < end; graph++) {
        uint32_t distance[NODES][NODES];
        memcpy(distance, &s->in[graph * NODES * NODES], sizeof distance);
        for (size_t k = 0; k < NODES; k++) {
            for (size_t y = 0; y < NODES; y++) {
                uint32_t to_k = distance[y][k];
                for (size_t x = 0; x < NODES; x++) {
                    uint32_t detour = to_k + distance[k][x];
                    if (detour < distance[y][x])
                        distance[y][x] = detour;
                }
            }
        }
        memcpy(&s->out[graph * NODES * NODES], distance, sizeof distance);
    }
}

static void small_graphs_native(void *data)
{
    parallel_for(((struct small_graphs *)data)->graphs, 32, small_graphs_range, data);
}

static void small_graphs(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t graphs = case_size(test, 4096, 2), count = graphs * NODES * NODES;
    uint32_t *in = host_random_words(count);
    for (size_t i = 0; i < count; i++)
        in[i] %= 1 << 20;
    struct small_graphs s = {host_array(count, sizeof(uint32_t)), in, graphs};

    cl_program program = case_build(test, small_graphs_cl, "");
    cl_mem out = opencl_buffer(&test->cl, count * sizeof(uint32_t), NULL);
    cl_mem in_buffer = opencl_buffer(&test->cl, count * sizeof(uint32_t), s.in);
    cl_kernel kernel = KERNEL(program, "small_graphs", ARG(out), ARG(in_buffer));
    case_launch_2d(test, kernel, graphs * NODES, 8, NODES, 8);
    case_native(test, small_graphs_native, NULL, &s);
    case_measure(test, 1e-9 * (double)(count * NODES), "Gstep");
    case_expect_words(test, out, s.out, count, 0);
}

const struct benchmark work_group_kernels[] = {
    {"kernel/reduce", "sums of 1024 floats, 8 barriers", reduce, ONE_PROCESS},
    {"kernel/reduce_in_cache", "the same on 256 KiB", reduce_in_cache, ONE_PROCESS},
    {"kernel/reduce_builtin", "the same with work_group_reduce_add", reduce_builtin,
     ONE_PROCESS},
    {"kernel/scan", "prefix sum in three levels, 19 barriers each", scan, ONE_PROCESS},
    {"kernel/bitonic_sort", "171 launches over 256 Ki words", bitonic_sort, ONE_PROCESS},
    {"kernel/histogram_local", "256 bins, local atomics merged by global ones",
     histogram_local, ONE_PROCESS},
    {"kernel/histogram_global", "256 bins, global atomics only", histogram_global,
     ONE_PROCESS},
    {"kernel/wavefront", "511 barriers in a loop, groups of 256", wavefront, ONE_PROCESS},
    {"kernel/small_graphs", "32 barriers in a loop, groups of 32x8", small_graphs,
     ONE_PROCESS},
    {0},
};
