// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/apart.h"

#include <llvm-c/Core.h>

#include "compiler/ir/roots.h"

bool tf_pack_is_apart(LLVMValueRef call)
{
    return tf_root_of(call) == TF_ROOT_APART;
}

bool tf_pack_asks(const struct tf_cfg *cfg, unsigned block)
{
    const struct tf_cfg_block *b = &cfg->blocks[block];

    for (unsigned k = 0; b->succ_count == 2 && k < 2; k++) {
        if (tf_pack_is_apart(LLVMGetFirstInstruction(cfg->blocks[b->succs[k]].block)))
            return true;
    }
    return false;
}
