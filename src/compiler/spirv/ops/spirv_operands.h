// SPDX-License-Identifier: MIT
// What handlers share.
#ifndef TF_COMPILER_SPIRV_OPS_SPIRV_OPERANDS_H
#define TF_COMPILER_SPIRV_OPS_SPIRV_OPERANDS_H

#include "compiler/spirv/read/spirv_reader.h"

// The result type, which must be of integers, floating-point numbers or booleans: one or
// a vector.
const struct tf_spv_type *tf_spv_int_result(struct tf_spv *r);
const struct tf_spv_type *tf_spv_float_result(struct tf_spv *r);
const struct tf_spv_type *tf_spv_bool_result(struct tf_spv *r);

// The number in each component.
LLVMValueRef tf_spv_splat(struct tf_spv *r, const struct tf_spv_type *type,
                          uint64_t number);

// A type that instructions handle as one value: it has a size, and not too many parts.
void tf_spv_check_value(struct tf_spv *r, const struct tf_spv_type *type);

// The decorations of the result that concern the instruction, if it became one.
void tf_spv_set_wrapping(struct tf_spv *r, LLVMValueRef value);
void tf_spv_set_fast_math(struct tf_spv *r, LLVMValueRef value);

#endif // TF_COMPILER_SPIRV_OPS_SPIRV_OPERANDS_H
