// SPDX-License-Identifier: MIT
// What lanes compute: one instruction each.
#ifndef TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_ARITHMETIC_H
#define TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_ARITHMETIC_H

#include "compiler/workgroup/gang/value/gang_emit.h"

void gang_vector_op(struct gang *g, struct tf_value *v); // gang_op.c
// The high half of a product of longs (gang_high_product.c).
void gang_high_product(struct gang *g, struct tf_value *v);
// A vector of the program by indices of the run (gang_permutation.c).
void gang_permutation(struct gang *g, struct tf_value *v);
void gang_elementwise(struct gang *g, struct tf_value *v);   // gang_call.c
void gang_barrier(struct gang *g, const struct tf_value *v); // gang_call.c
void gang_sub_group(struct gang *g, struct tf_value *v);     // gang_sub_group.c
void gang_element(struct gang *g, struct tf_value *v);       // gang_element.c
void gang_shuffle(struct gang *g, struct tf_value *v);       // gang_element.c
// One atomic operation for all lanes on a word that they share (gang_atomic.c). At least
// one lane is active.
void gang_one_atomic(struct gang *g, struct tf_value *v);
// The same where the lanes happen to share the word, and otherwise lane by lane.
void gang_atomic_lanes(struct gang *g, struct tf_value *v);
// Division of integers, and remainders (gang_divide.c).
LLVMValueRef gang_divide(struct gang *g, const struct tf_value *v);

#endif // TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_ARITHMETIC_H
