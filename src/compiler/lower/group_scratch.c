// SPDX-License-Identifier: MIT
#include "compiler/lower/group_scratch.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/spaces.h"

// Work-items of the group that the kernel demands; `max_items`: it demands none, or more,
// which is refused later.
static uint32_t items_of(LLVMValueRef kernel, uint32_t max_items)
{
    const LLVMValueRef sizes = tf_metadata_of(kernel, "reqd_work_group_size");
    uint64_t items = 1;

    if (!sizes)
        return max_items;
    for (unsigned d = 0; d < 3 && items <= max_items; d++)
        items *= tf_metadata_number(sizes, d);
    return items < max_items ? (uint32_t)items : max_items;
}

static uint32_t most_items(LLVMModuleRef module, uint32_t max_items)
{
    uint32_t most = 1;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        const uint32_t items =
            tf_ir_is_kernel(f) && !LLVMIsDeclaration(f) ? items_of(f, max_items) : 0;

        most = items > most ? items : most;
    }
    return most;
}

// Words that a use of the root wants.
static uint64_t words_of(LLVMValueRef call, uint32_t items, uint32_t sub_groups)
{
    enum { WORD_BYTES = 8 };
    const uint64_t item_bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));

    return item_bytes ? (item_bytes * items + WORD_BYTES - 1) / WORD_BYTES : sub_groups;
}

static LLVMValueRef add_variable(LLVMModuleRef module, uint64_t words)
{
    enum { ALIGN_BYTES = 64 };
    const LLVMTypeRef type =
        LLVMArrayType2(LLVMInt64TypeInContext(LLVMGetModuleContext(module)), words);
    const LLVMValueRef variable =
        LLVMAddGlobalInAddressSpace(module, type, "tf.group_scratch", TF_SPACE_LOCAL);

    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMSetInitializer(variable, LLVMGetUndef(type));
    LLVMSetAlignment(variable, ALIGN_BYTES);
    return variable;
}

void tf_group_scratch_lower(LLVMModuleRef module, uint32_t max_items,
                            uint32_t least_sub_group)
{
    const LLVMValueRef root =
        LLVMGetNamedFunction(module, tf_root_name(TF_ROOT_GROUP_SCRATCH));
    uint32_t items, sub_groups;
    uint64_t most_words = 0;
    LLVMValueRef variable;
    LLVMUseRef use;

    if (!root || !LLVMGetFirstUse(root))
        return;
    items = most_items(module, max_items);
    sub_groups = (items + least_sub_group - 1) / least_sub_group;
    for (use = LLVMGetFirstUse(root); use; use = LLVMGetNextUse(use)) {
        const uint64_t words = words_of(LLVMGetUser(use), items, sub_groups);

        most_words = words > most_words ? words : most_words;
    }
    variable = add_variable(module, most_words);
    while ((use = LLVMGetFirstUse(root))) {
        const LLVMValueRef call = LLVMGetUser(use);

        LLVMReplaceAllUsesWith(call, variable);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(root);
}
