// SPDX-License-Identifier: MIT
/*
 * One kernel benchmark: OpenCL launches on one side, the same work in plain C on the
 * other, timed in turn in the same process and then compared.
 *
 * A benchmark function typically
 *   - opens a case with case_open(), and compiles its kernels with case_build();
 *   - fills host arrays and makes buffers from them;
 *   - lists the launches that make one OpenCL run, in order;
 *   - names the native function (plain loops over parallel_for()), and maybe a tuned one
 *     (written in blocks of LANES items, so that the C compiler vectorises all of it);
 *   - calls case_measure(), then one of the case_expect_...() functions.
 */
#ifndef CLBENCH_KERNEL_CASE_H
#define CLBENCH_KERNEL_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/opencl.h"
#include "harness/parallel.h"

/* Items in a block of the tuned native loops: one vector of floats, the widest there is.
 */
#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif

enum { CASE_MAX_LAUNCHES = 2048 };

struct launch {
    cl_kernel kernel; /* NULL: copy `size` bytes from source to target */
    cl_uint dimensions;
    size_t global[3];
    size_t local[3];
    bool has_local;
    cl_mem source, target;
    size_t size;
};

struct kernel_case {
    const struct options *options;
    struct opencl cl;
    size_t launch_count;
    struct launch launches[CASE_MAX_LAUNCHES];
    void (*native)(void *data);
    void (*tuned)(void *data);
    void *native_data;
};

struct kernel_case *case_open(const struct options *options);

/* `full` normally, `tiny` when the device is a simulator. */
size_t case_size(const struct kernel_case *test, size_t full, size_t tiny);

cl_program case_build(struct kernel_case *test, const char *source,
                      const char *build_options);

/* Host arrays are aligned for any vector type and live as long as the process. */
void *host_array(size_t count, size_t element_size);
float *host_random_floats(size_t count, float low, float high);
uint32_t *host_random_words(size_t count);
uint32_t random_word(void);

/* local may be NULL: the implementation chooses. */
void case_launch(struct kernel_case *test, cl_kernel kernel, cl_uint dimensions,
                 const size_t *global, const size_t *local);
void case_launch_1d(struct kernel_case *test, cl_kernel kernel, size_t global,
                    size_t local);
void case_launch_2d(struct kernel_case *test, cl_kernel kernel, size_t width,
                    size_t height, size_t local_width, size_t local_height);
void case_copy(struct kernel_case *test, cl_mem source, cl_mem target, size_t size);

/* tuned may be NULL. */
void case_native(struct kernel_case *test, void (*native)(void *), void (*tuned)(void *),
                 void *data);

/* Times everything.  A run does `work` units ("GB", "GFLOP", ...) of work. */
void case_measure(struct kernel_case *test, double work, const char *unit);

/*
 * Compare a buffer with the native result.  A float passes when it is within
 * tolerance * max(1, |expected|); at most allowed_misses elements may fail.
 */
void case_expect_floats(struct kernel_case *test, cl_mem buffer, const float *expected,
                        size_t count, double tolerance, size_t allowed_misses);
void case_expect_doubles(struct kernel_case *test, cl_mem buffer, const double *expected,
                         size_t count, double tolerance);
void case_expect_words(struct kernel_case *test, cl_mem buffer, const uint32_t *expected,
                       size_t count, size_t allowed_misses);
void case_expect_bytes(struct kernel_case *test, const uint8_t *actual,
                       const uint8_t *expected, size_t count, int tolerance,
                       size_t allowed_misses);
void case_read(struct kernel_case *test, cl_mem buffer, void *target, size_t size);

#endif
