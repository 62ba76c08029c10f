// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/waits/group_order.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/waits/loop_ends.h"

static bool is_barrier(enum tf_root root)
{
    return root == TF_ROOT_BARRIER || root == TF_ROOT_NAMED_BARRIER;
}

static bool asks_others(enum tf_root root)
{
    return root >= TF_ROOT_SUB_GROUP_BARRIER && root <= TF_ROOT_UNKNOWN;
}

// What a program does that waits: it looks at what others write, or tells them of its
// own, so that it must be read anew.
static bool observes(LLVMValueRef i)
{
    const enum tf_root root = tf_root_of(i);

    return tf_watches(i) || tf_is_change(i) || LLVMIsAFenceInst(i) ||
           (LLVMIsAStoreInst(i) && !tf_ir_is_ordinary(i)) || is_barrier(root) ||
           asks_others(root);
}

static bool observes_in(const struct tf_cfg *cfg, unsigned loop)
{
    for (unsigned b = 0; b < cfg->block_count; b++) {
        if (!cfg->loops[loop].has[b])
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, cfg->blocks[b].block)
        {
            if (observes(i))
                return true;
        }
    }
    return false;
}

// Arguments of the kernel, and constants, are what they were.
static bool may_change(LLVMValueRef load)
{
    static const char name[] = "invariant.load";
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
    const unsigned kind = LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));

    return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(load, 0))) !=
               TF_AS_CONSTANT &&
           !LLVMGetMetadata(load, kind);
}

static enum tf_end_answer read_anywhere(const struct tf_end_question *question,
                                        LLVMValueRef value)
{
    (void)question;
    return tf_is_change(value) || asks_others(tf_root_of(value)) ||
                   (LLVMIsALoadInst(value) && may_change(value))
               ? TF_END_YES
               : TF_END_OPERANDS;
}

static bool may_wait(const struct tf_cfg *cfg, unsigned loop)
{
    const struct tf_end_question question = {
        .cfg = cfg, .loop = loop, .of = read_anywhere};

    return observes_in(cfg, loop) && tf_loop_end_depends(&question);
}

bool tf_group_order_matters(LLVMValueRef fn)
{
    return tf_any_loop_waits(fn, observes, may_wait);
}
