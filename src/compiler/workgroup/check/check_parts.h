// SPDX-License-Identifier: MIT
// What the files of this room share: the parts of a gang's function, and which of them
// some lane is known to run in (check_gang.h has the terms).
#ifndef TF_COMPILER_WORKGROUP_CHECK_CHECK_PARTS_H
#define TF_COMPILER_WORKGROUP_CHECK_CHECK_PARTS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/str.h"
#include "compiler/job/arena.h"

#define TF_CHECK_NONE (~0u)

struct tf_check_block {
    LLVMBasicBlockRef block;
    bool starts;   // a part
    unsigned part; // the block that starts it, or TF_CHECK_NONE
    bool masked;   // of such a part: begins with a load from a mask slot
    bool active;   // some lane is active whenever this runs
    bool lane;     // runs for one active lane, or where all lanes are active
};

struct tf_check {
    LLVMValueRef function;
    unsigned width;
    bool few; // the function has a parameter for the number of lanes
    struct tf_arena arena;
    struct tf_check_block *blocks;
    unsigned block_count;
    struct tf_map numbers; // of blocks
    struct tf_map masks;   // value -> 1: a mask; 0: not, or being looked at
    struct tf_str *faults;
    unsigned fault_count;
};

// Notes a fault of rule `rule` at `instruction`.
void tf_check_fault(struct tf_check *c, const char *rule, LLVMValueRef instruction,
                    const char *what);

// Finds the parts, and where lanes are active. c->arena is finished by the caller.
void tf_check_parts(struct tf_check *c);
// Whether the block is of a masked part.
bool tf_check_in_masked(const struct tf_check *c, unsigned block);
bool tf_check_is_mask_slot(LLVMValueRef value);
// Whether the type is a mask's: <width x i1>, or some for each lane.
bool tf_check_is_mask_type(const struct tf_check *c, LLVMTypeRef type);
// The variable, global, parameter or instruction that a pointer is counted from.
LLVMValueRef tf_check_base(LLVMValueRef pointer);

// The rules: M1 and M2; M3, M4 and M5; S.
void tf_check_masks(struct tf_check *c);
void tf_check_actions(struct tf_check *c);
void tf_check_scopes(struct tf_check *c);
// V.
void tf_check_slots(struct tf_check *c);

#endif // TF_COMPILER_WORKGROUP_CHECK_CHECK_PARTS_H
