// SPDX-License-Identifier: MIT
// Messages of our own stages in the form of Clang's: "kernel.cl:3:5: error: ...".
#ifndef TF_COMPILER_FRONT_BUILD_LOG_H
#define TF_COMPILER_FRONT_BUILD_LOG_H

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/attr.h"
#include "base/str.h"

// Adds an error. The position is that of `at`, an instruction or a function, as far as it
// carries one; NULL: none.
void tf_build_log_error(struct tf_str *log, LLVMValueRef at, const char *fmt, ...)
    TF_PRINTF(3, 4);

// Adds an error about a kernel of a module without positions. With `source`, which made
// the module, that is compiled again to find the kernel's line; NULL: no position.
void tf_build_log_kernel_error(struct tf_str *log, const struct tf_compile_in *source,
                               const char *kernel, const char *fmt, ...) TF_PRINTF(4, 5);

#endif // TF_COMPILER_FRONT_BUILD_LOG_H
