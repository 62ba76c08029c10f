// SPDX-License-Identifier: MIT
#include "compiler/ir/call_graph.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"

enum { NEW, OPEN, CLOSED };

static int compare_nodes(const void *a, const void *b)
{
    const struct tf_call_node *const x = a, *const y = b;

    return ((uintptr_t)x->function > (uintptr_t)y->function) -
           ((uintptr_t)x->function < (uintptr_t)y->function);
}

struct tf_call_node *tf_call_graph_node(const struct tf_call_graph *graph,
                                        LLVMValueRef function)
{
    const struct tf_call_node key = {.function = function};

    return bsearch(&key, graph->nodes, graph->node_count, sizeof key, compare_nodes);
}

// Calls `take` for each direct call of a function that the module defines.
static uint64_t walk(LLVMValueRef function, void (*take)(void *, LLVMValueRef), void *arg)
{
    uint64_t instructions = 0;

    TF_FOR_EACH_INSTRUCTION(inst, function)
    {
        const LLVMValueRef callee = tf_ir_callee(inst);

        instructions++;
        if (callee && !LLVMIsDeclaration(callee))
            take(arg, inst);
    }
    return instructions;
}

static void count_call(void *arg, LLVMValueRef call)
{
    struct tf_call_graph *const graph = arg;

    (void)call;
    graph->call_count++;
}

static void add_call(void *arg, LLVMValueRef call)
{
    struct tf_call_graph *const graph = arg;
    const struct tf_call_node *const callee =
        tf_call_graph_node(graph, tf_ir_callee(call));

    graph->calls[graph->call_count++] =
        (struct tf_call_edge){(size_t)(callee - graph->nodes)};
}

// Depth first without recursion: the chain of calls is the program's, and may be long.
// Returns how many are in order then.
static size_t measure(struct tf_call_graph *graph, size_t root, size_t ordered,
                      size_t *stack, size_t *next)
{
    size_t depth = 0;

    stack[depth++] = root;
    graph->nodes[root].state = OPEN;
    next[root] = 0;
    while (depth) {
        struct tf_call_node *const node = &graph->nodes[stack[depth - 1]];
        const size_t i = next[stack[depth - 1]]++;

        if (i == node->call_count) {
            uint64_t sum = node->instructions;

            for (size_t k = 0; k < node->call_count; k++)
                if (__builtin_add_overflow(
                        sum,
                        graph->nodes[graph->calls[node->first_call + k].callee].inlined,
                        &sum))
                    sum = UINT64_MAX / 2;
            node->inlined = sum;
            node->state = CLOSED;
            graph->order[ordered++] = (size_t)(node - graph->nodes);
            depth--;
            continue;
        }
        const struct tf_call_edge *const edge = &graph->calls[node->first_call + i];
        graph->has_cycle |= graph->nodes[edge->callee].state == OPEN;
        if (graph->nodes[edge->callee].state != NEW)
            continue;
        graph->nodes[edge->callee].state = OPEN;
        next[edge->callee] = 0;
        stack[depth++] = edge->callee;
    }
    return ordered;
}

static bool collect(struct tf_call_graph *graph, LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f)) {
            graph->node_count++;
            walk(f, count_call, graph);
        }
    }
    graph->nodes = tf_zalloc(graph->node_count * sizeof *graph->nodes);
    graph->calls = tf_zalloc(graph->call_count * sizeof *graph->calls);
    graph->order = tf_zalloc(graph->node_count * sizeof *graph->order);
    if (!graph->nodes || !graph->calls || !graph->order)
        return false;
    graph->node_count = 0;
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f))
            graph->nodes[graph->node_count++].function = f;
    }
    qsort(graph->nodes, graph->node_count, sizeof *graph->nodes, compare_nodes);
    graph->call_count = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        struct tf_call_node *const node = &graph->nodes[i];

        node->first_call = graph->call_count;
        node->instructions = walk(node->function, add_call, graph);
        node->call_count = graph->call_count - node->first_call;
    }
    return true;
}

bool tf_call_graph_init(struct tf_call_graph *graph, LLVMModuleRef module)
{
    size_t *stack = NULL, ordered = 0;
    bool ok;

    memset(graph, 0, sizeof *graph);
    ok = collect(graph, module);
    if (ok)
        stack = tf_zalloc(2 * graph->node_count * sizeof *stack);
    if (!ok || !stack) {
        tf_call_graph_finish(graph);
        return false;
    }
    for (size_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].state == NEW)
            ordered = measure(graph, i, ordered, stack, stack + graph->node_count);
    tf_free(stack);
    return true;
}

void tf_call_graph_finish(struct tf_call_graph *graph)
{
    tf_free(graph->nodes);
    tf_free(graph->calls);
    tf_free(graph->order);
    memset(graph, 0, sizeof *graph);
}
