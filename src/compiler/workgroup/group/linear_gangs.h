// SPDX-License-Identifier: MIT
// Runs the linear gangs of a group (workgroup/item/sub_group.h), one after the other or
// each on a fiber.
#ifndef TF_COMPILER_WORKGROUP_GROUP_LINEAR_GANGS_H
#define TF_COMPILER_WORKGROUP_GROUP_LINEAR_GANGS_H

#include <llvm-c/Types.h>

struct tf_wg;

// The two bodies of the loop over groups, like those of wg.h: wg->item->function is the
// linear gang.
void tf_wg_emit_gang_loop(struct tf_wg *wg, LLVMValueRef group,
                          const LLVMValueRef size[3]);
// `group` is followed by a second struct tf_group, for the service's use.
void tf_wg_emit_gang_fibers(struct tf_wg *wg, LLVMValueRef group,
                            const LLVMValueRef size[3]);

#endif // TF_COMPILER_WORKGROUP_GROUP_LINEAR_GANGS_H
