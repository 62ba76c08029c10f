// SPDX-License-Identifier: MIT
// High halves of products of 64 bits: what mul_hi() of longs is made of, numbers of 128
// bits that are multiplied and shifted down. Vectors have no such numbers, but products
// of 32 bits.
#ifndef TF_COMPILER_IR_VECTOR_HIGH_PRODUCT_H
#define TF_COMPILER_IR_VECTOR_HIGH_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

struct tf_factor {
    LLVMValueRef wide; // of 128 bits, of which the lower 64 say all
    bool has_sign;     // they were widened with their sign
};

struct tf_high_product {
    struct tf_factor factors[2];
    unsigned shift; // of the high half, before it is cut to the result's bits
    bool keeps_sign;
};

// Whether `value` is a trunc of such a product, made in its block; but for the factors,
// which may have been made anywhere before.
bool tf_high_product_of(LLVMValueRef value, struct tf_high_product *out);
// The same where `value` is a vector of the program's, all of whose elements are such
// products.
bool tf_high_products_of(LLVMValueRef value, struct tf_high_product *out);
// Of `factors`, vectors of 64 bits: the product in its `type`, made without 128 bits.
LLVMValueRef tf_high_product_build(LLVMBuilderRef b, const LLVMValueRef factors[2],
                                   const struct tf_high_product *product,
                                   LLVMTypeRef type);
// Whether `value` is only a step on the way to them, or widens a factor.
bool tf_is_within_high_products(LLVMValueRef value);

#endif // TF_COMPILER_IR_VECTOR_HIGH_PRODUCT_H
