// SPDX-License-Identifier: MIT
// Stage 1: OpenCL C to an LLVM module for spir64, built-ins unresolved.
#ifndef TF_COMPILER_FRONT_FRONTEND_H
#define TF_COMPILER_FRONT_FRONTEND_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// The module carries this named metadata when it was built with -g or -cl-opt-disable:
// later stages keep its natural shape.
#define TF_DEBUG_FORM_METADATA "tf.debug_form"

// Compiles to bitcode (owned by the caller). The module has passed tf_validate_module,
// but may still call functions that nobody defines. Runs inside a job.
enum tf_compiler_status tf_frontend_compile(const struct tf_compile_in *in,
                                            struct tf_compiler_bytes *bitcode,
                                            struct tf_str *log);

// The module itself, owned by the caller; NULL on failure (*status says which). With
// `lines`, calls carry their source positions whatever the options say.
LLVMModuleRef tf_frontend_module(LLVMContextRef context, const struct tf_compile_in *in,
                                 bool lines, enum tf_compiler_status *status,
                                 struct tf_str *log);

#endif // TF_COMPILER_FRONT_FRONTEND_H
