// SPDX-License-Identifier: MIT
// What the instructions of groups share.
#ifndef TF_COMPILER_SPIRV_GROUPS_SPIRV_GROUP_UTIL_H
#define TF_COMPILER_SPIRV_GROUPS_SPIRV_GROUP_UTIL_H

#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_reader.h"

// The execution scope at `at`: true for a work-group, false for a sub-group; others fail.
bool tf_spv_group_is_work_group(struct tf_spv *r, uint32_t at);
void tf_spv_group_need_sub_group(struct tf_spv *r, uint32_t at);

// An operand of a call: the value at `at`.
struct tf_spv_arg tf_spv_group_arg(struct tf_spv *r, uint32_t at, bool is_unsigned);
// An integer as uint or size_t.
struct tf_spv_arg tf_spv_group_uint(struct tf_spv *r, uint32_t at);
struct tf_spv_arg tf_spv_group_size(struct tf_spv *r, LLVMValueRef value);
// A boolean as int.
struct tf_spv_arg tf_spv_group_int_of_bool(struct tf_spv *r, uint32_t at);
// An int, defined as the boolean result.
void tf_spv_group_set_bool(struct tf_spv *r, LLVMValueRef value);

#endif // TF_COMPILER_SPIRV_GROUPS_SPIRV_GROUP_UTIL_H
