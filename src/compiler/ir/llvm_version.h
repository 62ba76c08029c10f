// SPDX-License-Identifier: MIT
// What differs between the versions of LLVM that we are built with (19 to 22). The one
// place in C that asks for the version; the C++ room has its own differences.
#ifndef TF_COMPILER_IR_LLVM_VERSION_H
#define TF_COMPILER_IR_LLVM_VERSION_H

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

// Masked accesses have their alignment as an attribute of the address. Before LLVM 22 it
// is an operand of its own.
#define TF_LLVM_MASKED_ALIGN_IS_ATTRIBUTE (LLVM_VERSION_MAJOR >= 22)
// The scalarizer can be asked to take loads and stores apart, too.
#define TF_LLVM_SCALARIZES_MEMORY (LLVM_VERSION_MAJOR >= 20)

// Debug information of variables stands in records beside the instructions.
#define TF_LLVM_HAS_DEBUG_RECORDS (LLVM_VERSION_MAJOR >= 20)

// The number of successor `at` of a switch, from 1 on.
static inline LLVMValueRef tf_llvm_case_value(LLVMValueRef end, unsigned at)
{
#if LLVM_VERSION_MAJOR >= 22
    return LLVMGetSwitchCaseValue(end, at);
#else
    return LLVMGetOperand(end, 2 * at);
#endif
}

// Whether it is a fence among the work-items of one group. The C interface of old
// versions does not tell scopes: no fence is, then.
static inline bool tf_llvm_is_group_fence(LLVMValueRef instruction)
{
#if LLVM_VERSION_MAJOR >= 20
    return LLVMIsAFenceInst(instruction) &&
           LLVMGetAtomicSyncScopeID(instruction) ==
               LLVMGetSyncScopeID(LLVMGetTypeContext(LLVMTypeOf(instruction)),
                                  "workgroup", strlen("workgroup"));
#else
    (void)instruction;
    return false;
#endif
}

// Takes back the promise that both numbers of a comparison have one sign.
static inline void tf_llvm_drop_same_sign(LLVMValueRef comparison)
{
#if LLVM_VERSION_MAJOR >= 20
    LLVMSetICmpSameSign(comparison, false);
#else
    (void)comparison;
#endif
}

#endif // TF_COMPILER_IR_LLVM_VERSION_H
