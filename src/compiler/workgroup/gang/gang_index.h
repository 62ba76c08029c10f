// SPDX-License-Identifier: MIT
// What is taken for granted of indices (analysis/index.h), in code.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_INDEX_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_INDEX_H

#include "compiler/workgroup/gang/value/gang_emit.h"

// In code: whether lanes 0 to W-1 have what was taken for granted.
LLVMValueRef gang_index_keeps(struct gang *g, const struct tf_value *v);
// A coordinate as all lanes have it (analysis/index.c).
LLVMValueRef gang_converted(struct gang *g, LLVMValueRef conversion);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_INDEX_H
