// SPDX-License-Identifier: MIT
// LLVM's passes, by the text form of opt's -passes.
#ifndef TF_COMPILER_IR_PASSES_H
#define TF_COMPILER_IR_PASSES_H

#include <stdbool.h>

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

// Runs them on the module, for `machine` (or NULL: no matter which). NULL on success,
// else why not: LLVMDisposeErrorMessage. Once the thread's budget is spent (ir/budget.h)
// passes that are not necessary are left out.
char *tf_ir_run_passes(LLVMModuleRef module, const char *passes,
                       LLVMTargetMachineRef machine);
// The same for passes on one function.
char *tf_ir_run_passes_on(LLVMValueRef function, const char *passes,
                          LLVMTargetMachineRef machine);

// `machine` is about to go: nothing is kept for it any longer.
void tf_ir_forget_machine(LLVMTargetMachineRef machine);

#endif // TF_COMPILER_IR_PASSES_H
