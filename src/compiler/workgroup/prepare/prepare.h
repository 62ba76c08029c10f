// SPDX-License-Identifier: MIT
// What changes the scalar function before lanes are made of it.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_PREPARE_H
#define TF_COMPILER_WORKGROUP_PREPARE_PREPARE_H

#include <stdbool.h>

#include "compiler/workgroup/plan/pack/pack.h"

struct tf_item;
struct tf_lanes;
struct tf_wg;

// Settles that a kernel with sub-groups and loops that wait runs on fibers, and puts a
// call of __tf_yield at the end of each round of these.
bool tf_prepare_yields(struct tf_wg *wg, struct tf_item *item, struct tf_lanes *lanes);
// The function as the analyses want it; `untangled`: loops of several entries were given
// one. False after tf_wg_fail, as below.
bool tf_prepare_lanes(struct tf_wg *wg, LLVMValueRef fn, bool *untangled);
// Vectors of the program taken apart into components, where LLVM can do that
// (TF_LLVM_SCALARIZES_MEMORY).
bool tf_prepare_components(struct tf_wg *wg, LLVMValueRef fn);
// A new function "tf_packed" like wg->item->wide: runs `pack->rows` work-items, the first
// with the ids of wg->item->wide, the others those after it in dimension 1. *packed is
// NULL where that is not possible.
bool tf_prepare_pack(struct tf_wg *wg, const struct tf_pack *pack, LLVMValueRef *packed);

// Whether LLVM's LICM would lose what is known of indices of 32 bits.
bool tf_prepare_sums_in_parts(LLVMValueRef fn);

// ---- between the files

LLVMValueRef tf_pack_clone(struct tf_wg *wg, const struct tf_pack *pack);
// Writes llvm.memset, .memcpy and .memmove of variables that could lie by units as loads
// and stores of units. True if there are calls now that must be inlined, and loops that
// need the form that the analyses want.
bool tf_private_expand(struct tf_wg *wg, LLVMValueRef fn);
// Puts the address of each access of a variable by units, or of a small table of
// constants, into the block of the access, where that can be made of the indices.
void tf_private_sink(struct tf_wg *wg, LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_PREPARE_H
