// SPDX-License-Identifier: MIT
// The handlers of this room's instructions (spirv_group_ops.def), and their numbers.
#ifndef TF_COMPILER_SPIRV_GROUPS_SPIRV_GROUP_HANDLERS_H
#define TF_COMPILER_SPIRV_GROUPS_SPIRV_GROUP_HANDLERS_H

#include "compiler/spirv/read/spirv_reader.h"

enum tf_spv_group_opcode {
#define OP(number, name, form, place, least, handler) TF_SPV_OP_##name = (number),
#include "compiler/spirv/groups/spirv_group_ops.def"
#undef OP
};

#define OP(number, name, form, place, least, handler) \
    void tf_spv_op_##handler(struct tf_spv *r);
#include "compiler/spirv/groups/spirv_group_ops.def"
#undef OP

#endif // TF_COMPILER_SPIRV_GROUPS_SPIRV_GROUP_HANDLERS_H
