// SPDX-License-Identifier: MIT
// The control flow of one function: blocks in reverse postorder, dominators,
// post-dominators, natural loops, and an order in which lanes can be emitted.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_CFG_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_CFG_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "compiler/job/arena.h"

#define TF_CFG_NONE (~0u)

struct tf_cfg_block {
    LLVMBasicBlockRef block;
    unsigned *preds, *succs; // an edge taken twice (both sides of a branch) counts twice
    unsigned pred_count, succ_count;
    unsigned idom;  // 0 for block 0
    unsigned ipdom; // block_count: the end of the function
    unsigned loop;  // innermost, or TF_CFG_NONE
    unsigned place; // in the order
};

// The part of a tree under a node: numbers of the nodes in it, from the root down.
struct tf_cfg_span {
    unsigned first, count;
};

struct tf_cfg_loop {
    unsigned head, parent, depth; // depth of an outermost loop: 1
    unsigned last;                // block of the loop that comes last in the order
    unsigned latch_count;
    bool *has; // per block
};

// Blocks are numbered in reverse postorder: 0 is the entry, and what dominates a block
// has a smaller number. Blocks that cannot be reached have no number.
struct tf_cfg {
    struct tf_arena *arena;
    struct tf_cfg_block *blocks;
    unsigned block_count;
    struct tf_cfg_span *dominated;      // per block
    struct tf_cfg_span *post_dominated; // per block, and the end of the function
    struct tf_cfg_loop *loops;
    unsigned loop_count;
    unsigned *stack;      // of searches: no two at a time
    unsigned *order;      // topological without back edges, every loop in one piece
    struct tf_map number; // LLVMBasicBlockRef -> number
};

// False if the control flow is irreducible. Everything lies in the arena.
bool tf_cfg_init(struct tf_cfg *cfg, struct tf_arena *arena, LLVMValueRef fn);

unsigned tf_cfg_number(const struct tf_cfg *cfg, LLVMBasicBlockRef block);
bool tf_cfg_dominates(const struct tf_cfg *cfg, unsigned a, unsigned b);
bool tf_cfg_post_dominates(const struct tf_cfg *cfg, unsigned a, unsigned b);
unsigned tf_cfg_common_dominator(const struct tf_cfg *cfg, unsigned a, unsigned b);
unsigned tf_cfg_common_post_dominator(const struct tf_cfg *cfg, unsigned a, unsigned b);
bool tf_cfg_is_head(const struct tf_cfg *cfg, unsigned block);
// True if `block` is in the loop; false for TF_CFG_NONE as a block or a loop, and for the
// end of the function.
bool tf_cfg_in_loop(const struct tf_cfg *cfg, unsigned loop, unsigned block);
// Whether the value is made in the loop.
bool tf_cfg_makes(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef value);
// Marks in `reached` (per block) what can be reached from `from` by at least one edge,
// without passing `stop`.
void tf_cfg_reach(const struct tf_cfg *cfg, unsigned from, unsigned stop, bool *reached);
// The condition of the block's conditional branch, or NULL.
LLVMValueRef tf_cfg_condition(const struct tf_cfg *cfg, unsigned block);
// ---- rounds (cfg_rounds.c)
// The block that goes back to the head, or TF_CFG_NONE where there are several.
unsigned tf_cfg_latch(const struct tf_cfg *cfg, unsigned loop);
// How often the loop goes round at most; 0: unknown.
unsigned tf_cfg_rounds(const struct tf_cfg *cfg, unsigned loop);
// The same where that is known, and else an estimate; 0: of nothing.
unsigned tf_cfg_rounds_about(const struct tf_cfg *cfg, unsigned loop);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_CFG_H
