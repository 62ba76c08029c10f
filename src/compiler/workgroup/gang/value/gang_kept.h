// SPDX-License-Identifier: MIT
// What the functions of a kernel's lanes have in common. LLVM finds a constant by its
// bytes, and an intrinsic by its name, types and all, each time that it is asked: they
// are kept here from one function to the next.
#ifndef TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_KEPT_H
#define TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_KEPT_H

#include <stdint.h>

#include <llvm-c/Types.h>

#include "compiler/job/arena.h"

enum {
    GANG_KEPT_INTRINSICS = 16,
    GANG_KEPT_TYPES = 2,
    GANG_KEPT_RAMPS = 4,
    GANG_KEPT_INTS = 512
};

struct gang_intrinsic_of {
    char name[32];
    LLVMTypeRef types[GANG_KEPT_TYPES];
    unsigned type_count;
    LLVMValueRef function; // NULL: none
};

struct gang_ramp_of {
    LLVMTypeRef element;
    int64_t stride;
    LLVMValueRef vector; // NULL: none
};

// Zero-initialized.
struct tf_gang_kept {
    struct tf_arena arena;
    unsigned width; // lanes of the functions; 0: none yet
    struct gang_intrinsic_of intrinsics[GANG_KEPT_INTRINSICS];
    unsigned intrinsic_count; // that were looked for
    struct tf_map splats;     // constants, to their numbers in:
    LLVMValueRef *splat_list;
    unsigned splat_count, splat_room;
    struct gang_ramp_of ramps[GANG_KEPT_RAMPS];
    unsigned ramp_count; // that were made
    LLVMValueRef *ints;  // numbers below GANG_KEPT_INTS that were made; NULL: not yet
};

// For functions of so many lanes: forgets what is of others.
void gang_kept_start(struct tf_gang_kept *kept, unsigned width);
void tf_gang_kept_finish(struct tf_gang_kept *kept);

#endif // TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_KEPT_H
