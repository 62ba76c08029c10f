// SPDX-License-Identifier: MIT
// Indices that keep their distance from lane to lane in nearly all gangs: i & (n - 1) and
// i % n, where a gang seldom passes a multiple of n, and i / n, which is then the same
// for all lanes. What is taken for granted of them belongs to gang_assume.c.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_INDEX_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_INDEX_H

#include "compiler/workgroup/gang/gang_emit.h"

// Whether `v`, which varies, is of that kind, and an address is made of it: a gather may
// become a whole access.
bool gang_is_index(const struct gang *g, const struct tf_value *v);
// In code: whether lanes 0 to W-1 have what was taken for granted.
LLVMValueRef gang_index_keeps(struct gang *g, const struct tf_value *v);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_INDEX_H
