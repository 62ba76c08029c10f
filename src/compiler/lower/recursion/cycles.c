// SPDX-License-Identifier: MIT
#include "compiler/lower/recursion/cycles.h"

#include <llvm-c/Core.h>

#include "compiler/ir/call_graph.h"
#include "compiler/ir/ir_util.h"

struct search {
    const struct tf_call_graph *graph;
    unsigned *index, *low; // from 1 on, in the order of the first visit; 0: not seen
    unsigned *component;   // from 1 on; 0: still open
    size_t *next;          // call to follow
    size_t *way, way_count, *open, open_count;
    unsigned visited, component_count;
};

static void enter(struct search *s, size_t node)
{
    s->index[node] = s->low[node] = ++s->visited;
    s->way[s->way_count++] = node;
    s->open[s->open_count++] = node;
}

static void leave(struct search *s)
{
    const size_t node = s->way[--s->way_count];

    if (s->low[node] == s->index[node]) {
        size_t member;

        s->component_count++;
        do {
            member = s->open[--s->open_count];
            s->component[member] = s->component_count;
        } while (member != node);
    }
    if (s->way_count) {
        unsigned *const above = &s->low[s->way[s->way_count - 1]];

        *above = s->low[node] < *above ? s->low[node] : *above;
    }
}

// Without recursion: the chain of calls is the program's, and may be long.
static void search_from(struct search *s, size_t root)
{
    enter(s, root);
    while (s->way_count) {
        const size_t at = s->way[s->way_count - 1];
        const struct tf_call_node *const node = &s->graph->nodes[at];

        if (s->next[at] == node->call_count) {
            leave(s);
            continue;
        }
        const size_t callee = s->graph->calls[node->first_call + s->next[at]++].callee;
        if (!s->index[callee])
            enter(s, callee);
        else if (!s->component[callee] && s->index[callee] < s->low[at])
            s->low[at] = s->index[callee];
    }
}

static bool calls_itself(const struct tf_call_graph *graph, size_t at)
{
    const struct tf_call_node *const node = &graph->nodes[at];

    for (size_t i = 0; i < node->call_count; i++)
        if (graph->calls[node->first_call + i].callee == at)
            return true;
    return false;
}

// Functions of one component each, in the module's order: the nodes are sorted by
// addresses, which differ from run to run.
static void gather(const struct search *s, LLVMModuleRef module, struct tf_arena *arena,
                   struct tf_cycles *out)
{
    const size_t nodes = s->graph->node_count;
    struct tf_map at = {.arena = arena};
    unsigned *const sizes = TF_ARENA_NEW(arena, unsigned, s->component_count + 1);
    struct tf_cycle **const cycle_of =
        TF_ARENA_NEW(arena, struct tf_cycle *, s->component_count + 1);

    out->cycles = TF_ARENA_NEW(arena, struct tf_cycle, s->component_count + 1);
    for (size_t i = 0; i < nodes; i++) {
        tf_map_put(&at, s->graph->nodes[i].function, (unsigned)i);
        sizes[s->component[i]]++;
    }
    TF_FOR_EACH_FUNCTION(f, module)
    {
        const unsigned i = tf_map_get(&at, f);
        struct tf_cycle **cycle;

        if (i == TF_MAP_NONE ||
            (sizes[s->component[i]] == 1 && !calls_itself(s->graph, i)))
            continue;
        cycle = &cycle_of[s->component[i]];
        if (!*cycle) {
            *cycle = &out->cycles[out->count++];
            (*cycle)->functions =
                TF_ARENA_NEW(arena, LLVMValueRef, sizes[s->component[i]]);
        }
        (*cycle)->number.arena = arena;
        tf_map_put(&(*cycle)->number, f, (*cycle)->count);
        (*cycle)->functions[(*cycle)->count++] = f;
    }
}

bool tf_cycles_find(LLVMModuleRef module, struct tf_arena *arena, struct tf_cycles *out)
{
    struct tf_call_graph graph;

    *out = (struct tf_cycles){0};
    if (!tf_call_graph_init(&graph, module))
        return false;
    if (graph.has_cycle) {
        struct search s = {
            .graph = &graph,
            .index = TF_ARENA_NEW(arena, unsigned, graph.node_count),
            .low = TF_ARENA_NEW(arena, unsigned, graph.node_count),
            .component = TF_ARENA_NEW(arena, unsigned, graph.node_count),
            .next = TF_ARENA_NEW(arena, size_t, graph.node_count),
            .way = TF_ARENA_NEW(arena, size_t, graph.node_count),
            .open = TF_ARENA_NEW(arena, size_t, graph.node_count),
        };

        for (size_t i = 0; i < graph.node_count; i++)
            if (!s.index[i])
                search_from(&s, i);
        gather(&s, module, arena, out);
    }
    tf_call_graph_finish(&graph);
    return true;
}

int tf_cycle_callee(const struct tf_cycle *cycle, LLVMValueRef call)
{
    const LLVMValueRef callee = tf_ir_callee(call);
    const unsigned number = callee ? tf_map_get(&cycle->number, callee) : TF_MAP_NONE;

    return number == TF_MAP_NONE ? -1 : (int)number;
}
