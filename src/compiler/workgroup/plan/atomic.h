// SPDX-License-Identifier: MIT
// Atomic changes of one word by all lanes: which of them are one operation on what the
// lanes bring together. Only integers: sums of real numbers depend on the order, and on
// who comes between.
#ifndef TF_COMPILER_WORKGROUP_PLAN_ATOMIC_H
#define TF_COMPILER_WORKGROUP_PLAN_ATOMIC_H

#include "compiler/workgroup/analysis/shape.h"

// How operands are combined: an enum tf_sub_group_combine, or -1.
int tf_atomic_operation(LLVMValueRef change);
// Whether one atomic operation does for all lanes.
bool tf_is_one_atomic(const struct tf_shapes *s, const struct tf_value *v);
bool tf_atomic_is_local(LLVMValueRef change); // to local memory

#endif // TF_COMPILER_WORKGROUP_PLAN_ATOMIC_H
