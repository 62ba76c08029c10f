// SPDX-License-Identifier: MIT
// Whether a module is within SPIR: LLVM knows much that no OpenCL C becomes.
#ifndef TF_COMPILER_SPIR_SPIR_CHECK_H
#define TF_COMPILER_SPIR_SPIR_CHECK_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"

// Also takes away what functions say to other targets than SPIR. False with the reason in
// the log.
bool tf_spir_check(LLVMModuleRef module, struct tf_str *log);

#endif // TF_COMPILER_SPIR_SPIR_CHECK_H
