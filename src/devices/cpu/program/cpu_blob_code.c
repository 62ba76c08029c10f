// SPDX-License-Identifier: MIT
// Which code a program binary gets. What is there, in this process or in the cache, goes
// in. Who asks for a binary right after the build must not wait for a minute, so what
// lacks is made only as far as a budget goes, cheapest kernels first; the others are
// carried as bitcode. TREFOIL_BINARY_ISA says that a binary is to be whole.
#include "devices/cpu/program/cpu_blob.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "base/time.h"
#include "devices/cpu/program/cpu_generator.h"
#include "devices/cpu/program/cpu_program.h"

// Of the processor's time as it is guessed, and of the clock's, for where it is guessed
// wrong or others have the processors: no kernel is begun when it is spent.
#define BUDGET_NS 500000000u

struct lacking {
    size_t index;
    uint64_t ns; // about what it takes
};

struct making {
    struct tf_devprog *prog;
    const struct lacking *lacking;
    uint64_t end_ns; // 0: none
};

static void make_one(void *arg, size_t i)
{
    const struct making *making = arg;

    if (making->end_ns == 0 || tf_time_ns() < making->end_ns)
        tf_cpu_kernel_wait(making->prog, making->lacking[i].index, TF_SLOT_FULL);
}

static int by_cost(const void *one, const void *other)
{
    const struct lacking *a = one, *b = other;

    if (a->ns != b->ns)
        return a->ns < b->ns ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

// All that neither this process nor the cache has. Returns the number.
static size_t find_lacking(struct tf_devprog *prog, struct lacking *lacking)
{
    size_t count = 0;

    for (size_t i = 0; i < prog->kernel_count; i++) {
        if (!tf_cpu_kernel_find(prog, i, TF_SLOT_FULL))
            lacking[count++] = (struct lacking){i, tf_cpu_generate_ns(&prog->infos[i])};
    }
    return count;
}

void tf_cpu_blob_make_code(struct tf_devprog *prog)
{
    const bool is_whole = tf_env_text(TF_ENV_BINARY_ISA) != NULL;
    const uint64_t end_ns = is_whole ? 0 : tf_time_ns() + BUDGET_NS;
    struct lacking *const lacking = tf_zalloc(prog->kernel_count * sizeof(*lacking));
    const struct making making = {prog, lacking, end_ns};
    uint64_t sum_ns = 0;
    size_t count, within = 0;

    if (!lacking)
        return; // the bitcode has all
    count = find_lacking(prog, lacking);
    qsort(lacking, count, sizeof(*lacking), by_cost);
    while (within < count && (is_whole || (sum_ns += lacking[within].ns) <= BUDGET_NS))
        within++;
    tf_generator_each(within, make_one, (void *)(uintptr_t)&making);
    for (size_t i = within = 0; i < count; i++)
        within += tf_cpu_kernel_peek(prog, lacking[i].index, TF_SLOT_FULL) != NULL;
    if (within < count)
        tf_log(TF_LOG_BUILD, "program binary: %zu of %zu kernels have no optimized code",
               count - within, prog->kernel_count);
    tf_free(lacking);
}
