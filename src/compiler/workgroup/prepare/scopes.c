// SPDX-License-Identifier: MIT
// Promises of `restrict` in functions that loops call. They hold for one round, but GVN
// of LLVM 22 moves loads with what is said of them out of the loop that the scope is
// opened in, and past the stores of other rounds. What is said of such scopes is
// forgotten.
#include "compiler/workgroup/prepare/scopes.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/analysis/cfg.h"

static LLVMValueRef first_scope(LLVMValueRef list)
{
    LLVMValueRef scopes[1];

    if (!list || LLVMGetMDNodeNumOperands(list) != 1)
        return NULL;
    LLVMGetMDNodeOperands(list, scopes);
    return scopes[0];
}

// The scopes that are opened in loops; where a cycle has several entries, all scopes that
// are not opened at the start.
static void find_scopes(const struct tf_cfg *cfg, bool reducible, struct tf_map *scopes)
{
    for (unsigned b = 0; b < cfg->block_count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);

        if (reducible ? cfg->blocks[b].loop == TF_CFG_NONE : b == 0)
            continue;
        for (; i; i = LLVMGetNextInstruction(i)) {
            const LLVMValueRef scope =
                tf_is_scope_marker(i) ? first_scope(LLVMGetOperand(i, 0)) : NULL;

            if (scope)
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
