// SPDX-License-Identifier: MIT
// LLVM's passes over a kernel in its work-group form.
#ifndef TF_COMPILER_CODEGEN_OPTIMIZE_H
#define TF_COMPILER_CODEGEN_OPTIMIZE_H

#include <stdbool.h>

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include "base/str.h"
#include "compiler/workgroup/pipeline.h"

enum tf_optimize {
    TF_OPTIMIZE_FULLY,
    TF_OPTIMIZE_QUICKLY, // for the quick tier
    TF_OPTIMIZE_NOTHING, // the second attempt after a failure; what is to keep its shape
};

// `code` says what the module is made of. False with the reason in `log`.
bool tf_codegen_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine,
                         enum tf_optimize how, enum tf_wg_code code, struct tf_str *log);

#endif // TF_COMPILER_CODEGEN_OPTIMIZE_H
