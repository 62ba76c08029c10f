// SPDX-License-Identifier: MIT
// Intrinsics that do the same to each element of a vector.
#ifndef TF_COMPILER_IR_ELEMENTWISE_H
#define TF_COMPILER_IR_ELEMENTWISE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

enum { TF_ELEMENTWISE_RESULT = -1 };

struct tf_elementwise {
    const char *name; // without "llvm."
    unsigned type_count;
    int types[2];         // what the name is overloaded by: operands, or the result
    unsigned scalar_mask; // operands that stay scalar
};

// NULL if `call` calls no such intrinsic.
const struct tf_elementwise *tf_elementwise_of(LLVMValueRef call);
bool tf_is_elementwise(LLVMValueRef call);

// Intrinsics that say nothing about what is executed: markers, hints and assumptions.
bool tf_is_marker(LLVMValueRef call);
// The hint that what is at an address will be wanted.
bool tf_is_fetch(LLVMValueRef call);
// The one that opens a scope of `restrict`. What is said of the scope (!noalias) holds in
// one round of the loop that the marker is in: whoever copies accesses copies it, too.
bool tf_is_scope_marker(LLVMValueRef call);

#endif // TF_COMPILER_IR_ELEMENTWISE_H
