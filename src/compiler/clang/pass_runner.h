// SPDX-License-Identifier: MIT
// LLVM's passes, by the text form of opt's -passes. The C interface makes everything anew
// at each call (the builder, a hundred analyses, the passes of the text), which takes
// longer than the passes do on a small kernel; and it cannot stop between two passes.
// Here they are kept and used again.
#ifndef TF_COMPILER_CLANG_PASS_RUNNER_H
#define TF_COMPILER_CLANG_PASS_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_pass_runner;

// Runs passes for one machine (borrowed as long as the runner is in use; NULL: no matter
// which). Used by one thread at a time.
struct tf_pass_runner *tf_pass_runner_new(LLVMTargetMachineRef machine);
void tf_pass_runner_free(struct tf_pass_runner *runner); // NULL is allowed
LLVMTargetMachineRef tf_pass_runner_machine(const struct tf_pass_runner *runner);

// Runs them on a module, or on one function of it. Past `end_ns` (of tf_time_cpu_ns();
// UINT64_MAX: never) only what LLVM cannot do without is run. NULL, or why the text is
// none: for LLVMDisposeErrorMessage().
char *tf_pass_runner_module(struct tf_pass_runner *runner, LLVMModuleRef module,
                            const char *passes, uint64_t end_ns);
char *tf_pass_runner_function(struct tf_pass_runner *runner, LLVMValueRef function,
                              const char *passes, uint64_t end_ns);

#ifdef __cplusplus
}
#endif

#endif // TF_COMPILER_CLANG_PASS_RUNNER_H
