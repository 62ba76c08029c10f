// SPDX-License-Identifier: MIT
#include "compiler/codegen/arithmetic/ways.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include "base/str.h"
#include "compiler/codegen/arithmetic/estimates.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/passes.h"
#include "compiler/ir/roots.h"

struct decision {
    const struct tf_ways *ways;
    bool found;
};

static void answer(struct decision *d, LLVMValueRef question, unsigned value)
{
    tf_ir_replace(question, LLVMConstInt(LLVMTypeOf(question), value, 0));
    d->found = true;
}

static void decide(LLVMBuilderRef b, LLVMValueRef i, void *data)
{
    struct decision *d = data;
    const enum tf_root root = tf_root_of(i);

    (void)b;
    if (root == TF_ROOT_ESTIMATE_BITS)
        answer(d, i, d->ways->estimate_bits);
    else if (root == TF_ROOT_HAS_FMA)
        answer(d, i, d->ways->has_fma);
}

bool tf_ways_decide(LLVMModuleRef module, const struct tf_ways *ways, struct tf_str *log)
{
    struct decision d = {.ways = ways};
    char *message;

    tf_estimates_drop(module, ways->estimate_bits);
    tf_ir_settle_each(module, decide, &d);
    message = d.found
                  ? tf_ir_run_passes(module, "function(instsimplify,simplifycfg)", NULL)
                  : NULL;
    if (!message)
        return true;
    tf_str_printf(log, "error: %s\n", message);
    LLVMDisposeErrorMessage(message);
    return false;
}
