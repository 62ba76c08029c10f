// SPDX-License-Identifier: MIT
// Atomic changes of one word by all lanes: which of them are one operation on what the
// lanes bring together. Only integers, but for exchanges: sums of real numbers depend on
// the order, and on who comes between.
#ifndef TF_COMPILER_WORKGROUP_PLAN_ATOMIC_H
#define TF_COMPILER_WORKGROUP_PLAN_ATOMIC_H

#include "compiler/workgroup/analysis/shape.h"

// How operands are combined: an enum tf_sub_group_combine, or -1.
int tf_atomic_operation(LLVMValueRef change);
// Each lane leaves a value and takes what the one before it left.
bool tf_atomic_is_exchange(LLVMValueRef change);
// Whether one atomic operation does for all lanes.
bool tf_is_one_atomic(const struct tf_shapes *s, const struct tf_value *v);
// Whether it does where the lanes happen to mean the same word, and saves time then:
// nothing is locked for local memory.
bool tf_may_be_one_atomic(const struct tf_shapes *s, const struct tf_value *v);
// Whether that is what mostly happens, as in a set of bits: words[i / 32].
bool tf_is_mostly_one_atomic(const struct tf_shapes *s, const struct tf_value *v,
                             unsigned width);
bool tf_atomic_is_local(LLVMValueRef change); // to local memory

#endif // TF_COMPILER_WORKGROUP_PLAN_ATOMIC_H
