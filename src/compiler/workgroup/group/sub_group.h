// SPDX-License-Identifier: MIT
// Sub-groups: the work-items with the linear local ids n * S .. n * S + S - 1, where S is
// a property of the kernel. A kernel that uses them runs as gangs of S lanes in every
// form, so that one gang is one sub-group. It has two bodies:
//
// - `linear`, right for every launch: a gang starts at any linear id, the ids of its
// lanes
//   are computed from that, and a mask says which lanes exist.
// - rows, as other kernels have them (workgroup/group/rows.c), for small launches whose
// rows are whole
//   sub-groups, or whose groups are one row.
//
// What the work-items of a sub-group do together is a root of the built-ins library
// (builtins/lib/sub_group.h), which stays a call until the gang pass lowers it.
#ifndef TF_COMPILER_WORKGROUP_GROUP_SUB_GROUP_H
#define TF_COMPILER_WORKGROUP_GROUP_SUB_GROUP_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

enum tf_sub_group_root {
    TF_SUB_GROUP_NONE, // the call is no root
    TF_SUB_GROUP_WIDTH,
    TF_SUB_GROUP_ID,
    TF_SUB_GROUP_LANE,
    TF_SUB_GROUP_BARRIER,
    TF_SUB_GROUP_BALLOT,
    TF_SUB_GROUP_BROADCAST,
    TF_SUB_GROUP_SHUFFLE,
    TF_SUB_GROUP_REDUCE,
    TF_SUB_GROUP_CLUSTER,
    TF_SUB_GROUP_SCAN,
};

enum tf_sub_group_root tf_sub_group_root(LLVMValueRef call);
// True for roots whose result is the same for all lanes that execute them.
bool tf_sub_group_is_uniform(enum tf_sub_group_root root);

// Reads S of the kernel into wg->sub_group_size; 0 where none was fixed.
void tf_wg_read_sub_group_size(struct tf_wg *wg);
// Whether the module calls a root, once all is inlined.
bool tf_wg_uses_sub_groups(struct tf_wg *wg);

// The linear local id that the program's `__tf_local_id(dim)` has in the function
// `wg->item` of a kernel with sub-groups, as an i64 built at the builder's place from
// `linear`, an i32.
LLVMValueRef tf_wg_linear_local_id(struct tf_wg *wg, LLVMValueRef linear, unsigned dim);

// The two bodies of the loop over groups, like those of wg.h: wg->item is the linear
// gang.
void tf_wg_emit_gang_loop(struct tf_wg *wg, LLVMValueRef group,
                          const LLVMValueRef size[3]);
// `group` is followed by a second struct tf_group, for the service's use.
void tf_wg_emit_gang_fibers(struct tf_wg *wg, LLVMValueRef group,
                            const LLVMValueRef size[3]);

#endif // TF_COMPILER_WORKGROUP_GROUP_SUB_GROUP_H
