// SPDX-License-Identifier: MIT
// Small tables of constants: arrays of the program that fit in a few registers. A load at
// an index that is not the same for all lanes can be a permutation of registers then, not
// a gather.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_OPERATION_TABLE_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_OPERATION_TABLE_H

#include <stdbool.h>

#include "compiler/workgroup/analysis/shape.h"

struct tf_table {
    LLVMValueRef global;
    LLVMTypeRef element;
    uint64_t count, element_bytes;
    int64_t first; // the constant part of the index
};

// Whether the value is such an array: constant, of 2 to 32 numbers of 8, 16, 32 or 64
// bits, or up to 256 bytes of those of 8 and 16 bits, in as many dimensions as you like.
bool tf_is_table(LLVMValueRef value);
// The table that a load, which varies, reads an element of; false: none, or its indices
// are not at hand in the load's block.
bool tf_table_of(const struct tf_shapes *s, const struct tf_value *load,
                 struct tf_table *table);
// Element `at` of the table, counted through all its dimensions: a number, or a constant
// that may be any.
LLVMValueRef tf_table_element(const struct tf_table *table, uint64_t at);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_OPERATION_TABLE_H
