// SPDX-License-Identifier: MIT
// Roots: functions without a body that the built-ins stand on (abi/cpu_abi.h) or that our
// own passes ask. Each pass gives a meaning to some of them. This is the one place that
// knows them by name.
#ifndef TF_COMPILER_IR_ROOTS_H
#define TF_COMPILER_IR_ROOTS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

enum tf_root {
    TF_ROOT_NONE, // any other function
    // Of the function that lanes are made of (workgroup/item/ids.c): ids of 32 bits.
    TF_ROOT_LID,                     // tf_lid0 to tf_lid2
    TF_ROOT_GID = TF_ROOT_LID + 3,   // tf_gid0 to tf_gid2
    TF_ROOT_APART = TF_ROOT_GID + 3, // runs the rows of a pack apart
    // i1 (int position, long least, long most): whether the positions of all lanes lie
    // between these (prepare/interior); it may say no of lanes that do.
    TF_ROOT_INSIDE,
    // Of the library of built-ins.
    TF_ROOT_LOCAL_ID,
    TF_ROOT_GLOBAL_ID,
    TF_ROOT_LAUNCH,
    TF_ROOT_WORKER,
    TF_ROOT_GROUP,
    TF_ROOT_BARRIER,
    TF_ROOT_YIELD, // void (void), at the ends of loops that wait (prepare/yields.c)
    TF_ROOT_SPACE, // uint (generic const void *): 0, 1 or 3; for NULL any of them
    TF_ROOT_PRINT,
    TF_ROOT_ENQUEUE,
    TF_ROOT_ASK,
    // Of checked kernels (compiler/check): ulong (ptr item, ulong site, ulong address,
    // ulong bytes, ulong base, ulong value), and
    // void (uint flags) before a barrier; void (image, ulong sampler, ulong first two
    // coordinates, ulong the third and the level, uint what) before accesses to images.
    TF_ROOT_CHECK,
    TF_ROOT_CHECK_FLAGS,
    TF_ROOT_CHECK_IMAGE,
    TF_ROOT_GROUP_SCRATCH,
    TF_ROOT_ESTIMATE_BITS, // uint (void): a constant before any pass looks
    TF_ROOT_HAS_FMA,       // the same
    TF_ROOT_NAMED_BARRIER,
    // What the work-items of a sub-group do together (builtins/lib/sub_group.h). The type
    // of the value follows the name of those from BROADCAST on.
    TF_ROOT_SUB_GROUP_WIDTH,
    TF_ROOT_SUB_GROUP_ID,
    TF_ROOT_SUB_GROUP_LANE,
    TF_ROOT_SUB_GROUP_BARRIER,
    TF_ROOT_SUB_GROUP_BALLOT,
    TF_ROOT_SUB_GROUP_BROADCAST,
    TF_ROOT_SUB_GROUP_SHUFFLE,
    TF_ROOT_SUB_GROUP_REDUCE,
    TF_ROOT_SUB_GROUP_CLUSTER,
    TF_ROOT_SUB_GROUP_SCAN,
    TF_ROOT_UNKNOWN, // reserved for roots, but none of these
};

// Of a call instruction, or of anything else: TF_ROOT_NONE.
enum tf_root tf_root_of(LLVMValueRef call);
enum tf_root tf_root_named(const char *name);
// The name of the function, to find or to declare it.
const char *tf_root_name(enum tf_root root);

bool tf_root_is_sub_group(enum tf_root root);
// True for roots of sub-groups whose result is the same for all lanes that execute them.
bool tf_root_is_shared(enum tf_root root);

#endif // TF_COMPILER_IR_ROOTS_H
