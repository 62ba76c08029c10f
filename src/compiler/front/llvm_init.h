// SPDX-License-Identifier: MIT
// What LLVM needs once per process and once per context, so that no error of LLVM's can
// end the process: fatal errors, failed allocations and diagnostics end the job or go to
// its log.
#ifndef TF_COMPILER_FRONT_LLVM_INIT_H
#define TF_COMPILER_FRONT_LLVM_INIT_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"

// Registers the target of this machine and the error handlers. Any thread, any time.
void tf_llvm_init(void);

// A context whose errors and warnings are added to `log`; `*failed` (may be NULL) becomes
// true at the first error. Both are borrowed until LLVMContextDispose.
struct tf_llvm_diagnostics {
    struct tf_str *log;
    bool failed;
};
LLVMContextRef tf_llvm_context(struct tf_llvm_diagnostics *diagnostics);

#endif // TF_COMPILER_FRONT_LLVM_INIT_H
