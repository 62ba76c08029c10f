// SPDX-License-Identifier: MIT
// What the files about memory share: one load or store of the program.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_ACCESS_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_ACCESS_H

#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/gang/gang_emit.h"

struct gang_access {
    LLVMValueRef instruction, pointer;
    LLVMTypeRef type, element; // of memory
    unsigned count;            // elements: 1 but for vectors
    uint64_t element_bytes;    // 0: elements do not fill their bytes
    unsigned align_bytes;
};

// Of a load or a store.
struct gang_access gang_access_of(const struct gang *g, LLVMValueRef instruction);
// Volatile or atomic.
bool gang_is_ordered(LLVMValueRef instruction);
// What the program promises of its access holds for that of all lanes.
LLVMValueRef gang_keep_promises(struct gang *g, LLVMValueRef instruction,
                                LLVMValueRef made);
// llvm.masked.load, .store, .gather, .scatter. `args`: without the alignment; `at` is the
// pointer's place among them.
LLVMValueRef gang_call_masked(struct gang *g, const char *name, LLVMTypeRef value_type,
                              LLVMValueRef *args, unsigned at, unsigned align_bytes);

// ---- private variables by units (gang_private.c): each lane at an index of its own.
// NULL or false where the address has another form.
LLVMValueRef gang_private_gather(struct gang *g, const struct gang_access *a);
bool gang_private_scatter(struct gang *g, const struct gang_access *a,
                          LLVMValueRef value);
// Where all lanes can be loaded, and be stored after a blend, in the place of those that
// are active; NULL: nowhere, or there is no need.
LLVMValueRef gang_private_row(struct gang *g, const struct gang_access *a);

// ---- groups (gang_group.c): accesses at equal distances, with one base, of one block.
// They become accesses of whole vectors, and shuffles.

struct gang_group;

// Finds the groups of all blocks. Shapes are known.
void gang_plan_groups(struct gang *g);
// What one member's share of its group costs, in operations on vectors.
unsigned gang_group_operations(const struct gang *g, const struct tf_value *member);
// For members of a group: true, and the access is made, or will be with the last member.
bool gang_group_load(struct gang *g, struct tf_value *v);
bool gang_group_store(struct gang *g, struct tf_value *v);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_ACCESS_H
