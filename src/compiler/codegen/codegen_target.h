// SPDX-License-Identifier: MIT
// The machine that code is generated for, as LLVM wants to hear it.
#ifndef TF_COMPILER_CODEGEN_CODEGEN_TARGET_H
#define TF_COMPILER_CODEGEN_CODEGEN_TARGET_H

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// PIC, small code model. NULL with the reason in `log`. Freed with
// LLVMDisposeTargetMachine.
LLVMTargetMachineRef tf_codegen_machine(const struct tf_generate_in *in,
                                        struct tf_str *log);

// Turns the module into one for `machine`: triple, data layout, attributes of the
// instruction level on every function. Sizes and offsets of OpenCL types are the same in
// the spir64 layout that it had.
void tf_codegen_retarget(LLVMModuleRef module, LLVMTargetMachineRef machine,
                         const struct tf_generate_in *in);

// To be called of optimized code. Vectors of 17 and more bytes or shorts whose number is
// no power of two (char3 of many lanes) send the legalizer of LLVM 22 for x86 round and
// round for ever, between two ways of writing a shuffle; functions that have some are
// told that one of them is slow.
void tf_codegen_calm_shuffles(LLVMModuleRef module, const struct tf_generate_in *in);

#endif // TF_COMPILER_CODEGEN_CODEGEN_TARGET_H
