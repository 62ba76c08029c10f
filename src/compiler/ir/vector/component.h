// SPDX-License-Identifier: MIT
// Loads of one component of a vector that the program loads: they say which one it is,
// and with that where the bytes of the others lie, which may be loaded as well.
#ifndef TF_COMPILER_IR_VECTOR_COMPONENT_H
#define TF_COMPILER_IR_VECTOR_COMPONENT_H

#include <llvm-c/Types.h>

void tf_say_component(LLVMValueRef load, unsigned component);
// -1: of any other load.
int tf_component_of(LLVMValueRef load);

#endif // TF_COMPILER_IR_VECTOR_COMPONENT_H
