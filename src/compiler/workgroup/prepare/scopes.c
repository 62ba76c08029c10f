// SPDX-License-Identifier: MIT
// Promises of `restrict` that hold for less than LLVM takes them for. What is said of
// such scopes is forgotten.
//
// Of functions that loops call they hold for one round, but GVN of LLVM 22 moves loads
// with what is said of them out of the loop that the scope is opened in, and past the
// stores of other rounds.
//
// A work-item promises what it does itself. Behind a barrier it may load what another one
// has stored before that by another pointer; once there are loops over the work-items in
// place of barriers, nothing else keeps LLVM from moving the load before the store.
#include "compiler/workgroup/prepare/scopes.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"

static LLVMValueRef first_scope(LLVMValueRef list)
{
    LLVMValueRef scopes[1];

    if (!list || LLVMGetMDNodeNumOperands(list) != 1)
        return NULL;
    LLVMGetMDNodeOperands(list, scopes);
    return scopes[0];
}

static bool has_barrier(const struct tf_cfg *cfg, unsigned block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[block].block);

    while (i && tf_root_of(i) != TF_ROOT_BARRIER)
        i = LLVMGetNextInstruction(i);
    return i != NULL;
}

static bool leads_on(const struct tf_cfg *cfg, unsigned block, const bool *before)
{
    bool leads = false;

    for (unsigned k = 0; k < cfg->blocks[block].succ_count; k++)
        leads |= before[cfg->blocks[block].succs[k]];
    return leads;
}

// Marks the blocks from whose beginning ways lead to a barrier.
static bool *find_before_barriers(const struct tf_cfg *cfg)
{
    bool *before = TF_ARENA_NEW(cfg->arena, bool, cfg->block_count), changed = false;

    for (unsigned b = 0; b < cfg->block_count; b++)
        changed |= before[b] = has_barrier(cfg, b);
    while (changed) {
        changed = false;
        for (unsigned b = cfg->block_count; b-- > 0;) {
            const bool leads = before[b] || leads_on(cfg, b, before);

            changed |= leads != before[b];
            before[b] = leads;
        }
    }
    return before;
}

// The scopes that are opened in loops, or before a barrier; where a cycle has several
// entries, all scopes that are not opened at the start.
static void find_scopes(const struct tf_cfg *cfg, bool reducible, struct tf_map *scopes)
{
    const bool *before = find_before_barriers(cfg);

    for (unsigned b = 0; b < cfg->block_count; b++) {
        const bool goes_round = reducible ? cfg->blocks[b].loop != TF_CFG_NONE : b > 0;
        bool forgets = goes_round || leads_on(cfg, b, before);
        LLVMValueRef i = LLVMGetLastInstruction(cfg->blocks[b].block);

        for (; i; i = LLVMGetPreviousInstruction(i)) {
            const LLVMValueRef scope =
                tf_is_scope_marker(i) ? first_scope(LLVMGetOperand(i, 0)) : NULL;

            forgets |= tf_root_of(i) == TF_ROOT_BARRIER;
            if (scope && forgets)
                tf_map_put(scopes, scope, 1);
        }
    }
}

static bool names_one(const struct tf_map *scopes, LLVMValueRef list,
                      struct tf_arena *arena)
{
    const unsigned count = LLVMGetMDNodeNumOperands(list);
    LLVMValueRef *named = TF_ARENA_NEW(arena, LLVMValueRef, count);

    LLVMGetMDNodeOperands(list, named);
    for (unsigned i = 0; i < count; i++) {
        if (tf_map_get(scopes, named[i]) != TF_MAP_NONE)
            return true;
    }
    return false;
}

void tf_prepare_scopes(LLVMValueRef fn)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(fn));
    const unsigned kind = LLVMGetMDKindIDInContext(context, "noalias", strlen("noalias"));
    struct tf_arena arena = {0};
    struct tf_map scopes = {.arena = &arena};
    struct tf_cfg cfg;
    const bool reducible = tf_cfg_init(&cfg, &arena, fn);

    find_scopes(&cfg, reducible, &scopes);
    for (unsigned b = 0; scopes.count && b < cfg.block_count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg.blocks[b].block);

        for (; i; i = LLVMGetNextInstruction(i)) {
            const LLVMValueRef list = LLVMGetMetadata(i, kind);

            if (list && names_one(&scopes, list, &arena))
                LLVMSetMetadata(i, kind, NULL);
        }
    }
    tf_arena_finish(&arena);
}
