// SPDX-License-Identifier: MIT
// Blocks of a function once more.
#ifndef TF_COMPILER_IR_FLOW_COPY_BLOCKS_H
#define TF_COMPILER_IR_FLOW_COPY_BLOCKS_H

#include <llvm-c/Types.h>

#include "compiler/job/arena.h"

struct tf_block_copy {
    struct tf_arena *arena;
    const LLVMBasicBlockRef *blocks; // that are copied
    unsigned count;
    LLVMBasicBlockRef *copies;   // per block
    struct tf_map block, number; // of blocks, and of their instructions
    LLVMValueRef *made;          // per instruction
};

// Copies `blocks`, which lie in `arena`, to before the first of them. Nothing leads into
// the copies. Where blocks lead to others these can be reached from the copies, too: what
// is used there goes through phis.
void tf_ir_copy_blocks(struct tf_block_copy *copy, struct tf_arena *arena,
                       LLVMBuilderRef builder, const LLVMBasicBlockRef *blocks,
                       unsigned count);
// What stands for a value in the copies.
LLVMValueRef tf_ir_in_copy(const struct tf_block_copy *copy, LLVMValueRef value);
LLVMBasicBlockRef tf_ir_block_in_copy(const struct tf_block_copy *copy,
                                      LLVMBasicBlockRef block);

// The instructions of `block` behind its phis and variables go to a new block behind it,
// which is returned; nothing ends `block` then. The builder stands there.
LLVMBasicBlockRef tf_ir_split_behind_phis(LLVMBuilderRef builder,
                                          LLVMBasicBlockRef block);

#endif // TF_COMPILER_IR_FLOW_COPY_BLOCKS_H
