// SPDX-License-Identifier: MIT
// Two ways to make an access, of which every gang takes one.
#include "compiler/workgroup/gang/memory/gang_access.h"

struct gang_fork gang_open_fork(struct gang *g, LLVMValueRef is_near)
{
    const LLVMBasicBlockRef near =
        LLVMAppendBasicBlockInContext(g->wg->context, g->to, "near");
    const struct gang_fork f = {
        .far = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "far"),
        .merge = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "merge"),
    };

    LLVMBuildCondBr(g->b, is_near, near, f.far);
    LLVMPositionBuilderAtEnd(g->b, near);
    return f;
}

void gang_other_side(struct gang *g, const struct gang_fork *f)
{
    LLVMBuildBr(g->b, f->merge);
    LLVMPositionBuilderAtEnd(g->b, f->far);
}

void gang_close_fork(struct gang *g, const struct gang_fork *f)
{
    LLVMBuildBr(g->b, f->merge);
    LLVMPositionBuilderAtEnd(g->b, f->merge);
}
