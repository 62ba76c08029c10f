// SPDX-License-Identifier: MIT
// Indices that keep their distance from lane to lane in nearly all gangs: i & (n - 1) and
// i % n, where a gang seldom passes a multiple of n, and i / n, which is then the same
// for all lanes. And coordinates in floating point that become indices, and indices whose
// distance from lane to lane is an argument.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_INDEX_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_INDEX_H

#include "compiler/workgroup/analysis/shape.h"

// Whether `v`, which varies, is of that kind, and an address is made of it: a gather may
// become a whole access. `lanes`: how many a gang has.
bool tf_is_index(const struct tf_shapes *s, const struct tf_value *v, unsigned lanes);
// The operand that differs from lane to lane, at equal distances; the other one is the
// same for all. NULL where that is not so.
LLVMValueRef tf_index_lanes(const struct tf_shapes *s, LLVMValueRef i);
LLVMValueRef tf_index_other(LLVMValueRef i, LLVMValueRef lanes);

// Whether the product `v` spaces out what lanes index by an argument that a program uses
// for nothing else (`x[i * inc + offset]`): most launches say 1.
bool tf_is_spacing(const struct tf_shapes *s, const struct tf_value *v);
// The argument of such a product, where what is regular unless `unless` (struct tf_shape)
// rests on one; NULL: it does not.
LLVMValueRef tf_spacing_asked_for(const struct tf_shapes *s, LLVMValueRef unless);
// Where that argument lies in the block of arguments.
uint64_t tf_spacing_offset(LLVMValueRef spacing);

// What lanes add to a coordinate in floating point from one to the next, but for rounding
// and limits: NaN if a factor of it is known only to the run, 0 if nothing is known or
// they share it.
double tf_index_step(const struct tf_shapes *s, LLVMValueRef coordinate);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_INDEX_H
