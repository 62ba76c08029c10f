// SPDX-License-Identifier: MIT
// LLVM's passes, by the text form of opt's -passes.
#ifndef TF_COMPILER_IR_PASSES_H
#define TF_COMPILER_IR_PASSES_H

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm-c/Types.h>

// Runs them on the module, for `machine` (or NULL: no matter which) and with `options`
// (or NULL: LLVM's own). NULL on success, else why not: LLVMDisposeErrorMessage.
char *tf_ir_run_passes(LLVMModuleRef module, const char *passes,
                       LLVMTargetMachineRef machine, LLVMPassBuilderOptionsRef options);

// The same for passes on one function. With old versions of LLVM, on all of its module.
char *tf_ir_run_passes_on(LLVMValueRef function, const char *passes,
                          LLVMTargetMachineRef machine);

#endif // TF_COMPILER_IR_PASSES_H
