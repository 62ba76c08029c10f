// SPDX-License-Identifier: MIT
// Which kinds of memory a barrier orders: all of them on this device, so that the library
// has no use for what the program says. Checked kernels tell the run-time.
#ifndef TF_COMPILER_LOWER_KEPT_BARRIER_FLAGS_H
#define TF_COMPILER_LOWER_KEPT_BARRIER_FLAGS_H

#include <llvm-c/Types.h>

// Before the library is linked in: puts calls of TF_ROOT_CHECK_FLAGS before the barriers
// of programs whose kernels look for races.
void tf_barrier_flags_keep(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_KEPT_BARRIER_FLAGS_H
