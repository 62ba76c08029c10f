// SPDX-License-Identifier: MIT
// Stage 4: from a linked program to the device-independent form that the work-group
// former takes. Afterwards only kernels are left, everything that they call is inlined,
// and the only functions that they call are the roots of abi/cpu_abi.h and LLVM's
// intrinsics.
#ifndef TF_COMPILER_MODULE_CLEANUP_H
#define TF_COMPILER_MODULE_CLEANUP_H

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// Changes `module`. On failure the log says which kernel is at fault. Programs compiled
// with -g or -cl-opt-disable (TF_DEBUG_FORM_METADATA) are inlined, and otherwise left as
// they are.
// `source`: the compilation that made the module, for positions in messages; or NULL.
enum tf_compiler_status tf_cleanup(LLVMModuleRef module,
                                   const struct tf_compile_in *source,
                                   struct tf_str *log);

#endif // TF_COMPILER_MODULE_CLEANUP_H
