// SPDX-License-Identifier: MIT
// Intervals that integers of 32 and more bits lie in, whatever the program's promises
// about overflow: of the number that the bits are with a sign. Below 2^31, and not below
// -2^31, so that what is not negative is the same number without a sign.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_NARROW_INTERVAL_H
#define TF_COMPILER_WORKGROUP_PREPARE_NARROW_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

enum { TF_NARROW_BITS = 16 };

struct tf_interval {
    int64_t low, high; // low > high: nothing is known
};

enum tf_interval_call {
    TF_INTERVAL_NO_CALL, // or one of something else
    TF_INTERVAL_SMIN,
    TF_INTERVAL_SMAX,
    TF_INTERVAL_UMIN,
    TF_INTERVAL_UMAX,
    TF_INTERVAL_USUB_SAT,
    TF_INTERVAL_ABS,
};

extern const struct tf_interval tf_interval_unknown;

// Of an integer, or of the elements of a vector of integers; 0 of other types.
unsigned tf_interval_bits(LLVMTypeRef type);
bool tf_interval_is_known(struct tf_interval x);
// Whether 16 bits hold it with its sign, or without one.
bool tf_interval_fits_signed(struct tf_interval x);
bool tf_interval_fits_unsigned(struct tf_interval x);
// Around all elements of a constant.
struct tf_interval tf_interval_of_constant(LLVMValueRef constant);
// Of a zext or sext from 16 bits or fewer; unknown of any other instruction.
struct tf_interval tf_interval_of_extension(LLVMValueRef extension);
// Of arithmetic whose `operands` lie there: of a choice the two values. Unknown of what
// is no such operation, or might be anything.
struct tf_interval tf_interval_of(LLVMValueRef operation,
                                  const struct tf_interval *operands);
enum tf_interval_call tf_interval_call(LLVMValueRef value);

#endif // TF_COMPILER_WORKGROUP_PREPARE_NARROW_INTERVAL_H
