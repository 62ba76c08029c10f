// SPDX-License-Identifier: MIT
// Loops that keep a sum in memory, or walk along rows of several arguments: the buffers
// of most launches share no byte.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_APART_H
#define TF_COMPILER_WORKGROUP_PREPARE_APART_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Makes loops of `fn`, in the shape that prepare gives them, a second time (apart.c).
// Whether there were any. False after tf_wg_fail, too: `*ok` says.
bool tf_prepare_apart(struct tf_wg *wg, LLVMValueRef fn, bool *ok);
// Takes away what accesses say since, of which the code of lanes may make nothing.
void tf_prepare_forget_apart(struct tf_wg *wg, LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_APART_H
