// SPDX-License-Identifier: MIT
// Addresses in private variables that lie by units.
#ifndef TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_UNITS_H
#define TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_UNITS_H

#include "compiler/workgroup/gang/value/gang_emit.h"

// What an address is made of, in bytes of the memory of all lanes.
struct gang_offset {
    LLVMValueRef shared; // i64: the same for all lanes; or NULL
    LLVMValueRef lanes;  // i32 for each lane, or NULL
    int64_t fixed;
};

struct tf_private gang_units_of(const struct gang *g, LLVMValueRef pointer);
// Adds what one address is behind its base.
void gang_units_add(struct gang *g, LLVMValueRef gep, struct gang_offset *o);
// An integer, or one for each lane, in the bits of `scalar`, with its sign.
LLVMValueRef gang_units_fit(struct gang *g, LLVMValueRef number, LLVMTypeRef scalar);
// a + b, of which one may be NULL.
LLVMValueRef gang_units_sum(struct gang *g, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gang_units_move(struct gang *g, LLVMValueRef pointer, LLVMValueRef bytes);

#endif // TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_UNITS_H
