// SPDX-License-Identifier: MIT
// Sub-groups: the work-items with the linear local ids n * S .. n * S + S - 1, where S is
// a property of the kernel. A kernel that uses them runs as gangs of S lanes in every
// form, so that one gang is one sub-group. It has two bodies:
//
// - `linear` (workgroup/group/linear_gangs.h), right for every launch: a gang starts at
//   any linear id, the ids of its lanes are computed from that, and a mask says which
//   lanes exist.
// - rows, as other kernels have them (workgroup/group/rows.c), for small launches whose
//   rows are whole sub-groups, or whose groups are one row.
//
// What the work-items of a sub-group do together is a root of the built-ins library
// (builtins/lib/sub_group.h), which stays a call until the gang pass lowers it.
#ifndef TF_COMPILER_WORKGROUP_ITEM_SUB_GROUP_H
#define TF_COMPILER_WORKGROUP_ITEM_SUB_GROUP_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Whether the module calls a root, once all is inlined.
bool tf_wg_uses_sub_groups(struct tf_wg *wg);

// The linear local id that the program's `__tf_local_id(dim)` has in the function
// `wg->item->function` of a kernel with sub-groups, as an i64 built at the builder's
// place from `linear`, an i32.
LLVMValueRef tf_wg_linear_local_id(struct tf_wg *wg, LLVMValueRef linear, unsigned dim);

#endif // TF_COMPILER_WORKGROUP_ITEM_SUB_GROUP_H
