// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/gang.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/workgroup/gang/gang_access.h"

// Regions cost a walk over all blocks for each divergent branch. Kernels with sub-groups
// have no other form, and may take more time. Of a kernel that long LLVM makes lanes in
// more than five times the time that it takes for work-items.
enum {
    MAX_BLOCKS = 4000,
    MAX_SUB_GROUP_BLOCKS = 12000,
    MAX_INSTRUCTIONS = 60000,
    MAX_UNFORCED_INSTRUCTIONS = 25000,
};

void gang_refuse(struct gang *g, const char *fmt, ...)
{
    va_list args;

    if (!g->failed) {
        va_start(args, fmt);
        vsnprintf(g->wg->refusal, sizeof(g->wg->refusal), fmt, args);
        va_end(args);
    }
    g->failed = true;
}

// ---- what cannot be widened

static bool is_supported(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;

    switch ((int)v->opcode) {
    case LLVMAlloca:
        if (v->block != 0 || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
            LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) != 1)
            gang_refuse(g, "private memory of a size known at run time only");
        break;
    case LLVMSwitch:
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMVAArg:
        gang_refuse(g, "an unusual branch");
        break;
    default:
        break;
    }
    return !g->failed;
}

static bool check(struct gang *g)
{
    const unsigned most = g->wg->lanes_forced || g->wg->sub_groups
                              ? MAX_INSTRUCTIONS
                              : MAX_UNFORCED_INSTRUCTIONS;

    if (g->shapes.value_count > most)
        gang_refuse(g, "%u instructions, more than %u", g->shapes.value_count, most);
    for (unsigned i = 0; i < g->shapes.value_count && !g->failed; i++)
        is_supported(g, &g->shapes.values[i]);
    return !g->failed;
}

// ---- the new function

LLVMValueRef gang_function(struct gang *g, bool masked)
{
    const char *name = masked ? "tf_gang_masked" : g->rows ? "tf_gang_pack" : "tf_gang";
    LLVMValueRef fn = LLVMGetNamedFunction(g->wg->module, name);
    LLVMTypeRef params[TF_ITEM_PARAMS + 1], type;
    unsigned count = TF_ITEM_PARAMS;

    if (fn)
        return fn;
    LLVMGetParamTypes(g->wg->item_type, params);
    if (masked)
        params[count++] = g->i64;
    type = LLVMFunctionType(g->wg->void_type, params, count, false);
    fn = LLVMAddFunction(g->wg->module, name, type);
    tf_wg_add_item_attrs(g->from, fn);
    return fn;
}

static void add_function(struct gang *g)
{
    g->to = gang_function(g, g->masked);
    LLVMSetLinkage(g->to, LLVMInternalLinkage);
    g->entry = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "entry");
}

static void emit(struct gang *g)
{
    add_function(g);
    LLVMPositionBuilderAtEnd(g->b, g->entry);
    g->entry_end = LLVMBuildUnreachable(g->b); // until the first block is there
    gang_add_privates(g);
    gang_plan_blocks(g);
    gang_plan_exact(g);
    g->end = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "end");
    LLVMPositionBuilderAtEnd(g->b, g->end);
    LLVMBuildRetVoid(g->b);
    gang_emit_blocks(g);
    gang_note_branches(g);
    LLVMPositionBuilderBefore(g->b, g->entry_end);
    LLVMBuildBr(g->b, g->blocks[0].start);
    LLVMInstructionEraseFromParent(g->entry_end);
}

static void init(struct gang *g, struct tf_wg *wg, unsigned width, bool masked)
{
    g->wg = wg;
    g->width = width;
    g->masked = masked;
    g->b = wg->builder;
    g->i1 = LLVMInt1TypeInContext(wg->context);
    g->i32 = LLVMInt32TypeInContext(wg->context);
    g->i64 = wg->i64;
    g->mask_type = LLVMVectorType(g->i1, width);
}

static bool analyze(struct gang *g)
{
    const unsigned most = g->wg->sub_groups ? MAX_SUB_GROUP_BLOCKS : MAX_BLOCKS;
    const unsigned count = LLVMCountBasicBlocks(g->from);

    if (count > most) {
        gang_refuse(g, "%u blocks, more than %u", count, most);
        return false;
    }
    if (!tf_cfg_init(&g->cfg, &g->arena, g->from)) {
        gang_refuse(g, "irreducible control flow");
        return false;
    }
    tf_shapes_init(&g->shapes, &g->arena, &g->cfg, g->from);
    gang_assume(g);
    g->values = TF_ARENA_NEW(&g->arena, struct gang_value, g->shapes.value_count);
    g->blocks = TF_ARENA_NEW(&g->arena, struct gang_block, g->cfg.block_count);
    if (!check(g))
        return false;
    gang_plan_groups(g);
    return true;
}

static void write_report(struct gang *g, const struct gang_report *r)
{
    snprintf(g->wg->report, sizeof(g->wg->report),
             "%u lanes; %u gathers, %u scatters, %u lane loops, %u divergent branches; "
             "cost %llu, item by item %llu",
             g->width, r->gathers, r->scatters, r->lane_loops, r->divergent_branches,
             (unsigned long long)r->lanes_cost / 10,
             (unsigned long long)r->items_cost / 10);
}

static bool choose(struct gang *g)
{
    struct gang_report report = {0};
    bool pays;

    if ((g->masked && !g->linear) || g->rows)
        return true; // goes with the one of all lanes, which was chosen
    pays = gang_pays(g, &report);
    write_report(g, &report);
    gang_dump_shapes(g);
    if (g->wg->sub_groups)
        return true; // nothing else is right
    if (gang_spins(g))
        gang_refuse(g, "a loop waits for other work-items");
    else if (!pays && !g->wg->lanes_forced) {
        gang_note_all(g);
        gang_refuse(g, "lanes would be slower: %s", g->wg->report);
    }
    return !g->failed;
}

// What nobody calls any more.
static void drop_declaration(struct gang *g)
{
    const LLVMValueRef fn = LLVMGetNamedFunction(g->wg->module, "tf_gang_masked");

    if (fn && LLVMIsDeclaration(fn))
        LLVMDeleteFunction(fn);
}

static LLVMValueRef make(struct gang *g, struct tf_wg *wg, unsigned width, bool masked)
{
    LLVMValueRef made = NULL;

    init(g, wg, width, masked);
    if (analyze(g) && choose(g)) {
        emit(g);
        made = g->to;
    }
    if (made && g->failed) {
        // The function of all lanes may call it, and is deleted next.
        LLVMReplaceAllUsesWith(made, LLVMGetPoison(LLVMTypeOf(made)));
        LLVMDeleteFunction(made);
        made = NULL;
    }
    if (!made && !masked && !g->rows)
        drop_declaration(g);
    tf_arena_finish(&g->arena);
    return made;
}

bool gang_open(struct gang *g, struct tf_wg *wg, unsigned width, bool masked)
{
    init(g, wg, width, masked);
    return analyze(g);
}

void gang_close(struct gang *g)
{
    tf_arena_finish(&g->arena);
}

unsigned tf_wg_gang_width(struct tf_wg *wg)
{
    struct gang g = {.from = wg->wide};
    unsigned width = wg->width;

    if (gang_open(&g, wg, width, false)) {
        gang_narrow(&g);
        width = gang_best_width(&g);
    }
    gang_close(&g);
    return width;
}

LLVMValueRef tf_wg_gang_pack(struct tf_wg *wg, LLVMValueRef packed, unsigned rows,
                             unsigned width)
{
    struct gang g = {.from = packed, .rows = rows};

    return make(&g, wg, width, false);
}

LLVMValueRef tf_wg_gang(struct tf_wg *wg, unsigned width, bool masked)
{
    struct gang g = {.from = wg->wide};

    return make(&g, wg, width, masked);
}

LLVMValueRef tf_wg_linear_gang(struct tf_wg *wg)
{
    struct gang g = {.from = wg->item, .linear = true};

    return make(&g, wg, wg->sub_group_size, true);
}
