// SPDX-License-Identifier: MIT
#include "compiler/lower/kept/kept_functions.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/alloc.h"
#include "base/env.h"
#include "compiler/ir/call_graph.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/ir/roots.h"

enum {
    LEAST_KERNEL = 300000, // optimized code is not made of so many (codegen/huge.h)
    LEAST_FUNCTION = 500,  // a call costs as much as a smaller one
};

static const char mark[] = "tf-kept";

static bool is_forced(void)
{
    const char *const text = tf_env_text(TF_ENV_CALLS);

    return text && strcmp(text, "keep") == 0;
}

// Whether a kernel of so many instructions, everything inlined, keeps functions.
static bool is_large(uint64_t instructions)
{
    return is_forced() || instructions > LEAST_KERNEL;
}

// ---- what holds for each function

// By the index of its node.
struct place {
    bool reached;    // from a large kernel
    bool unfit;      // what it does has a place in kernels only
    bool sub_groups; // it asks for work-items of its sub-group
    unsigned calls;  // of it, in functions that are reached
};

struct choice {
    LLVMModuleRef module;
    struct tf_call_graph *graph;
    struct place *places;
    bool by_lines; // only functions that have some stay
};

static struct place *place_of(const struct choice *c, const struct tf_call_node *node)
{
    return &c->places[node - c->graph->nodes];
}

static struct place *callee_of(const struct choice *c, const struct tf_call_node *node,
                               size_t call)
{
    return &c->places[c->graph->calls[node->first_call + call].callee];
}

static void read_roots(struct place *p, LLVMValueRef function)
{
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        const enum tf_root root = tf_root_of(i);

        p->sub_groups |= tf_root_is_sub_group(root);
        p->unfit |= root == TF_ROOT_BARRIER || root == TF_ROOT_NAMED_BARRIER ||
                    root == TF_ROOT_GROUP_SCRATCH;
    }
}

// Events are taken away where all is inlined (lower/events.h), and so are integers of 128
// bits, which literals of C++ have.
static bool is_odd(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMTargetExtTypeKind ||
           (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
            LLVMGetIntTypeWidth(type) > 64);
}

static bool has_odd_types(LLVMTypeRef type)
{
    LLVMTypeRef params[TF_KEPT_MOST_PARAMS];
    bool any = is_odd(LLVMGetReturnType(type));

    LLVMGetParamTypes(type, params);
    for (unsigned i = 0; i < LLVMCountParamTypes(type); i++)
        any |= is_odd(params[i]);
    return any;
}

// Whether caller and function agree which parameters are copies of structs.
static bool agree(LLVMValueRef call, LLVMValueRef function)
{
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));

    for (unsigned i = 1; i <= LLVMCountParams(function); i++) {
        if (LLVMGetCallSiteEnumAttribute(call, i, byval) !=
            LLVMGetEnumAttributeAtIndex(function, i, byval))
            return false;
    }
    return true;
}

// Functions of several types at their calls, or of values that no call passes.
static bool has_odd_calls(LLVMValueRef function)
{
    const LLVMTypeRef type = LLVMGlobalGetValueType(function);

    if (LLVMCountParams(function) > TF_KEPT_MOST_PARAMS || LLVMIsFunctionVarArg(type) ||
        has_odd_types(type))
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);

        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function ||
            LLVMGetCalledFunctionType(call) != type || !agree(call, function))
            return true;
    }
    return false;
}

// Marks the functions that name `value`, themselves or in a constant.
static void mark_users(const struct choice *c, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAInstruction(user))
            place_of(c, tf_call_graph_node(c->graph, tf_ir_function_of(user)))->unfit =
                true;
        else if (LLVMIsAConstant(user) && !LLVMIsAGlobalValue(user))
            mark_users(c, user);
    }
}

// Local memory is laid out by what a kernel itself names (module/arg_layout.h).
static void mark_locals(const struct choice *c)
{
    enum { LOCAL = 3 };

    TF_FOR_EACH_GLOBAL(g, c->module)
    {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL)
            mark_users(c, g);
    }
}

// What a function does, those do that it calls.
static void find_unfit(const struct choice *c)
{
    mark_locals(c);
    for (size_t k = 0; k < c->graph->node_count; k++) {
        const struct tf_call_node *const node = &c->graph->nodes[c->graph->order[k]];
        struct place *const p = place_of(c, node);

        read_roots(p, node->function);
        for (size_t i = 0; i < node->call_count; i++) {
            p->unfit |= callee_of(c, node, i)->unfit;
            p->sub_groups |= callee_of(c, node, i)->sub_groups;
        }
    }
    for (size_t i = 0; i < c->graph->node_count; i++)
        c->places[i].unfit |= has_odd_calls(c->graph->nodes[i].function);
}

// ---- the choice

// Sub-groups are lanes, which reach through no call: all that such kernels call is
// inlined, for others, too.
static void spread(const struct choice *c)
{
    for (size_t k = c->graph->node_count; k-- > 0;) {
        const struct tf_call_node *const node = &c->graph->nodes[c->graph->order[k]];
        const struct place *const p = place_of(c, node);

        for (size_t i = 0; i < node->call_count; i++) {
            struct place *const callee = callee_of(c, node, i);

            callee->reached |= p->reached;
            callee->sub_groups |= p->sub_groups;
            callee->calls += p->reached;
        }
    }
}

static bool has_large_kernels(const struct choice *c)
{
    bool any = false;

    for (size_t i = 0; i < c->graph->node_count; i++) {
        const struct tf_call_node *const node = &c->graph->nodes[i];

        c->places[i].reached = tf_ir_is_kernel(node->function) && is_large(node->inlined);
        any |= c->places[i].reached;
    }
    return any;
}

// What checks tell of functions of the library they tell of the line that calls them;
// unless the program has no lines, as SPIR-V may.
static bool goes_by_lines(LLVMModuleRef module)
{
    bool any = false;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        any |= LLVMGetSubprogram(f) != NULL;
    }
    return any && tf_check_modes_of(module);
}

static bool stays(const struct choice *c, const struct tf_call_node *node)
{
    const struct place *const p = place_of(c, node);

    return p->reached && !p->unfit && !p->sub_groups &&
           !tf_ir_is_kernel(node->function) &&
           (!c->by_lines || LLVMGetSubprogram(node->function)) &&
           (is_forced() || (p->calls > 1 && node->inlined >= LEAST_FUNCTION));
}

static void keep(LLVMValueRef function)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));

    tf_ir_remove_attribute(function, "alwaysinline");
    tf_ir_add_attribute(function, "noinline");
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, mark, sizeof mark - 1, "", 0));
}

static void choose(const struct choice *c)
{
    for (size_t k = 0; k < c->graph->node_count; k++) {
        struct tf_call_node *const node = &c->graph->nodes[c->graph->order[k]];
        uint64_t sum = node->instructions;

        for (size_t i = 0; i < node->call_count; i++) {
            const struct tf_call_node *const callee =
                &c->graph->nodes[c->graph->calls[node->first_call + i].callee];

            if (__builtin_add_overflow(
                    sum, tf_kept_function(callee->function) ? 1 : callee->inlined, &sum))
                sum = UINT64_MAX / 2;
        }
        node->inlined = sum;
        if (stays(c, node))
            keep(node->function);
    }
}

bool tf_kept_functions_mark(LLVMModuleRef module, struct tf_call_graph *graph)
{
    struct choice c = {
        .module = module, .graph = graph, .by_lines = goes_by_lines(module)};

    if (graph->has_cycle)
        return true;
    c.places = tf_zalloc(graph->node_count * sizeof(*c.places));
    if (!c.places)
        return false;
    if (has_large_kernels(&c)) {
        find_unfit(&c);
        spread(&c);
        choose(&c);
    }
    tf_free(c.places);
    return true;
}

bool tf_kept_function(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function,
                                         (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         mark, sizeof mark - 1) != NULL;
}

// To be inlined as any other.
static void release(LLVMValueRef function)
{
    LLVMRemoveStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark, sizeof mark - 1);
    tf_ir_remove_attribute(function, "noinline");
}

static bool has_kept(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (tf_kept_function(f))
            return true;
    }
    return false;
}

bool tf_kept_functions_settle(LLVMValueRef kernel, bool *keeps)
{
    const LLVMModuleRef module = LLVMGetGlobalParent(kernel);
    struct tf_call_graph graph;

    *keeps = false;
    if (!has_kept(module))
        return true;
    if (!tf_call_graph_init(&graph, module))
        return false;
    // Another kernel of the program is large.
    *keeps = is_large(tf_call_graph_node(&graph, kernel)->inlined);
    for (size_t i = 0; i < graph.node_count && !*keeps; i++)
        release(graph.nodes[i].function);
    tf_call_graph_finish(&graph);
    return true;
}

// ---- who calls them

static size_t count_all(LLVMValueRef function)
{
    size_t count = 0;

    TF_FOR_EACH_FUNCTION(f, LLVMGetGlobalParent(function))
    {
        count += tf_kept_function(f);
    }
    return count;
}

static void add_called(LLVMValueRef function, LLVMValueRef *list, size_t *count)
{
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        const LLVMValueRef callee = tf_ir_callee(i);
        bool is_new = callee && tf_kept_function(callee);

        for (size_t k = 0; k < *count && is_new; k++)
            is_new = list[k] != callee;
        if (is_new)
            list[(*count)++] = callee;
    }
}

bool tf_kept_functions_of(LLVMValueRef function, LLVMValueRef **list, size_t *count)
{
    const size_t all = count_all(function);

    *list = NULL;
    *count = 0;
    if (!all)
        return true;
    *list = tf_zalloc(all * sizeof(**list));
    if (!*list)
        return false;
    add_called(function, *list, count);
    for (size_t k = 0; k < *count; k++)
        add_called((*list)[k], *list, count);
    return true;
}
