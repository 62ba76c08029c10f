// SPDX-License-Identifier: MIT
// Divisions of integers: what lanes divide by, and which of them can be made of divisions
// of real numbers, which is exact.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_OPERATION_DIVISOR_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_OPERATION_DIVISOR_H

#include "compiler/workgroup/analysis/shape.h"

// Numbers of 64 bits count as small, and are divided as real ones, below 2 to this.
enum { TF_DIVISOR_SMALL_BITS = 48 };

// What all lanes divide by, but for those that have 1 in its place
// (workgroup/item/traps.c).
struct tf_divisor {
    LLVMValueRef value;  // of the program, the same for all lanes; NULL: there is none
    LLVMValueRef unless; // of the program: the lanes that divide by 1; or NULL
};
struct tf_divisor tf_divisor_of(const struct tf_shapes *s, const struct tf_value *v);

bool tf_division_has_sign(const struct tf_value *v);
// Of numbers of up to 32 bits.
bool tf_divides_as_real(const struct tf_value *v);
// Of 64 bits, where all lanes' are small.
bool tf_divides_long(const struct tf_value *v);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_OPERATION_DIVISOR_H
