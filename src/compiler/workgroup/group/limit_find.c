// SPDX-License-Identifier: MIT
// Follows the way that all items take from the start, up to the first that could be
// noticed. Where it forks and one way leads to the end without doing anything, the
// question there is one for what limits the items on the other way.
#include "compiler/workgroup/group/limit_find.h"

#include "compiler/ir/ir_util.h"

enum {
    MOST_TERMS = 16,
    MOST_ADD = 1 << 30,
    IDS_OF_RANGE = 3, // tf_value_id of tf_gid0
};

struct search {
    const struct tf_facts *f;
    struct tf_limit *limits;
    unsigned count;
    unsigned terms; // that were looked at
};

// ---- comparisons

static LLVMValueRef behind_extension(LLVMValueRef value)
{
    return LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) ? LLVMGetOperand(value, 0)
                                                            : value;
}

// Whether the value is a global id and a constant. Ids have 32 bits and no sign bit
// (abi/launch_fit.h), so that it does not matter how they are extended.
static bool read_id(const struct search *s, LLVMValueRef value, struct tf_limit *l)
{
    LLVMValueRef id = behind_extension(value);
    const struct tf_value *v;
    int number;

    l->add = 0;
    if (LLVMIsAInstruction(id) && LLVMGetInstructionOpcode(id) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(id, 1))) {
        l->add = LLVMConstIntGetSExtValue(LLVMGetOperand(id, 1));
        id = behind_extension(LLVMGetOperand(id, 0));
    }
    v = tf_shape_value(&s->f->shapes, id);
    number = v ? tf_value_id(v) : -1;
    l->dimension = (unsigned)(number - IDS_OF_RANGE);
    return number >= IDS_OF_RANGE && -MOST_ADD < l->add && l->add < MOST_ADD;
}

static void read_compare(struct search *s, LLVMValueRef compare, bool is_so)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);

    p = is_so ? p : tf_ir_inverse(p);
    for (unsigned i = 0; i < 2 && s->count < TF_MOST_LIMITS; i++) {
        struct tf_limit *const l = &s->limits[s->count];

        if (i == 1)
            p = tf_ir_swapped(p);
        if (p != LLVMIntULT && p != LLVMIntULE && p != LLVMIntSLT && p != LLVMIntSLE &&
            p != LLVMIntEQ)
            continue;
        if (!read_id(s, LLVMGetOperand(compare, i), l))
            continue;
        l->bound = LLVMGetOperand(compare, 1 - i);
        l->with_sign = p == LLVMIntSLT || p == LLVMIntSLE;
        l->inclusive = p == LLVMIntULE || p == LLVMIntSLE || p == LLVMIntEQ;
        s->count++;
    }
}

static bool is_number(LLVMValueRef value, uint64_t n)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == n;
}

// The condition is true (`is_so`) or false where there is work: terms that must all hold.
static void read_terms(struct search *s, LLVMValueRef condition, bool is_so)
{
    LLVMValueRef other = NULL;

    if (++s->terms > MOST_TERMS || !LLVMIsAInstruction(condition))
        return;
    if (LLVMIsAICmpInst(condition)) {
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(condition, 0))) ==
            LLVMIntegerTypeKind)
            read_compare(s, condition, is_so);
        return;
    }
    if (LLVMGetInstructionOpcode(condition) == (is_so ? LLVMAnd : LLVMOr))
        other = LLVMGetOperand(condition, 1);
    else if (LLVMIsASelectInst(condition) &&
             is_number(LLVMGetOperand(condition, is_so ? 2 : 1), !is_so))
        other = LLVMGetOperand(condition, is_so ? 1 : 2);
    if (!other)
        return;
    read_terms(s, LLVMGetOperand(condition, 0), is_so);
    read_terms(s, other, is_so);
}

// ---- the way

static bool is_plain(const struct tf_facts *f, unsigned block)
{
    return block < f->cfg.block_count && !f->acts[block] &&
           f->cfg.blocks[block].loop == TF_CFG_NONE;
}

// Whether all ways from the block lead to the end and do nothing. A loop on them might
// not end, which an item would have to find out.
static bool is_idle(const struct tf_facts *f, unsigned from)
{
    bool *reached;
    struct tf_arena arena = {0};
    bool idle = is_plain(f, from);

    reached = TF_ARENA_NEW(&arena, bool, f->cfg.block_count);
    if (idle)
        tf_cfg_reach(&f->cfg, from, TF_CFG_NONE, reached);
    for (unsigned b = 0; idle && b < f->cfg.block_count; b++)
        idle = !reached[b] || is_plain(f, b);
    tf_arena_finish(&arena);
    return idle;
}

// Where the way goes on behind the block, or TF_CFG_NONE.
static unsigned next_on_way(struct search *s, unsigned block)
{
    const struct tf_cfg *cfg = &s->f->cfg;
    const struct tf_cfg_block *b = &cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(cfg, block);

    if (b->succ_count == 1)
        return b->succs[0];
    if (!condition || b->succ_count != 2 || b->succs[0] == b->succs[1])
        return TF_CFG_NONE;
    for (unsigned i = 0; i < 2; i++) {
        if (!is_idle(s->f, b->succs[i]))
            continue;
        read_terms(s, condition, i == 1);
        return b->succs[1 - i];
    }
    return TF_CFG_NONE;
}

unsigned tf_limits_find(const struct tf_facts *f, struct tf_limit *limits)
{
    struct search s = {.f = f, .limits = limits};
    unsigned block = 0;

    while (block != TF_CFG_NONE && is_plain(f, block))
        block = next_on_way(&s, block);
    return s.count;
}
