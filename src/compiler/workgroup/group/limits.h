// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_GROUP_LIMITS_H
#define TF_COMPILER_WORKGROUP_GROUP_LIMITS_H

#include <llvm-c/Types.h>

struct tf_facts;
struct tf_wg;

// Makes functions of what limits the items of a range (limit_find.h), as far as it
// depends on the launch alone: out[d](launch) is the first global id along dimension d
// that has no work, and none behind it has; an i64. NULL: there is no such limit. The
// function of the facts may go afterwards.
void tf_wg_make_limits(struct tf_wg *wg, const struct tf_facts *facts,
                       LLVMValueRef out[3]);

#endif // TF_COMPILER_WORKGROUP_GROUP_LIMITS_H
