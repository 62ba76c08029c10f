// SPDX-License-Identifier: MIT
/* Runs each benchmark in a process of its own, so that a crash or a hang costs only
 * itself. */
#ifndef CLBENCH_RUNNER_H
#define CLBENCH_RUNNER_H

#include "harness/benchmark.h"
#include "harness/report.h"
#include "harness/target.h"

struct runner_settings {
    struct options options; /* platform and device come from the target */
    double timeout;         /* seconds for one process */
};

void run_benchmark(const struct benchmark *benchmark, const struct target *target,
                   const struct runner_settings *settings, struct result *result);

#endif
