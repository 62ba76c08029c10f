// SPDX-License-Identifier: MIT
#include "compiler/lower/recursion/activation.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/graph.h"
#include "compiler/ir/ir_util.h"

// Instructions to look at for all variables of a function; those that are left then are
// kept, which is right for any.
#define MAX_STEPS 50000000

struct liveness {
    const struct tf_cycle *cycle;
    struct tf_graph graph;
    unsigned *seen, mark; // blocks whose end was looked at for variable number `mark`
    unsigned *way;
    uint64_t steps;
};

static bool is_lifetime(LLVMValueRef user)
{
    const char *const name = tf_ir_called_name(user);

    return name && (!strncmp(name, "llvm.lifetime.start", 19) ||
                    !strncmp(name, "llvm.lifetime.end", 17));
}

static bool is_whole_load(LLVMValueRef user, LLVMValueRef variable)
{
    return LLVMIsALoadInst(user) && LLVMTypeOf(user) == LLVMGetAllocatedType(variable);
}

static bool is_whole_store(LLVMValueRef user, LLVMValueRef variable)
{
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != variable &&
           LLVMGetOperand(user, 1) == variable &&
           LLVMTypeOf(LLVMGetOperand(user, 0)) == LLVMGetAllocatedType(variable);
}

// One element, read and written as a whole only.
static bool is_plain(LLVMValueRef variable)
{
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)) != 1)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (!is_whole_load(user, variable) && !is_whole_store(user, variable) &&
            !is_lifetime(user))
            return false;
    }
    return true;
}

enum found { NOTHING, WRITTEN, CALLED };

// What comes first before `from`, in its block, backwards; `from` may be NULL: the end.
static enum found look_back(struct liveness *l, LLVMValueRef variable,
                            LLVMBasicBlockRef block, LLVMValueRef from)
{
    LLVMValueRef i =
        from ? LLVMGetPreviousInstruction(from) : LLVMGetLastInstruction(block);

    for (; i; i = LLVMGetPreviousInstruction(i)) {
        l->steps++;
        if (is_whole_store(i, variable))
            return WRITTEN;
        if (tf_cycle_callee(l->cycle, i) >= 0)
            return CALLED;
    }
    return NOTHING;
}

// Whether what `load` reads may have been written before a call within the cycle.
static bool reads_behind_call(struct liveness *l, LLVMValueRef variable,
                              LLVMValueRef load)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    enum found found = look_back(l, variable, block, load);
    unsigned count = 0;

    if (found == NOTHING && tf_map_get(&l->graph.number, block) != TF_MAP_NONE)
        l->way[count++] = tf_graph_number(&l->graph, block);
    while (count && found != CALLED) {
        const struct tf_graph_node *const node = &l->graph.nodes[l->way[--count]];

        for (unsigned k = 0; k < node->pred_count && found != CALLED; k++) {
            const unsigned pred = node->preds[k];

            if (l->seen[pred] == l->mark)
                continue;
            l->seen[pred] = l->mark;
            found = look_back(l, variable, l->graph.nodes[pred].block, NULL);
            if (found == NOTHING)
                l->way[count++] = pred;
        }
    }
    return found == CALLED;
}

static bool must_be_kept(struct liveness *l, LLVMValueRef variable)
{
    if (!is_plain(variable) || l->steps > MAX_STEPS)
        return true;
    l->mark++;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
        if (LLVMIsALoadInst(LLVMGetUser(use)) &&
            reads_behind_call(l, variable, LLVMGetUser(use)))
            return true;
    return false;
}

static void keep(struct tf_frame *frame, LLVMTargetDataRef layout, LLVMValueRef variable)
{
    const uint64_t align = LLVMGetAlignment(variable);
    const uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    const uint64_t offset = (frame->bytes + align - 1) / align * align;
    uint64_t bytes;

    frame->kept[frame->kept_count++] = (struct tf_frame_variable){variable, offset};
    if (__builtin_mul_overflow(
            count, LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)), &bytes) ||
        bytes > TF_FRAME_MOST_BYTES || offset + bytes > TF_FRAME_MOST_BYTES)
        frame->too_large = true;
    else
        frame->bytes = offset + bytes;
    frame->align_bytes = align > frame->align_bytes ? align : frame->align_bytes;
}

void tf_frame_plan(LLVMValueRef function, const struct tf_cycle *cycle,
                   struct tf_arena *arena, struct tf_frame *out)
{
    const LLVMTargetDataRef layout =
        LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    struct liveness l = {.cycle = cycle};
    unsigned variables = 0;

    tf_graph_init(&l.graph, arena, function, true);
    l.seen = TF_ARENA_NEW(arena, unsigned, l.graph.count);
    l.way = TF_ARENA_NEW(arena, unsigned, l.graph.count + 1);
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        variables += LLVMIsAAllocaInst(i) != NULL;
    }
    *out = (struct tf_frame){
        .kept = TF_ARENA_NEW(arena, struct tf_frame_variable, variables),
        .shared = TF_ARENA_NEW(arena, LLVMValueRef, variables),
        .bytes = 4,
        .align_bytes = 4,
    };
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        if (!LLVMIsAAllocaInst(i))
            continue;
        if (must_be_kept(&l, i))
            keep(out, layout, i);
        else
            out->shared[out->shared_count++] = i;
    }
}
