// SPDX-License-Identifier: MIT
// Stores to one place at the ends of several ways to a block.
#ifndef TF_COMPILER_IR_FLOW_MERGED_STORES_H
#define TF_COMPILER_IR_FLOW_MERGED_STORES_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// `if (c) dst[i] = x; else dst[i] = y;` is one store of a choice, where the ways meet:
// lanes need no mask for it. Also of longer chains, and where other ways lead to that
// block, too. True if there were any; what nobody uses any more is left behind.
bool tf_ir_merge_stores(LLVMValueRef fn);

#endif // TF_COMPILER_IR_FLOW_MERGED_STORES_H
