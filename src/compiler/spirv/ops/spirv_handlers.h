// SPDX-License-Identifier: MIT
// The handlers of instructions. Each reads the words of `r->op`, which has the least
// number of words of its row in spirv_ops.def and, if it is of form TYPED, a type. Those
// of blocks find the builder at the end of the current block.
#ifndef TF_COMPILER_SPIRV_OPS_SPIRV_HANDLERS_H
#define TF_COMPILER_SPIRV_OPS_SPIRV_HANDLERS_H

#include "compiler/spirv/read/spirv_reader.h"

enum tf_spv_opcode {
#define OP(number, name, form, place, least, handler) TF_SPV_OP_##name = (number),
#include "compiler/spirv/ops/spirv_ops.def"
#undef OP
};

#define OP(number, name, form, place, least, handler) \
    void tf_spv_op_##handler(struct tf_spv *r);
#include "compiler/spirv/ops/spirv_ops.def"
#undef OP

#endif // TF_COMPILER_SPIRV_OPS_SPIRV_HANDLERS_H
