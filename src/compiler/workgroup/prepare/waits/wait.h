// SPDX-License-Identifier: MIT
// Loops that may wait for what another work-item of the group does: whether they end, or
// when, depends on atomic operations, volatile accesses, or memory behind a fence. Not: a
// loop each round of which passes a barrier, a retry that somebody wins in each round
// (analysis/spin.h), a counter that only goes on.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_WAIT_H
#define TF_COMPILER_WORKGROUP_PREPARE_WAIT_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_cfg;
struct tf_item;
struct tf_wg;

// Whether the loop may wait.
bool tf_wait_in_loop(const struct tf_cfg *cfg, unsigned loop);
// The same of any loop of the function; of one with loops of several entries, or of very
// many blocks, whether it could at all. Cheap where nothing could be waited for.
bool tf_wait_in(LLVMValueRef fn);
// Makes volatile accesses of local memory ordinary ones, where no loop waits
// (volatiles.c).
void tf_prepare_volatiles(LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_WAIT_H
