// SPDX-License-Identifier: MIT
// for (k = 0; k < n; k++) sums[i][j] += a[i][k] * b[k][j], for 4 x 4 or 8 x 8 of i and j
// in each round, as products of matrices are written: so many sums, and what goes into
// them, are more than the registers hold, and each round loads and stores some. Loops
// one after the other with a few of the sums each keep theirs in registers, and load
// again what goes into sums of several of them (loop distribution: Allen and Kennedy,
// Optimizing Compilers for Modern Architectures, 2001, chapter 2). Each sum is made in
// the order that it was made in.
//
// The loops are of one block, all lanes leave them together, and nothing in them is seen
// by others. Sums are phis that nothing else in the loop depends on. A loop's share is
// chosen one sum after the other, always one that needs the least besides what the share
// has already: of a product, a block.
#include "compiler/workgroup/prepare/rounds/distribute.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"

enum {
    MOST_VALUES = 1024, // of a loop
    MOST_SUMS = 128,
    MOST_PARTS = 16,
    WORD_BITS = 64,
    MOST_WORDS = MOST_VALUES / WORD_BITS,
    // More than the plan takes the registers to hold: what is loaded only to be added
    // needs none where instructions load what they work on.
    SPARE = 3,
    LONG = 8, // operations that a division or a function counts for
};

// Some of the values of the loop.
struct set {
    uint64_t words[MOST_WORDS];
};

struct sum {
    struct set needed; // to make its next value: all of it, with the phi
    unsigned size;     // in registers
    unsigned own_cost; // of what no other sum needs
    unsigned part;     // MOST_PARTS: none yet
};

struct loop {
    struct tf_arena *arena;
    const struct tf_facts *f;
    const struct tf_shapes *s;
    const struct tf_target *target;
    LLVMBasicBlockRef block, before, after;
    const struct tf_value *values;
    unsigned count;              // of values
    unsigned costs[MOST_VALUES]; // of each
    struct sum sums[MOST_SUMS];
    unsigned sum_count, size; // of all sums
    unsigned parts;
    struct set control; // what the end of the loop needs, in each part
};

// ---- sets

static bool has(const struct set *set, unsigned i)
{
    return set->words[i / WORD_BITS] >> i % WORD_BITS & 1;
}

static void put(struct set *set, unsigned i)
{
    set->words[i / WORD_BITS] |= UINT64_C(1) << i % WORD_BITS;
}

static void unite(struct set *set, const struct set *other)
{
    for (unsigned w = 0; w < MOST_WORDS; w++)
        set->words[w] |= other->words[w];
}

// What the values cost that `set` has and `without` has not.
static unsigned cost_beside(const struct loop *l, const struct set *set,
                            const struct set *without)
{
    unsigned cost = 0;

    for (unsigned w = 0; w * WORD_BITS < l->count; w++) {
        uint64_t rest = set->words[w] & ~without->words[w];

        for (; rest; rest &= rest - 1)
            cost += l->costs[w * WORD_BITS + (unsigned)__builtin_ctzll(rest)];
    }
    return cost;
}

// ---- what the loop is

static bool is_plain(const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMLoad:
        return !v->is_ordered;
    case LLVMCall:
        return v->elementwise != NULL;
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMAlloca:
        return false;
    default:
        return true;
    }
}

static bool find_blocks(struct loop *l, unsigned loop)
{
    const struct tf_cfg *cfg = &l->f->cfg;
    const unsigned head = cfg->loops[loop].head;
    const struct tf_cfg_block *b = &cfg->blocks[head];

    if (b->loop != loop || b->pred_count != 2 || b->succ_count != 2)
        return false;
    l->block = b->block;
    for (unsigned i = 0; i < 2; i++) {
        if (b->preds[i] != head)
            l->before = cfg->blocks[b->preds[i]].block;
        if (b->succs[i] != head)
            l->after = cfg->blocks[b->succs[i]].block;
    }
    l->values = tf_block_first(l->s, head);
    l->count = (unsigned)(tf_block_end(l->s, head) - l->values);
    return (b->preds[0] == head) != (b->preds[1] == head) &&
           (b->succs[0] == head) != (b->succs[1] == head) && l->count <= MOST_VALUES &&
           LLVMIsABranchInst(LLVMGetBasicBlockTerminator(l->block));
}

static bool is_used_rightly(const struct loop *l, LLVMValueRef value)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);
        const LLVMBasicBlockRef at = LLVMGetInstructionParent(user);

        if (at != l->block &&
            (at != l->after || !LLVMIsAPHINode(user) || LLVMCountIncoming(user) != 1))
            return false;
    }
    return true;
}

static bool is_simple(const struct loop *l)
{
    for (unsigned i = 0; i < l->count; i++) {
        if (!is_plain(&l->values[i]) || !is_used_rightly(l, l->values[i].instruction))
            return false;
    }
    return true;
}

// ---- what things cost, in operations on a register

static unsigned registers_for(const struct loop *l, uint64_t bytes)
{
    const uint64_t bits = bytes * 8 * l->f->of.lanes;

    return bits <= l->target->vector_bits ? 1 : (unsigned)(bits / l->target->vector_bits);
}

static bool is_same_in_lanes(const struct tf_value *v)
{
    return v->shape.kind == TF_SHAPE_AFFINE && v->shape.stride == 0;
}

static unsigned cost_of_load(const struct loop *l, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(l->s->layout, v->instruction);
    const struct tf_shape shape = tf_shape_of(l->s, a.pointer);

    if (shape.kind == TF_SHAPE_AFFINE && shape.stride == 0)
        return 1;
    return shape.kind == TF_SHAPE_AFFINE && shape.stride == (int64_t)v->bytes
               ? registers_for(l, v->bytes)
               : 2 * l->f->of.lanes;
}

static unsigned cost_of(const struct loop *l, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMLoad:
        return cost_of_load(l, v);
    case LLVMPHI:
    case LLVMGetElementPtr:
    case LLVMBr:
        return 0;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFDiv:
    case LLVMFRem:
        return LONG * registers_for(l, v->bytes);
    case LLVMCall:
        return (tf_ir_calls(v->instruction, "llvm.fmuladd.") ||
                        tf_ir_calls(v->instruction, "llvm.fma.")
                    ? 1
                    : LONG) *
               registers_for(l, v->bytes);
    default:
        return is_same_in_lanes(v) ? 0 : registers_for(l, v->bytes);
    }
}

// ---- the sums

// What the value is made of in the loop, itself with it, over the rounds.
static void close_over(const struct loop *l, unsigned from, struct set *set)
{
    unsigned stack[MOST_VALUES], depth = 0;

    put(set, from);
    stack[depth++] = from;
    while (depth) {
        const struct tf_value *v = &l->values[stack[--depth]];

        for (unsigned i = 0; i < v->operand_count; i++) {
            const struct tf_value *x = tf_operand(l->s, v, i);
            const unsigned at = x ? (unsigned)(x - l->values) : MOST_VALUES;

            if (!x || x < l->values || at >= l->count || has(set, at))
                continue;
            put(set, at);
            stack[depth++] = at;
        }
    }
}

static unsigned find_phis(const struct loop *l)
{
    unsigned count = 0;

    while (count < l->count && l->values[count].opcode == LLVMPHI)
        count++;
    return count;
}

// Whether some other phi is made of this one, or the loop's end.
static bool is_shared(const struct loop *l, const struct set *needed, unsigned phis,
                      unsigned phi)
{
    for (unsigned i = 0; i < phis; i++) {
        if (i != phi && has(&needed[i], phi))
            return true;
    }
    return has(&l->control, phi);
}

static bool find_sums(struct loop *l)
{
    const unsigned phis = find_phis(l);
    struct set *needed;

    if (phis > MOST_SUMS)
        return false;
    needed = TF_ARENA_NEW(l->arena, struct set, phis);
    close_over(l, l->count - 1, &l->control);
    for (unsigned i = 0; i < phis; i++)
        close_over(l, i, &needed[i]);
    for (unsigned i = 0; i < phis; i++) {
        const struct tf_value *v = &l->values[i];

        if (is_same_in_lanes(v) || is_shared(l, needed, phis, i))
            continue;
        l->sums[l->sum_count++] = (struct sum){
            .needed = needed[i], .size = registers_for(l, v->bytes), .part = MOST_PARTS};
        l->size += registers_for(l, v->bytes);
    }
    return true;
}

// ---- the parts

static void find_own_costs(struct loop *l)
{
    for (unsigned i = 0; i < l->sum_count; i++) {
        struct set others = l->control;

        for (unsigned k = 0; k < l->sum_count; k++) {
            if (k != i)
                unite(&others, &l->sums[k].needed);
        }
        l->sums[i].own_cost = cost_beside(l, &l->sums[i].needed, &others);
    }
}

// How many of the sums that are left, at most `most`, would need nothing else than what
// is their own if `next` were in a part that has `made`.
static unsigned count_followers(const struct loop *l, const struct set *made,
                                const struct sum *next, unsigned most)
{
    struct set with = *made;
    unsigned count = 0;

    unite(&with, &next->needed);
    for (unsigned i = 0; i < l->sum_count && count < most; i++) {
        const struct sum *sum = &l->sums[i];

        count += sum != next && sum->part == MOST_PARTS &&
                 cost_beside(l, &sum->needed, &with) == sum->own_cost;
    }
    return count;
}

// The sum that adds the least to a part, which has room for `most` more behind it.
static struct sum *choose(struct loop *l, const struct set *made, unsigned most)
{
    struct sum *best = NULL;
    unsigned best_cost = 0, best_followers = 0;

    for (unsigned i = 0; i < l->sum_count; i++) {
        struct sum *sum = &l->sums[i];
        unsigned cost, followers;

        if (sum->part != MOST_PARTS)
            continue;
        cost = cost_beside(l, &sum->needed, made);
        if (best && cost > best_cost)
            continue;
        followers = count_followers(l, made, sum, most);
        if (best && cost == best_cost && followers <= best_followers)
            continue;
        best = sum;
        best_cost = cost;
        best_followers = followers;
    }
    return best;
}

// Fills a part up to a size; what its loop costs.
static unsigned fill(struct loop *l, unsigned part, unsigned most)
{
    struct set made = l->control;
    unsigned size = 0;

    while (size < most) {
        struct sum *sum = choose(l, &made, most - size - 1);

        if (!sum)
            break;
        sum->part = part;
        size += sum->size;
        unite(&made, &sum->needed);
    }
    l->size -= size;
    return cost_beside(l, &made, &(struct set){0});
}

static unsigned cost_of_whole(const struct loop *l)
{
    struct set made = l->control;

    for (unsigned i = 0; i < l->sum_count; i++)
        unite(&made, &l->sums[i].needed);
    return cost_beside(l, &made, &(struct set){0});
}

// Whether the loops are made faster than the one: what several of them make is less than
// the stores and loads of sums that registers do not hold.
static bool find_parts(struct loop *l)
{
    const unsigned most = l->target->registers * 2 / 3, size = l->size;
    unsigned cost = 0;

    if (size < l->target->registers + SPARE)
        return false;
    l->parts = (size + most - 1) / most;
    if (l->parts > MOST_PARTS)
        return false;
    find_own_costs(l);
    for (unsigned part = 0; part < l->parts; part++) {
        const unsigned left = l->parts - part;

        cost += fill(l, part, (l->size + left - 1) / left);
    }
    return cost <= cost_of_whole(l) + 2 * (size + SPARE - l->target->registers);
}

// ---- the change

// The loop once more, between two others.
struct copy {
    LLVMBasicBlockRef before, block, behind;
    LLVMValueRef *made; // per value
};

static LLVMValueRef in_copy(const struct loop *l, const struct copy *c,
                            LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(l->s, value);

    return v && v >= l->values && v < l->values + l->count ? c->made[v - l->values]
                                                           : value;
}

static void copy_value(const struct loop *l, LLVMBuilderRef b, struct copy *c, unsigned i)
{
    const LLVMValueRef value = l->values[i].instruction;

    if (l->values[i].opcode == LLVMPHI) {
        c->made[i] = LLVMBuildPhi(b, LLVMTypeOf(value), "");
        if (LLVMCanValueUseFastMathFlags(value))
            LLVMSetFastMathFlags(c->made[i], LLVMGetFastMathFlags(value));
        return;
    }
    c->made[i] = LLVMInstructionClone(value);
    LLVMInsertIntoBuilder(b, c->made[i]);
}

static void connect(const struct loop *l, const struct copy *c, unsigned i)
{
    const LLVMValueRef value = l->values[i].instruction, made = c->made[i];

    if (l->values[i].opcode == LLVMPHI) {
        for (unsigned k = 0; k < 2; k++) {
            const bool again = LLVMGetIncomingBlock(value, k) == l->block;
            LLVMValueRef from = in_copy(l, c, LLVMGetIncomingValue(value, k));
            LLVMBasicBlockRef way = again ? c->block : c->before;

            LLVMAddIncoming(made, &from, &way, 1);
        }
        return;
    }
    if (l->values[i].opcode == LLVMBr) {
        for (unsigned k = 0; k < 2; k++)
            LLVMSetSuccessor(
                made, k, LLVMGetSuccessor(value, k) == l->block ? c->block : c->behind);
        LLVMSetCondition(made, in_copy(l, c, LLVMGetCondition(value)));
        return;
    }
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(made); k++)
        LLVMSetOperand(made, k, in_copy(l, c, LLVMGetOperand(value, k)));
}

static LLVMBasicBlockRef new_block(const struct loop *l)
{
    return LLVMInsertBasicBlockInContext(
        LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(l->after))), l->after, "");
}

static void copy_loop(const struct loop *l, LLVMBuilderRef b, struct copy *c)
{
    c->block = new_block(l);
    c->behind = new_block(l);
    c->made = TF_ARENA_NEW(l->arena, LLVMValueRef, l->count);
    LLVMPositionBuilderAtEnd(b, c->block);
    LLVMSetCurrentDebugLocation2(b, NULL);
    for (unsigned i = 0; i < l->count; i++)
        copy_value(l, b, c, i);
    for (unsigned i = 0; i < l->count; i++)
        connect(l, c, i);
}

// Which of the loops makes the value that is known behind them: the first one can make
// all.
static unsigned part_of(const struct loop *l, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(l->s, value);
    unsigned part = MOST_PARTS;

    if (!v || v < l->values || v >= l->values + l->count)
        return 0;
    for (unsigned i = 0; i < l->sum_count; i++) {
        if (!has(&l->sums[i].needed, (unsigned)(v - l->values)))
            continue;
        if (part != MOST_PARTS && part != l->sums[i].part)
            return 0;
        part = l->sums[i].part;
    }
    return part == MOST_PARTS ? 0 : part;
}

// The phis behind the loop: each at the end of the loop that makes its value.
static void settle_results(const struct loop *l, LLVMBuilderRef b,
                           const struct copy *copies)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(l->after), next;

    for (; LLVMIsAPHINode(phi); phi = next) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, 0), made;
        const struct copy *c = &copies[part_of(l, value)];
        LLVMBasicBlockRef from = c->block;

        next = LLVMGetNextInstruction(phi);
        if (c->made)
            value = in_copy(l, c, value);
        LLVMPositionBuilderAtEnd(b, c->behind);
        made = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
        LLVMAddIncoming(made, &value, &from, 1);
        tf_ir_replace(phi, made);
    }
}

static void distribute(const struct loop *l, LLVMBuilderRef b)
{
    struct copy copies[MOST_PARTS] = {{.before = l->before, .block = l->block}};
    const LLVMValueRef branch = l->values[l->count - 1].instruction;

    copies[0].behind = new_block(l);
    for (unsigned part = 1; part < l->parts; part++) {
        copies[part].before = copies[part - 1].behind;
        copy_loop(l, b, &copies[part]);
    }
    for (unsigned k = 0; k < 2; k++) {
        if (LLVMGetSuccessor(branch, k) == l->after)
            LLVMSetSuccessor(branch, k, copies[0].behind);
    }
    settle_results(l, b, copies);
    for (unsigned part = 0; part < l->parts; part++) {
        LLVMPositionBuilderAtEnd(b, copies[part].behind);
        LLVMBuildBr(b, part + 1 < l->parts ? copies[part + 1].block : l->after);
    }
}

static bool look_at(struct loop *l, unsigned loop)
{
    if (l->s->divergent[loop] || !tf_facts_weight(l->f, l->f->cfg.loops[loop].head) ||
        !find_blocks(l, loop) || !is_simple(l) || !find_sums(l))
        return false;
    for (unsigned i = 0; i < l->count; i++)
        l->costs[i] = cost_of(l, &l->values[i]);
    return find_parts(l);
}

bool tf_prepare_distribute(const struct tf_facts *facts, const struct tf_target *target)
{
    const LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(facts->of.fn));
    struct tf_arena arena = {0};
    LLVMBuilderRef b;
    bool any = false;

    if (facts->unfit[0])
        return false;
    b = LLVMCreateBuilderInContext(context);
    for (unsigned i = 0; i < facts->cfg.loop_count; i++) {
        struct loop *l = TF_ARENA_NEW(&arena, struct loop, 1);

        l->arena = &arena;
        l->f = facts;
        l->s = &facts->usual;
        l->target = target;
        if (look_at(l, i)) {
            distribute(l, b);
            any = true;
        }
    }
    LLVMDisposeBuilder(b);
    tf_arena_finish(&arena);
    return any;
}
