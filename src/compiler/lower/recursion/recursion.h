// SPDX-License-Identifier: MIT
// Functions that call themselves, directly or by way of others. Everything is inlined
// (doc/decisions/009), which would not end here; so before that the functions of each
// cycle of calls become one loop over frames of their own (doc/decisions/034): a call
// puts a frame on a stack in private memory and goes to the head of the loop with the
// number of where to go on, a return takes it off. All passes behind see an ordinary
// loop: lanes part and meet again, and a function that calls itself may hold a barrier.
#ifndef TF_COMPILER_LOWER_RECURSION_RECURSION_H
#define TF_COMPILER_LOWER_RECURSION_RECURSION_H

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// Changes a complete program whose calls all name their function, and whose kernels are
// not called. A work-item that calls deeper than its stack reaches ends the launch
// (TF_ASK_TOO_DEEP).
enum tf_compiler_status tf_recursion_lower(LLVMModuleRef module, struct tf_str *log);

#endif // TF_COMPILER_LOWER_RECURSION_RECURSION_H
