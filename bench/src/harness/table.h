// SPDX-License-Identifier: MIT
/* Results for people to read. */
#ifndef CLBENCH_TABLE_H
#define CLBENCH_TABLE_H

#include <stdio.h>

#include "harness/report.h"
#include "harness/target.h"

/* One line about one result, printed as soon as it is known. */
void table_print_line(FILE *file, const struct target *target,
                      const struct result *result);

/* All results, one column per target: results[benchmark * target_count + target]. */
void table_print_summary(FILE *file, const struct target *targets, size_t target_count,
                         const struct result *results, size_t benchmark_count);

#endif
