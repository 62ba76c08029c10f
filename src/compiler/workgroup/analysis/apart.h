// SPDX-License-Identifier: MIT
// The mark in packed functions (prepare/pack_clone.c) that stands for "the rows disagree:
// run them apart".
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_APART_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_APART_H

#include "compiler/workgroup/analysis/cfg.h"

bool tf_pack_is_apart(LLVMValueRef call);
// Whether the branch at the end of the block asks for the rows. Shapes take it for one
// that lanes take together; a pack is made only if that is so.
bool tf_pack_asks(const struct tf_cfg *cfg, unsigned block);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_APART_H
