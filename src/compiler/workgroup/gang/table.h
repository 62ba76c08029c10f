// SPDX-License-Identifier: MIT
// Small tables of constants: arrays of the program that fit in a few registers. A load at
// an index that is not the same for all lanes is a permutation of registers then, not a
// gather.
#ifndef TF_COMPILER_WORKGROUP_GANG_TABLE_H
#define TF_COMPILER_WORKGROUP_GANG_TABLE_H

#include <stdbool.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct gang;
struct tf_value;

// Whether the value is such an array: constant, of 2 to 32 numbers of 8, 16 or 32 bits,
// in as many dimensions as you like.
bool tf_is_table(LLVMTargetDataRef layout, LLVMValueRef value);

// What the load costs in operations on vectors, if it is made so; else 0. Shapes are
// known.
unsigned gang_table_operations(const struct gang *g, const struct tf_value *load);
// Makes the load if gang_table_operations says so. An index that is out of range, in
// lanes that are not active or in a program that is not defined, takes any element.
bool gang_table_load(struct gang *g, struct tf_value *load);

#endif // TF_COMPILER_WORKGROUP_GANG_TABLE_H
