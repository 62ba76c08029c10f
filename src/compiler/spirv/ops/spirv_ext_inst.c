// SPDX-License-Identifier: MIT
// Extended instructions: those of OpenCL.std, and of sets that say nothing of what is
// executed.
#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/std/opencl_std.h"

void tf_spv_op_ext_inst(struct tf_spv *r)
{
    const struct tf_spv_id *const set = tf_spv_id_at(r, 3);

    tf_spv_need(r, set->kind == TF_SPV_ID_IMPORT, "id %u is no set of instructions",
                r->op.words[3]);
    if (set->is.number == TF_SPV_SET_IGNORED)
        return;
    tf_spv_opencl_std(r);
}
