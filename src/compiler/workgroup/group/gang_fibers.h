// SPDX-License-Identifier: MIT
// Gangs on fibers: what is left for a kernel with lanes whose barriers cannot become
// loops (workgroup/split/split.h). A fiber runs one gang of a row, so that a group of 256
// work-items has 16 stacks instead of 256, and a barrier costs a switch for each gang.
// Like all lanes of rows only for small launches (workgroup/item/small.h).
#ifndef TF_COMPILER_WORKGROUP_GROUP_GANG_FIBERS_H
#define TF_COMPILER_WORKGROUP_GROUP_GANG_FIBERS_H

#include <llvm-c/Types.h>

struct tf_wg;

// Runs the group at `group`, a filled struct tf_group that a second one follows, which is
// written here. The builder stands in wg->forms->entry and is left behind the call. Needs
// wg->lanes->gang and wg->lanes->gang_masked; at most once for a kernel.
void tf_wg_emit_row_fibers(struct tf_wg *wg, LLVMValueRef group);

#endif // TF_COMPILER_WORKGROUP_GROUP_GANG_FIBERS_H
