// SPDX-License-Identifier: MIT
// What the files that divide integers share (gang_divide.c, gang_divide_long.c).
#ifndef TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_DIVIDE_H
#define TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_DIVIDE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct gang;
struct tf_value;

// Of a vector; a scalar's own type.
LLVMTypeRef gang_divide_element(LLVMTypeRef type);
// `element` or a vector of as many as `like` has.
LLVMTypeRef gang_divide_type(LLVMTypeRef like, LLVMTypeRef element);
// The number as a constant of the type: a real type or vectors of one.
LLVMValueRef gang_divide_real(LLVMTypeRef type, double value);

// Quotients and remainders of 64 bits; `safe` is the divisor with 1 in the lanes that are
// not active.
LLVMValueRef gang_divide_long(struct gang *g, const struct tf_value *v,
                              LLVMValueRef safe);

#endif // TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_DIVIDE_H
