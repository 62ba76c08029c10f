// SPDX-License-Identifier: MIT
// Variables that stand for facts of a work-item (decoration BuiltIn): GlobalInvocationId
// and the like. They have no memory: what is loaded from them is a call of OpenCL C's
// function.
#ifndef TF_COMPILER_SPIRV_READ_SPIRV_BUILT_INS_H
#define TF_COMPILER_SPIRV_READ_SPIRV_BUILT_INS_H

#include "compiler/spirv/read/spirv_reader.h"

// Whether the reader knows that BuiltIn for a variable of this type.
bool tf_spv_built_in_ok(uint32_t built_in, const struct tf_spv_type *type);
// The value of variable `id`, built at the builder's place.
LLVMValueRef tf_spv_built_in_value(struct tf_spv *r, uint32_t id);
// Private memory of the current function with that value, for all other uses of the
// variable.
LLVMValueRef tf_spv_built_in_memory(struct tf_spv *r, uint32_t id);

#endif // TF_COMPILER_SPIRV_READ_SPIRV_BUILT_INS_H
