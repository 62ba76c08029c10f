// SPDX-License-Identifier: MIT
// Debug information of a program for SPIR, made into that of a program for this machine.
// LLVM's C interface reads none of it.
#ifndef TF_COMPILER_CLANG_DEBUG_INFO_H
#define TF_COMPILER_CLANG_DEBUG_INFO_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Variables lie at addresses of this machine, without address spaces, which debuggers
// cannot read; kernels are called what the program calls them.
void tf_debug_info_settle(LLVMModuleRef module);

// `item` has the address of the static __local variable, or of one of program scope, in
// the variable `holder`: from the instruction `before` on it is a variable of `item`.
// Nothing happens to what has no debug information.
void tf_debug_info_place(LLVMValueRef variable, LLVMValueRef item, LLVMValueRef holder,
                         LLVMValueRef before);

// `to` has taken the body of `from`: variables that lie in arguments of the one lie in
// those of the other. Before the arguments' other uses are replaced, which forgets them.
void tf_debug_info_take_arguments(LLVMValueRef from, LLVMValueRef to);

// Loops forget where they begin and end, of which passes of LLVM think as of wishes: what
// the program says of none is then a loop like any other, as without debug information.
void tf_debug_info_forget_loops(LLVMModuleRef module);

// Of all debug information only the lines of instructions stay, and the names of
// functions that were inlined. `kernel` is the one that code is made of.
void tf_debug_info_keep_lines(LLVMModuleRef module, LLVMValueRef kernel);

// Each function of the module gets a subprogram of its own, of which the lines in it are
// said to be inlined: without one nothing says them. What has no line, loops over
// work-items above all, gets that of the kernel. When nothing but making code is left to
// be done.
void tf_debug_info_own_lines(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif // TF_COMPILER_CLANG_DEBUG_INFO_H
