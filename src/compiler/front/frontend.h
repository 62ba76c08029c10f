// SPDX-License-Identifier: MIT
// Stage 1: OpenCL C to an LLVM module for spir64, built-ins unresolved.
#ifndef TF_COMPILER_FRONT_FRONTEND_H
#define TF_COMPILER_FRONT_FRONTEND_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"
#include "cache/file_list.h"

// The module carries this named metadata when it was built with -g or -cl-opt-disable:
// later stages keep its natural shape.
#define TF_DEBUG_FORM_METADATA "tf.debug_form"
// This one when its objects are to name the lines of the source.
#define TF_LINES_METADATA "tf.lines"

// The module, owned by the caller; NULL on failure (*status says which). With
// `lines`, calls carry their source positions whatever the options say. `list`, or NULL,
// gets what was found on disk.
LLVMModuleRef tf_frontend_module(LLVMContextRef context, const struct tf_compile_in *in,
                                 bool lines, struct tf_file_list *list,
                                 enum tf_compiler_status *status, struct tf_str *log);

#endif // TF_COMPILER_FRONT_FRONTEND_H
