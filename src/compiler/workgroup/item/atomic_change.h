// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_ITEM_ATOMIC_CHANGE_H
#define TF_COMPILER_WORKGROUP_ITEM_ATOMIC_CHANGE_H

#include <llvm-c/Core.h>

// What an atomicrmw of operation `op` with operand `by` makes of a word that holds `old`,
// as plain instructions at the builder. NULL, and nothing built, of operations that have
// no such form here (OpenCL has none of those).
LLVMValueRef tf_atomic_changed(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                               LLVMValueRef by);

#endif // TF_COMPILER_WORKGROUP_ITEM_ATOMIC_CHANGE_H
