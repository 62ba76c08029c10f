// SPDX-License-Identifier: MIT
// for (k = 0; k < n; k++) sum[i] += in[i * n + k] keeps its sum in memory, because `sum`
// and `in` may be one buffer. They seldom are, and the launch says so (TF_LAUNCH_APART):
// for launches that do, the loop is there a second time, in which arguments are told
// apart, and LLVM's LICM keeps the sum in a register. All work-items take the same way.
//
// for (k = 0; k < n; k++) out[i * n + k] = f(in[i * n + k]) walks along rows: several
// rounds at once load all they need before they store (prepare/strips.h) where `in` and
// `out` are told apart. That is asked until the lanes are planned; then it is forgotten.
#include "compiler/workgroup/prepare/apart.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/elementwise.h"
#include "compiler/ir/flow/copy_blocks.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/rounds/carry.h"

enum {
    MOST_INSTRUCTIONS = 200, // of a loop
    MOST_IN_ALL = 2000,      // of the loops of a kernel
    MOST_ARGS = 64,          // that are told apart
    MOST_STEPS = 32,         // from a pointer to the argument that it was made of
    MOST_SCOPES = 128,       // of one access
    MOST_MAKERS = 128,       // instructions that an address is made of
};

// What a pointer was made of: the number of an argument, or one of these.
enum {
    ANYTHING = -1,
    NOT_GLOBAL = -2, // private or local memory: apart from all buffers
    ON_WAY = -3,     // a phi of a pointer, met once more
};

struct apart {
    struct tf_wg *wg;
    LLVMValueRef fn;
    const struct tf_cfg *cfg;
    unsigned loop, latch;           // block
    LLVMBasicBlockRef before, head; // one leads to the other alone
    struct tf_map number;           // of the loop's instructions
    unsigned count;
    bool is_of[MOST_ARGS]; // per argument: the loop has accesses of it
    bool has_sum;          // and is there for that
    bool waits;            // some loop of the function does (prepare/rounds/carry.h)
    unsigned alias_scope, noalias;
    LLVMValueRef scopes[MOST_ARGS]; // lists of one
    LLVMMetadataRef names[MOST_ARGS];
};

// ---- what pointers are made of

static int made_of(const struct apart *a, LLVMValueRef pointer, LLVMValueRef *way,
                   unsigned depth);

// A pointer that counts rounds: all that comes in is made of one thing.
static int phi_of(const struct apart *a, LLVMValueRef phi, LLVMValueRef *way,
                  unsigned depth)
{
    int all = ON_WAY;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const int one = made_of(a, LLVMGetIncomingValue(phi, i), way, depth);

        if (one == ON_WAY)
            continue;
        if (one == ANYTHING || (all != ON_WAY && all != one))
            return ANYTHING;
        all = one;
    }
    return all;
}

static bool is_of_space(LLVMValueRef pointer, unsigned space)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == space;
}

static int made_of(const struct apart *a, LLVMValueRef pointer, LLVMValueRef *way,
                   unsigned depth)
{
    int argument;

    if (is_of_space(pointer, TF_AS_PRIVATE) || is_of_space(pointer, TF_AS_LOCAL))
        return NOT_GLOBAL;
    if (!is_of_space(pointer, TF_AS_GLOBAL) && !is_of_space(pointer, TF_AS_CONSTANT))
        return ANYTHING;
    for (unsigned i = 0; i < depth; i++) {
        if (way[i] == pointer)
            return ON_WAY;
    }
    if (depth == MOST_STEPS)
        return ANYTHING;
    way[depth] = pointer;
    if (LLVMIsAGetElementPtrInst(pointer))
        return made_of(a, LLVMGetOperand(pointer, 0), way, depth + 1);
    if (LLVMIsAPHINode(pointer))
        return phi_of(a, pointer, way, depth + 1);
    argument = tf_wg_buffer_of(a->wg, a->fn, pointer);
    return argument >= 0 && argument < MOST_ARGS ? argument : ANYTHING;
}

static int argument_behind(const struct apart *a, LLVMValueRef pointer)
{
    LLVMValueRef way[MOST_STEPS];
    const int is = made_of(a, pointer, way, 0);

    return is == ON_WAY ? ANYTHING : is;
}

// ---- which loops

static bool is_in_loop(const struct apart *a, LLVMBasicBlockRef block)
{
    return tf_cfg_in_loop(a->cfg, a->loop, tf_cfg_number(a->cfg, block));
}

static LLVMValueRef address_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static bool is_access(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
}

static bool is_plain(LLVMValueRef access)
{
    return LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic &&
           !LLVMGetVolatile(access);
}

// What may be there twice, and does nothing but to what its addresses mean.
static bool suits(struct apart *a, LLVMValueRef i)
{
    int argument;

    if (LLVMIsAPHINode(i) || LLVMIsABranchInst(i))
        return true;
    if (LLVMIsACallInst(i))
        return tf_is_elementwise(i);
    if (!is_access(i))
        return !LLVMIsATerminatorInst(i) && !LLVMIsAAllocaInst(i) &&
               !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
               !LLVMIsAFenceInst(i);
    argument = argument_behind(a, address_of(i));
    if (argument >= 0)
        a->is_of[argument] = true;
    return is_plain(i) && argument != ANYTHING;
}

// Outside of the loop values are used through phis alone, right behind it.
static bool leaves_through_phis(const struct apart *a, LLVMValueRef value)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (is_in_loop(a, LLVMGetInstructionParent(user)))
            continue;
        if (!LLVMIsAPHINode(user))
            return false;
        for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
            if (LLVMGetIncomingValue(user, i) == value &&
                !is_in_loop(a, LLVMGetIncomingBlock(user, i)))
                return false;
        }
    }
    return true;
}

// Numbers the instructions on the way.
static bool can_be_copied(struct apart *a)
{
    for (unsigned b = 0; b < a->cfg->block_count; b++) {
        if (!tf_cfg_in_loop(a->cfg, a->loop, b))
            continue;
        if (a->cfg->blocks[b].loop != a->loop)
            return false;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, a->cfg->blocks[b].block)
        {
            if (a->count == MOST_INSTRUCTIONS || !suits(a, i) ||
                !leaves_through_phis(a, i))
                return false;
            tf_map_put(&a->number, i, a->count++);
        }
    }
    return true;
}

// In every round, whichever way that goes.
static bool is_in_every_round(const struct apart *a, LLVMValueRef i)
{
    const unsigned block = tf_cfg_number(a->cfg, LLVMGetInstructionParent(i));

    for (unsigned b = 0; b < a->cfg->block_count; b++) {
        if (!tf_cfg_in_loop(a->cfg, a->loop, b) || tf_cfg_dominates(a->cfg, block, b))
            continue;
        for (unsigned k = 0; k < a->cfg->blocks[b].succ_count; k++) {
            if (!tf_cfg_in_loop(a->cfg, a->loop, a->cfg->blocks[b].succs[k]))
                return false;
        }
    }
    return tf_cfg_dominates(a->cfg, block, a->latch);
}

// Whether a store always goes to one place, of which the loop has its argument alone, and
// something that another argument leads to is all that keeps the sum in memory.
static bool holds_sum(const struct apart *a, LLVMValueRef store)
{
    const LLVMValueRef at = address_of(store);
    const int argument = argument_behind(a, at);
    bool loads_others = false;

    if (argument < 0 || tf_map_get(&a->number, at) != TF_MAP_NONE ||
        !is_in_every_round(a, store))
        return false;
    for (unsigned b = 0; b < a->cfg->block_count; b++) {
        if (!tf_cfg_in_loop(a->cfg, a->loop, b))
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, a->cfg->blocks[b].block)
        {
            if (!is_access(i) || address_of(i) == at)
                continue;
            if (argument_behind(a, address_of(i)) == argument)
                return false;
            loads_others = true;
        }
    }
    return loads_others;
}

static bool has_sum(const struct apart *a)
{
    for (unsigned b = 0; b < a->cfg->block_count; b++) {
        if (!tf_cfg_in_loop(a->cfg, a->loop, b))
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, a->cfg->blocks[b].block)
        {
            if (LLVMIsAStoreInst(i) && holds_sum(a, i))
                return true;
        }
    }
    return false;
}

// Whether a value is made of an id, or of another call: else all work-items have one.
static bool is_own(LLVMValueRef value, unsigned *left)
{
    if (!LLVMIsAInstruction(value) || *left == 0)
        return false;
    if (LLVMIsACallInst(value))
        return true;
    --*left;
    if (LLVMIsAPHINode(value)) {
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
            if (is_own(LLVMGetIncomingValue(value, i), left))
                return true;
        }
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (is_own(LLVMGetOperand(value, i), left))
            return true;
    }
    return false;
}

// Whether a store walks along a row of its work-item, as numbers lie in memory, in a loop
// that has accesses of other arguments, too.
static bool walks(const struct apart *a)
{
    const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(a->wg->module);
    unsigned arguments = 0;

    for (int i = 0; i < MOST_ARGS; i++)
        arguments += a->is_of[i];
    if (a->cfg->loops[a->loop].head != a->latch || arguments < 2 ||
        (!a->waits && tf_place_rounds_are_apart(layout, a->head)))
        return false;
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, a->head)
    {
        unsigned left = MOST_MAKERS;
        struct tf_access access;
        int64_t step;

        if (!LLVMIsAStoreInst(i) || !is_own(address_of(i), &left))
            continue;
        access = tf_access_of(layout, i);
        step = tf_place_step(layout, access.pointer, a->head);
        if (access.count == 1 && access.element_bytes > 0 && access.element_bytes <= 8 &&
            !is_of_space(access.pointer, TF_AS_PRIVATE) && !tf_access_is_local(&access) &&
            (step == (int64_t)access.element_bytes ||
             step == -(int64_t)access.element_bytes))
            return true;
    }
    return false;
}

static bool find(struct apart *a)
{
    const struct tf_cfg_loop *loop = &a->cfg->loops[a->loop];
    const struct tf_cfg_block *head = &a->cfg->blocks[loop->head];
    unsigned outside;

    a->number = (struct tf_map){.arena = a->cfg->arena};
    a->count = 0;
    memset(a->is_of, 0, sizeof(a->is_of));
    a->head = head->block;
    if (loop->latch_count != 1 || head->pred_count != 2)
        return false;
    outside = tf_cfg_in_loop(a->cfg, a->loop, head->preds[0]) ? 1 : 0;
    a->latch = head->preds[1 - outside];
    a->before = a->cfg->blocks[head->preds[outside]].block;
    if (a->cfg->blocks[head->preds[outside]].succ_count != 1 || !can_be_copied(a))
        return false;
    a->has_sum = has_sum(a);
    return a->has_sum || walks(a);
}

// ---- the loop once more

static LLVMValueRef list_with(const struct apart *a, LLVMValueRef old, int argument,
                              bool others)
{
    LLVMValueRef before[MOST_SCOPES];
    LLVMMetadataRef all[MOST_SCOPES + MOST_ARGS];
    unsigned count = old ? LLVMGetMDNodeNumOperands(old) : 0, kept = 0;

    if (count > MOST_SCOPES)
        return old;
    if (old)
        LLVMGetMDNodeOperands(old, before);
    for (; kept < count; kept++)
        all[kept] = LLVMValueAsMetadata(before[kept]);
    for (int i = 0; i < MOST_ARGS; i++) {
        if (a->is_of[i] && (i == argument) != others)
            all[kept++] = a->names[i];
    }
    return kept ? LLVMMetadataAsValue(a->wg->context,
                                      LLVMMDNodeInContext2(a->wg->context, all, kept))
                : NULL;
}

// An access is of its argument, and of no other.
static void tell_apart(const struct apart *a, LLVMValueRef access, LLVMValueRef copy)
{
    const int argument = argument_behind(a, address_of(access));
    const LLVMValueRef in = LLVMGetMetadata(access, a->alias_scope);
    const LLVMValueRef out = LLVMGetMetadata(access, a->noalias);

    LLVMSetMetadata(copy, a->alias_scope, list_with(a, in, argument, false));
    LLVMSetMetadata(copy, a->noalias, list_with(a, out, argument, true));
}

static void ask(const struct apart *a, LLVMBasicBlockRef again)
{
    const LLVMBuilderRef b = a->wg->builder;
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(a->before);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(a->wg->context);
    LLVMValueRef flags;

    LLVMPositionBuilderBefore(b, end);
    flags = tf_wg_load_fixed(a->wg, i32, LLVMGetParam(a->fn, TF_ITEM_LAUNCH),
                             offsetof(struct tf_launch, flags), 4, "");
    flags = LLVMBuildAnd(b, flags, LLVMConstInt(i32, TF_LAUNCH_APART, false), "");
    flags = LLVMBuildICmp(b, LLVMIntNE, flags, LLVMConstNull(i32), "apart");
    // Taken by nearly all launches: tf_facts_weight() reads that.
    tf_ir_weigh(LLVMBuildCondBr(b, flags, again, a->head), 1, 0);
    LLVMInstructionEraseFromParent(end);
}

static void make_again(const struct apart *a)
{
    struct tf_arena *arena = a->cfg->arena;
    LLVMBasicBlockRef *blocks =
        TF_ARENA_NEW(arena, LLVMBasicBlockRef, a->cfg->block_count);
    struct tf_block_copy copy;
    unsigned count = 0;

    for (unsigned b = 0; b < a->cfg->block_count; b++) {
        if (tf_cfg_in_loop(a->cfg, a->loop, b))
            blocks[count++] = a->cfg->blocks[b].block;
    }
    tf_ir_copy_blocks(&copy, arena, a->wg->builder, blocks, count);
    for (unsigned b = 0; b < count; b++) {
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, blocks[b])
        {
            if (is_access(i))
                tell_apart(a, i, tf_ir_in_copy(&copy, i));
        }
    }
    ask(a, tf_ir_block_in_copy(&copy, a->head));
}

// ---- scopes

static void name_scopes(struct apart *a)
{
    static const char domain_name[] = "tf.apart", alias_scope[] = "alias.scope",
                      noalias[] = "noalias";
    const LLVMContextRef c = a->wg->context;
    LLVMMetadataRef words[2] = {
        LLVMMDStringInContext2(c, domain_name, sizeof(domain_name) - 1)};
    const LLVMMetadataRef domain = LLVMMDNodeInContext2(c, words, 1);
    char name[32];

    a->alias_scope = LLVMGetMDKindIDInContext(c, alias_scope, sizeof(alias_scope) - 1);
    a->noalias = LLVMGetMDKindIDInContext(c, noalias, sizeof(noalias) - 1);
    words[1] = domain;
    for (int i = 0; i < MOST_ARGS; i++) {
        snprintf(name, sizeof(name), "tf.apart.%d", i);
        words[0] = LLVMMDStringInContext2(c, name, strlen(name));
        a->names[i] = LLVMMDNodeInContext2(c, words, 2);
        a->scopes[i] = LLVMMetadataAsValue(c, a->names[i]);
    }
}

static bool is_ours(const struct apart *a, LLVMValueRef scope)
{
    for (int i = 0; i < MOST_ARGS; i++) {
        if (a->scopes[i] == scope)
            return true;
    }
    return false;
}

// What was said holds where a launch was asked for, and not of what LLVM may make of the
// two loops later.
static void forget_one(const struct apart *a, LLVMValueRef i, unsigned kind)
{
    const LLVMValueRef list = LLVMGetMetadata(i, kind);
    LLVMValueRef all[MOST_SCOPES + MOST_ARGS];
    LLVMMetadataRef kept[MOST_SCOPES + MOST_ARGS];
    const unsigned count = list ? LLVMGetMDNodeNumOperands(list) : 0;
    unsigned left = 0;

    if (count == 0 || count > MOST_SCOPES + MOST_ARGS)
        return;
    LLVMGetMDNodeOperands(list, all);
    for (unsigned k = 0; k < count; k++) {
        if (!is_ours(a, all[k]))
            kept[left++] = LLVMValueAsMetadata(all[k]);
    }
    if (left < count)
        LLVMSetMetadata(
            i, kind,
            left ? LLVMMetadataAsValue(a->wg->context,
                                       LLVMMDNodeInContext2(a->wg->context, kept, left))
                 : NULL);
}

void tf_prepare_forget_apart(struct tf_wg *wg, LLVMValueRef fn)
{
    struct apart a = {.wg = wg, .fn = fn};

    name_scopes(&a);
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        forget_one(&a, i, a.alias_scope);
        forget_one(&a, i, a.noalias);
    }
}

bool tf_prepare_apart(struct tf_wg *wg, LLVMValueRef fn, bool *ok)
{
    static const char sums[] = "loop-simplify,lcssa,loop-mssa(licm),loop-simplify,lcssa";
    static const char rows[] = "loop-simplify,lcssa";
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    struct apart a = {.wg = wg, .fn = fn, .cfg = &cfg};
    unsigned made = 0;
    bool any_sum = false;

    *ok = true;
    // Blocks keep their numbers: copies are new ones, and innermost loops are no part of
    // each other.
    if (tf_cfg_init(&cfg, &arena, fn)) {
        a.waits = tf_rounds_wait(&cfg, LLVMGetModuleDataLayout(wg->module));
        for (a.loop = 0; a.loop < cfg.loop_count; a.loop++) {
            if (!find(&a) || made + a.count > MOST_IN_ALL)
                continue;
            if (!made)
                name_scopes(&a);
            make_again(&a);
            made += a.count;
            any_sum |= a.has_sum;
        }
    }
    if (made)
        *ok = tf_wg_run_on(wg, fn, any_sum ? sums : rows);
    tf_arena_finish(&arena);
    return made;
}
