// SPDX-License-Identifier: MIT
#include "compiler/workgroup/item/known_sizes.h"

#include <stddef.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/fixed_args.h"
#include "compiler/workgroup/kernel/wg.h"

bool tf_knows_sizes(const struct tf_wg *wg)
{
    return wg->wishes->local_size[0] != 0;
}

// The dimension of whose size `load` is; 3: it is of none.
static unsigned dimension_of(LLVMValueRef load, LLVMValueRef function)
{
    uint64_t offset = 0;
    const LLVMValueRef base = tf_fixed_base(LLVMGetOperand(load, 0), &offset);
    uint64_t sizes = offsetof(struct tf_group, local_size);

    if (base == LLVMGetParam(function, TF_ITEM_LAUNCH))
        sizes = offsetof(struct tf_launch, local_size);
    else if (base != LLVMGetParam(function, TF_ITEM_GROUP))
        return 3;
    if (offset < sizes || offset % sizeof(tf_u64) != 0 ||
        offset - sizes >= 3 * sizeof(tf_u64))
        return 3;
    return (unsigned)((offset - sizes) / sizeof(tf_u64));
}

void tf_known_sizes(struct tf_wg *wg, LLVMValueRef function)
{
    LLVMValueRef i = tf_knows_sizes(wg) ? tf_ir_first(function) : NULL;

    for (LLVMValueRef next; i; i = next) {
        unsigned d;

        next = tf_ir_next(i);
        if (!LLVMIsALoadInst(i) || LLVMTypeOf(i) != wg->i64)
            continue;
        d = dimension_of(i, function);
        if (d == 3)
            continue;
        LLVMReplaceAllUsesWith(i, tf_wg_number(wg, wg->wishes->local_size[d]));
        LLVMInstructionEraseFromParent(i);
    }
}
