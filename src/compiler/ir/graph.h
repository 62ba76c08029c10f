// SPDX-License-Identifier: MIT
// The blocks of a function that can be reached and the ways between them, numbered in
// reverse postorder: 0 is the entry, and what dominates a block has a smaller number.
#ifndef TF_COMPILER_IR_GRAPH_H
#define TF_COMPILER_IR_GRAPH_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "compiler/job/arena.h"

#define TF_GRAPH_NONE (~0u)

struct tf_graph_node {
    LLVMBasicBlockRef block;
    unsigned *preds, *succs; // an edge taken twice (both sides of a branch) counts twice
    unsigned pred_count, succ_count;
};

struct tf_graph {
    struct tf_arena *arena;
    struct tf_graph_node *nodes;
    unsigned count;
    struct tf_map number; // LLVMBasicBlockRef -> number
};

// Everything lies in the arena. `first_first`: what the first way of a branch leads to
// has the smaller numbers; else what the last one does.
void tf_graph_init(struct tf_graph *g, struct tf_arena *arena, LLVMValueRef fn,
                   bool first_first);

unsigned tf_graph_number(const struct tf_graph *g, LLVMBasicBlockRef block);

// The immediate dominator of each node, in the arena; of the entry, itself.
unsigned *tf_graph_find_dominators(const struct tf_graph *g);
// The last node by which all ways to both lead.
unsigned tf_graph_common_dominator(const unsigned *idom, unsigned a, unsigned b);

struct tf_graph_ends {
    const bool *in; // the nodes that count, NULL: all
    bool closed;    // a loop that is never left ends at one of its blocks
    // Results. The immediate post-dominator of each node: `count` stands for the end of
    // the function, TF_GRAPH_NONE for a node that does not count or leads to no end.
    unsigned *ipdom;
    unsigned *post; // numbers of the reverse graph, in postorder from its end, `count`
};
void tf_graph_find_ends(const struct tf_graph *g, struct tf_graph_ends *ends);

#endif // TF_COMPILER_IR_GRAPH_H
