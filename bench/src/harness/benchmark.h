// SPDX-License-Identifier: MIT
/* What a benchmark is, and the list of them all. */
#ifndef CLBENCH_BENCHMARK_H
#define CLBENCH_BENCHMARK_H

#include <stdbool.h>

struct options {
    const char *platform; /* part of the platform's name, or its index */
    const char *device;   /* part of the device's name, or its index */
    bool tiny;            /* sizes for a simulator: correctness, not speed */
    unsigned runs;        /* how often each thing is timed */
    unsigned threads;     /* of the native baselines */
    double start_time;    /* now_seconds() just before this process was started */
};

enum process_plan {
    ONE_PROCESS,
    NEW_PROCESS_EACH_RUN_WITH_EMPTY_CACHE,
    NEW_PROCESS_EACH_RUN_WITH_FILLED_CACHE,
};

struct benchmark {
    const char *name; /* "family/name" */
    const char *summary;
    void (*run)(const struct options *options);
    enum process_plan plan;
};

/* One array per source file, each ended by an entry without a name. */
extern const struct benchmark startup_benchmarks[];
extern const struct benchmark build_benchmarks[];
extern const struct benchmark queue_benchmarks[];
extern const struct benchmark command_buffer_benchmarks[];
extern const struct benchmark device_enqueue_benchmarks[];
extern const struct benchmark memory_object_benchmarks[];
extern const struct benchmark bandwidth_benchmarks[];
extern const struct benchmark image_transfer_benchmarks[];
extern const struct benchmark stream_kernels[];
extern const struct benchmark math_kernels[];
extern const struct benchmark simulation_kernels[];
extern const struct benchmark program_kernels[];
extern const struct benchmark matrix_kernels[];
extern const struct benchmark stencil_kernels[];
extern const struct benchmark image_kernels[];
extern const struct benchmark image_pair_kernels[];
extern const struct benchmark work_group_kernels[];
extern const struct benchmark fft_kernels[];
extern const struct benchmark integer_kernels[];
extern const struct benchmark branch_kernels[];
extern const struct benchmark arithmetic_kernels[];

#endif
