// SPDX-License-Identifier: MIT
// Fetching ahead where the processor does not see that it should.
#include "compiler/workgroup/gang/memory/gang_access.h"

static void fetch_at(struct gang *g, LLVMValueRef address, uint64_t offset_bytes)
{
    const LLVMValueRef bytes = LLVMConstInt(g->i64, offset_bytes, false);

    tf_wg_fetch(g->wg,
                LLVMBuildGEP2(g->b, g->wg->i8, address, (LLVMValueRef *)&bytes, 1, ""));
}

void gang_fetch_next(struct gang *g, const struct tf_access *a)
{
    fetch_at(g, gang_scalar(g, a->pointer), tf_access_bytes(a) * g->width);
}

void gang_fetch(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef address = LLVMGetOperand(v->instruction, 0);
    const uint64_t bytes = tf_plan_fetched_bytes(g->plan, v);

    for (uint64_t at = 0; at < bytes; at += TF_LINE_BYTES)
        fetch_at(g, gang_scalar(g, address), at);
}
