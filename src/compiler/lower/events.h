// SPDX-License-Identifier: MIT
// event_t of async copies: the copies are done when the functions return, so an event
// carries nothing.
#ifndef TF_COMPILER_LOWER_EVENTS_H
#define TF_COMPILER_LOWER_EVENTS_H

#include <llvm-c/Types.h>

// After inlining: removes all values of that type, which code generation does not know.
void tf_events_remove(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_EVENTS_H
