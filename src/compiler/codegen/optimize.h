// SPDX-License-Identifier: MIT
// LLVM's passes over a kernel in its work-group form.
#ifndef TF_COMPILER_CODEGEN_OPTIMIZE_H
#define TF_COMPILER_CODEGEN_OPTIMIZE_H

#include <stdbool.h>

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include "base/str.h"
#include "compiler/workgroup/pipeline.h"

// `code` says what the module is made of; NULL: the second attempt after a failure, or a
// program that is not to be optimized. False with the reason in `log`.
bool tf_codegen_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine,
                         const enum tf_wg_code *code, struct tf_str *log);

#endif // TF_COMPILER_CODEGEN_OPTIMIZE_H
