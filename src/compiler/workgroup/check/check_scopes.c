// SPDX-License-Identifier: MIT
// S: what `restrict` promises holds from where its scope is opened. A promise without
// that would hold for all rounds of a loop.
#include <string.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/check/check_parts.h"

static LLVMValueRef *operands_of(struct tf_check *c, LLVMValueRef list, unsigned *count)
{
    LLVMValueRef *operands;

    *count = LLVMGetMDNodeNumOperands(list);
    operands = TF_ARENA_NEW(&c->arena, LLVMValueRef, *count);
    LLVMGetMDNodeOperands(list, operands);
    return operands;
}

static LLVMValueRef list_of(LLVMValueRef i, const char *kind)
{
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));

    return LLVMGetMetadata(
        i, LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind)));
}

static void put_all(struct tf_check *c, struct tf_map *map, LLVMValueRef list)
{
    LLVMValueRef *scopes;
    unsigned count;

    if (!list)
        return;
    scopes = operands_of(c, list, &count);
    for (unsigned k = 0; k < count; k++)
        tf_map_put(map, scopes[k], 1);
}

struct scopes {
    struct tf_map open;
    struct tf_map inside; // accesses are in it
};

static void collect(struct tf_check *c, struct scopes *s, LLVMValueRef i)
{
    const char *name = tf_ir_called_name(i);

    put_all(c, &s->inside, list_of(i, "alias.scope"));
    if (name && strcmp(name, "llvm.experimental.noalias.scope.decl") == 0)
        put_all(c, &s->open, LLVMGetOperand(i, 0));
}

// A scope with a name in place of a node of its own holds everywhere, and nobody opens it
// (prepare/space_scopes.h).
static bool holds_everywhere(struct tf_check *c, LLVMValueRef scope)
{
    unsigned count;
    LLVMValueRef *const operands = operands_of(c, scope, &count);

    return count > 0 && LLVMIsAMDString(operands[0]);
}

// LLVM drops what opens a scope that no access is in, or that none is apart from.
static void check_apart(struct tf_check *c, const struct scopes *s, LLVMValueRef i)
{
    const LLVMValueRef list = list_of(i, "noalias");
    LLVMValueRef *scopes;
    unsigned count;

    if (!list)
        return;
    scopes = operands_of(c, list, &count);
    for (unsigned k = 0; k < count; k++) {
        if (tf_map_get(&s->inside, scopes[k]) != TF_MAP_NONE &&
            tf_map_get(&s->open, scopes[k]) == TF_MAP_NONE &&
            !holds_everywhere(c, scopes[k])) {
            tf_check_fault(c, "S", i, "apart from a scope that is opened nowhere");
            return;
        }
    }
}

void tf_check_scopes(struct tf_check *c)
{
    struct scopes s = {.open.arena = &c->arena, .inside.arena = &c->arena};

    for (unsigned b = 0; b < c->block_count; b++) {
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, c->blocks[b].block)
        {
            collect(c, &s, i);
        }
    }
    for (unsigned b = 0; b < c->block_count; b++) {
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, c->blocks[b].block)
        {
            check_apart(c, &s, i);
        }
    }
}
