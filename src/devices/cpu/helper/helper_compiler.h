// SPDX-License-Identifier: MIT
// The compiler's table (abi/compiler.h) whose functions have their work done in helper
// processes. A crash, an endless loop or a hunger for memory of Clang or LLVM ends the
// helper and is a failed build here.
#ifndef TF_DEVICES_CPU_HELPER_HELPER_COMPILER_H
#define TF_DEVICES_CPU_HELPER_HELPER_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/compiler.h"

// Starts the first helper. NULL, with the reason, where that cannot be done. `otherwise`
// returns the compiler in this process, or NULL; it is asked when no helper can be
// started any more.
const struct tf_compiler *tf_helper_compiler(const char *program, const char *library,
                                             const struct tf_compiler *(*otherwise)(void),
                                             char *reason, size_t reason_bytes);

#endif // TF_DEVICES_CPU_HELPER_HELPER_COMPILER_H
