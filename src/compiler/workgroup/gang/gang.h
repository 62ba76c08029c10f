// SPDX-License-Identifier: MIT
// The gang pass: W work-items, consecutive in dimension 0, as the lanes of one function.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// A new function of the module that runs wg->wide for `width` lanes (a power of two, 2 to
// 64). Its parameters are those of the item function, lid0 that of lane 0; `masked` adds
// a last one, i64 `lanes`: only the lanes 0..lanes-1 run, at least one. Only for small
// launches (workgroup/item/small.h). NULL when the kernel cannot or should not be
// widened; then wg->refusal says why, and the module is as it was.
//
// Of a kernel with sub-groups: the same, made of wg->item, which sees the group as one
// row of items with linear ids; for all launches, and always masked. Lid0 is lane 0's
// linear id. NULL when it cannot be made (wg->refusal).
LLVMValueRef tf_wg_linear_gang(struct tf_wg *wg);

// What crosses a block of the function lies in an alloca of its entry block (mem2reg
// comes later). A call of __tf_barrier stays one, alone in the order of the function's
// control: either the gang executes it or it does not, and nothing but these allocas is
// live across it.
LLVMValueRef tf_wg_gang(struct tf_wg *wg, unsigned width, bool masked);

// The same of `packed`, which tf_pack_clone has made: runs `width` lanes of `rows` rows.
LLVMValueRef tf_wg_gang_pack(struct tf_wg *wg, LLVMValueRef packed, unsigned rows,
                             unsigned width);

// The number of lanes that suits wg->wide best: wg->width or a few times as many.
unsigned tf_wg_gang_width(struct tf_wg *wg);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_H
