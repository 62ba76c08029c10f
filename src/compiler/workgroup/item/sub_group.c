// SPDX-License-Identifier: MIT
#include "compiler/workgroup/item/sub_group.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

bool tf_wg_uses_sub_groups(struct tf_wg *wg)
{
    TF_FOR_EACH_FUNCTION(f, wg->module)
    {
        if (LLVMGetFirstUse(f) && tf_root_is_sub_group(tf_root_named(tf_ir_name(f))))
            return true;
    }
    return false;
}

// ---- ids from the linear id

static LLVMValueRef local_size(struct tf_wg *wg, unsigned dim)
{
    return LLVMBuildLoad2(wg->builder, wg->i64,
                          tf_wg_address(wg,
                                        LLVMGetParam(wg->item->function, TF_ITEM_GROUP),
                                        TF_WG_GROUP_FIELD(local_size, dim)),
                          "");
}

// a / b of i32, exact for 0 <= a < 2^22 and b > 0, which local ids and sizes are: (a +
// 1/2) / b is at least 1 / 2b away from an integer, more than a rounding in 24 bits moves
// it. Vectors of floats are divided at once, integers one by one.
static LLVMValueRef quotient(struct tf_wg *wg, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMBuilderRef build = wg->builder;
    const LLVMTypeRef real = LLVMFloatTypeInContext(wg->context);
    const LLVMValueRef middle = LLVMBuildFAdd(build, LLVMBuildSIToFP(build, a, real, ""),
                                              LLVMConstReal(real, 0.5), "");

    return LLVMBuildFPToSI(
        build, LLVMBuildFDiv(build, middle, LLVMBuildSIToFP(build, b, real, ""), ""),
        LLVMTypeOf(a), "");
}

static LLVMValueRef remainder_of(struct tf_wg *wg, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMBuilderRef build = wg->builder;

    return LLVMBuildSub(build, a, LLVMBuildMul(build, quotient(wg, a, b), b, ""), "");
}

LLVMValueRef tf_wg_linear_local_id(struct tf_wg *wg, LLVMValueRef linear, unsigned dim)
{
    const LLVMBuilderRef build = wg->builder;
    const LLVMTypeRef i32 = LLVMTypeOf(linear);
    LLVMValueRef size[2], id = linear;

    for (unsigned d = 0; d < 2; d++)
        size[d] = LLVMBuildTrunc(build, local_size(wg, d), i32, "");
    if (dim == 0)
        id = remainder_of(wg, id, size[0]);
    else
        id = quotient(wg, id, size[0]);
    if (dim == 1)
        id = remainder_of(wg, id, size[1]);
    else if (dim == 2)
        id = quotient(wg, id, size[1]);
    id = LLVMBuildZExt(build, id, wg->i64, "");
    LLVMSetNNeg(id, true);
    return id;
}
