// SPDX-License-Identifier: MIT
// Who calls whom in a module: the functions that it defines, with their direct calls.
#ifndef TF_COMPILER_IR_CALL_GRAPH_H
#define TF_COMPILER_IR_CALL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/attr.h"

struct tf_call_node {
    LLVMValueRef function;
    uint64_t instructions;         // of its own body
    size_t first_call, call_count; // into tf_call_graph.calls
    uint64_t inlined;              // instructions with everything inlined; saturates
    int state;                     // of the walk
};

struct tf_call_edge {
    size_t callee; // index of its node
};

struct tf_call_graph {
    struct tf_call_node *nodes; // sorted by address of the function
    size_t node_count;
    struct tf_call_edge *calls;
    size_t call_count;
    size_t *order; // indices of all nodes, those that are called first
    bool has_cycle;
};

// The node of a function that the module defines.
struct tf_call_node *tf_call_graph_node(const struct tf_call_graph *graph,
                                        LLVMValueRef function);
// Builds the graph and fills `inlined`, which means nothing in a cycle. False: memory ran
// out.
bool tf_call_graph_init(struct tf_call_graph *graph, LLVMModuleRef module) TF_NODISCARD;
void tf_call_graph_finish(struct tf_call_graph *graph);

#endif // TF_COMPILER_IR_CALL_GRAPH_H
