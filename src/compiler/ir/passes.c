// SPDX-License-Identifier: MIT
#include "compiler/ir/passes.h"

#include <stddef.h>

#include "base/thread.h"
#include "compiler/clang/pass_runner.h"
#include "compiler/ir/budget.h"

// As many as compile at a time, each for no machine and for one or two.
enum { MAX_KEPT = 32 };

// A job that is left in the middle (job/compile_job.h) keeps its runner: what it was at
// is not known.
static struct {
    struct tf_mutex lock;
    struct tf_pass_runner *runners[MAX_KEPT] TF_GUARDED_BY(&lock);
    unsigned count TF_GUARDED_BY(&lock);
} kept = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)};

static struct tf_pass_runner *take_kept(LLVMTargetMachineRef machine)
{
    struct tf_pass_runner *runner = NULL;

    tf_lock(&kept.lock);
    for (unsigned i = kept.count; i-- > 0 && !runner;) {
        if (tf_pass_runner_machine(kept.runners[i]) != machine)
            continue;
        runner = kept.runners[i];
        kept.runners[i] = kept.runners[--kept.count];
    }
    tf_unlock(&kept.lock);
    return runner;
}

static struct tf_pass_runner *take(LLVMTargetMachineRef machine)
{
    struct tf_pass_runner *runner = take_kept(machine);

    return runner ? runner : tf_pass_runner_new(machine);
}

static void keep(struct tf_pass_runner *runner)
{
    tf_lock(&kept.lock);
    if (kept.count < MAX_KEPT) {
        kept.runners[kept.count++] = runner;
        runner = NULL;
    }
    tf_unlock(&kept.lock);
    tf_pass_runner_free(runner);
}

void tf_ir_forget_machine(LLVMTargetMachineRef machine)
{
    struct tf_pass_runner *runner;

    while ((runner = take_kept(machine)))
        tf_pass_runner_free(runner);
}

char *tf_ir_run_passes(LLVMModuleRef module, const char *passes,
                       LLVMTargetMachineRef machine)
{
    struct tf_pass_runner *runner = take(machine);
    char *const message =
        tf_pass_runner_module(runner, module, passes, tf_budget_end_ns());

    keep(runner);
    return message;
}

char *tf_ir_run_passes_on(LLVMValueRef function, const char *passes,
                          LLVMTargetMachineRef machine)
{
    struct tf_pass_runner *runner = take(machine);
    char *const message =
        tf_pass_runner_function(runner, function, passes, tf_budget_end_ns());

    keep(runner);
    return message;
}
