// SPDX-License-Identifier: MIT
// All is reckoned in 64 bits, in which nothing of 32 bits and small constants wraps. A
// position X stands for itself read as a signed number of 32 bits; a test of X + c, where
// c lies in a span of constants, is one of that sum if no step on the way to it wraps:
// what that asks of X becomes part of the interior.
#include "compiler/workgroup/prepare/interior/bounds.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/loop_rounds.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/shape.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MAX_DEPTH = 8,
    MAX_TESTS = 500,
    MAX_SPAN = 1 << 20, // of constants that are added
    // A constant up to which a test asks for the lower side, above for the upper one.
    MAX_LOWER = 64,
};

#define MAX_BOUND ((int64_t)1 << 40)

struct span {
    int64_t low, high;
};

// A sum: base + a number of the span; where base is at least `least` and at most `most`
// nothing has wrapped.
struct sum {
    LLVMValueRef base;
    struct span span;
    int64_t least, most;
};

static unsigned bits_of(LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// ---- what is known where the interior is asked for

static bool is_id(LLVMValueRef i)
{
    const enum tf_root root = tf_root_of(i);

    return root >= TF_ROOT_LID && root < TF_ROOT_APART;
}

static bool is_named(LLVMValueRef call, const char *name)
{
    const struct tf_elementwise *e =
        LLVMIsACallInst(call) ? tf_elementwise_of(call) : NULL;

    return e && !strcmp(e->name, name) && bits_of(call);
}

static bool is_limit(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && tf_shape_is_limit(i) && bits_of(i);
}

static bool is_division(LLVMValueRef i)
{
    return tf_ir_is_division(LLVMGetInstructionOpcode(i));
}

// Can be made anywhere its operands are known.
static bool is_free_to_move(LLVMValueRef i)
{
    return tf_ir_is_integer_operation(i) || LLVMIsACastInst(i) || LLVMIsAICmpInst(i) ||
           LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsAFreezeInst(i) ||
           is_limit(i) || is_id(i) || tf_wg_is_of_launch(i);
}

static bool is_early(const struct tf_bounds *b, LLVMValueRef value, unsigned depth)
{
    unsigned block;

    if (!LLVMIsAInstruction(value))
        return LLVMIsAConstant(value) || LLVMIsAArgument(value);
    block = tf_cfg_number(b->cfg, LLVMGetInstructionParent(value));
    if (block != b->root && tf_cfg_dominates(b->cfg, block, b->root))
        return true;
    if ((block == b->root && LLVMIsAPHINode(value)) || tf_wg_is_of_launch(value))
        return true;
    if (depth == MAX_DEPTH ||
        !(is_free_to_move(value) ||
          (block == b->root && (is_division(value) || tf_wg_is_fixed_load(value)))))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++) {
        const LLVMValueRef operand = LLVMGetOperand(value, k);

        if (!(LLVMIsACallInst(value) && LLVMIsAFunction(operand)) &&
            !is_early(b, operand, depth + 1))
            return false;
    }
    return true;
}

bool tf_bounds_is_early(const struct tf_bounds *b, LLVMValueRef value)
{
    return is_early(b, value, 0);
}

enum origin {
    FROM_LAUNCH, // the same for all work-items
    FROM_IDS,
    FROM_ANYTHING,
};

static enum origin origin_of(LLVMValueRef value, unsigned depth)
{
    enum origin most = FROM_LAUNCH;

    if (!LLVMIsAInstruction(value) || tf_wg_is_of_launch(value))
        return FROM_LAUNCH;
    if (is_id(value))
        return FROM_IDS;
    if (depth == MAX_DEPTH ||
        !(is_free_to_move(value) || is_division(value) || tf_wg_is_fixed_load(value)))
        return FROM_ANYTHING;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++) {
        const enum origin one = origin_of(LLVMGetOperand(value, k), depth + 1);

        most = one > most ? one : most;
    }
    return most;
}

// ---- spans of constants

static bool span_of(const struct tf_bounds *b, LLVMValueRef value, struct span *out,
                    unsigned depth);

static bool constant_of(LLVMValueRef value, int64_t *out)
{
    if (!LLVMIsAConstantInt(value))
        return false;
    *out = LLVMConstIntGetSExtValue(value);
    return *out >= -MAX_SPAN && *out <= MAX_SPAN;
}

// A counter of rounds whose number is known.
static bool span_of_counter(const struct tf_bounds *b, LLVMValueRef phi, struct span *out)
{
    const LLVMBasicBlockRef head = LLVMGetInstructionParent(phi);
    const unsigned at = tf_cfg_number(b->cfg, head), loop = b->cfg->blocks[at].loop;
    LLVMValueRef next;
    unsigned back, rounds;
    int64_t step, first;

    if (LLVMCountIncoming(phi) != 2 || loop == TF_CFG_NONE ||
        b->cfg->loops[loop].head != at)
        return false;
    back =
        tf_cfg_in_loop(b->cfg, loop, tf_cfg_number(b->cfg, LLVMGetIncomingBlock(phi, 1)));
    next = LLVMGetIncomingValue(phi, back);
    if (!constant_of(LLVMGetIncomingValue(phi, !back), &first) ||
        !LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
        LLVMGetOperand(next, 0) != phi || !constant_of(LLVMGetOperand(next, 1), &step))
        return false;
    rounds = tf_cfg_rounds(b->cfg, loop);
    if (!rounds || rounds > TF_LOOP_MOST_ROUNDS)
        return false;
    step *= rounds - 1;
    *out =
        (struct span){.low = first + smaller(step, 0), .high = first + larger(step, 0)};
    return true;
}

static bool span_of_sum(const struct tf_bounds *b, LLVMValueRef sum, struct span *out,
                        unsigned depth)
{
    const bool is_sub = LLVMGetInstructionOpcode(sum) == LLVMSub;
    struct span right;

    if (!span_of(b, LLVMGetOperand(sum, 0), out, depth + 1) ||
        !span_of(b, LLVMGetOperand(sum, 1), &right, depth + 1))
        return false;
    out->low += is_sub ? -right.high : right.low;
    out->high += is_sub ? -right.low : right.high;
    return true;
}

// What has at least 32 bits: no sum of such spans wraps.
static bool span_of(const struct tf_bounds *b, LLVMValueRef value, struct span *out,
                    unsigned depth)
{
    bool known = false;

    if (depth == MAX_DEPTH || bits_of(value) < 32 || bits_of(value) > 64)
        return false;
    if (LLVMIsAConstantInt(value)) {
        out->low = out->high = LLVMConstIntGetSExtValue(value);
        known = true;
    } else if (LLVMIsAPHINode(value)) {
        known = span_of_counter(b, value, out);
    } else if (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value)) {
        known = span_of(b, LLVMGetOperand(value, 0), out, depth + 1) &&
                (LLVMIsASExtInst(value) || out->low >= 0);
    } else if (LLVMIsABinaryOperator(value) &&
               (LLVMGetInstructionOpcode(value) == LLVMAdd ||
                LLVMGetInstructionOpcode(value) == LLVMSub)) {
        known = span_of_sum(b, value, out, depth);
    }
    return known && out->low >= -MAX_SPAN && out->high <= MAX_SPAN;
}

// ---- sums with a position

static bool sum_of(const struct tf_bounds *b, LLVMValueRef value, struct sum *s,
                   unsigned depth);

static void demand(struct sum *s, int64_t least, int64_t most)
{
    s->least = larger(s->least, least - s->span.low);
    s->most = smaller(s->most, most - s->span.high);
}

// One of two is a span.
static bool add_span(const struct tf_bounds *b, LLVMValueRef i, struct sum *s,
                     unsigned depth)
{
    const bool is_sub = LLVMGetInstructionOpcode(i) == LLVMSub;
    struct span other;
    unsigned at = 1;

    if (!span_of(b, LLVMGetOperand(i, 1), &other, 0)) {
        if (is_sub || !span_of(b, LLVMGetOperand(i, 0), &other, 0))
            return false;
        at = 0;
    }
    if (!sum_of(b, LLVMGetOperand(i, !at), s, depth + 1))
        return false;
    s->span.low += is_sub ? -other.high : other.low;
    s->span.high += is_sub ? -other.low : other.high;
    if (bits_of(i) == 32)
        demand(s, INT32_MIN, INT32_MAX);
    return s->span.low >= -MAX_SPAN && s->span.high <= MAX_SPAN;
}

// A sum that was looked through: false where it is none, and so a position by itself.
static bool step_of(const struct tf_bounds *b, LLVMValueRef value, struct sum *s,
                    unsigned depth)
{
    const unsigned test = tf_map_get(&b->is_test, value);

    if (test != TF_MAP_NONE && b->tests[test].at >= 0)
        return sum_of(b, LLVMGetOperand(value, (unsigned)b->tests[test].at), s,
                      depth + 1);
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
        return add_span(b, value, s, depth);
    case LLVMOr:
        return LLVMGetIsDisjoint(value) && add_span(b, value, s, depth);
    case LLVMFreeze:
    case LLVMSExt:
        return sum_of(b, LLVMGetOperand(value, 0), s, depth + 1);
    case LLVMZExt:
        if (!sum_of(b, LLVMGetOperand(value, 0), s, depth + 1))
            return false;
        demand(s, 0, INT32_MAX);
        return true;
    case LLVMTrunc:
        if (bits_of(value) != 32 || !sum_of(b, LLVMGetOperand(value, 0), s, depth + 1))
            return false;
        demand(s, INT32_MIN, INT32_MAX);
        return true;
    default:
        return false;
    }
}

static bool sum_of(const struct tf_bounds *b, LLVMValueRef value, struct sum *s,
                   unsigned depth)
{
    const unsigned bits = bits_of(value);

    if (depth == MAX_DEPTH || !LLVMIsAInstruction(value) || (bits != 32 && bits != 64))
        return false;
    if (step_of(b, value, s, depth))
        return true;
    *s = (struct sum){.base = value, .least = INT32_MIN, .most = INT32_MAX};
    return bits == 32 && origin_of(value, 0) == FROM_IDS && tf_bounds_is_early(b, value);
}

// ---- tests

static struct tf_position *position_of(struct tf_bounds *b, LLVMValueRef base)
{
    struct tf_position *p = b->positions;

    for (unsigned i = 0; i < b->position_count; i++) {
        if (p[i].base == base)
            return &p[i];
    }
    if (b->position_count == TF_MOST_POSITIONS)
        return NULL;
    p = &b->positions[b->position_count++];
    *p = (struct tf_position){.base = base, .least = INT32_MIN, .most = INT32_MAX};
    return p;
}

// False where there are too many.
static bool add_limit(struct tf_position *p, struct tf_limit limit)
{
    struct tf_limit *l = p->limits;

    for (unsigned i = 0; i < p->limit_count; i++) {
        if (l[i].bound != limit.bound || l[i].is_least != limit.is_least ||
            l[i].with_sign != limit.with_sign)
            continue;
        l[i].offset = limit.is_least ? larger(l[i].offset, limit.offset)
                                     : smaller(l[i].offset, limit.offset);
        return true;
    }
    if (p->limit_count == TF_MOST_LIMITS)
        return false;
    l[p->limit_count++] = limit;
    return true;
}

static void add_test(struct tf_bounds *b, LLVMValueRef i, bool is_true, int at)
{
    tf_map_put(&b->is_test, i, b->test_count);
    b->tests[b->test_count++] =
        (struct tf_bound_test){.instruction = i, .is_true = is_true, .at = at};
}

// Numbers beyond all bounds are the next ones to them: without a sign the largest of 64
// bits would be negative.
static int64_t number_of(LLVMValueRef constant, bool with_sign)
{
    const uint64_t n = LLVMConstIntGetZExtValue(constant);

    if (with_sign)
        return larger(smaller(LLVMConstIntGetSExtValue(constant), MAX_BOUND + 1),
                      -MAX_BOUND - 1);
    return n > (uint64_t)MAX_BOUND ? MAX_BOUND + 1 : (int64_t)n;
}

// In the interior the sum is at least, or at most, bound + more. What it compares with
// may be a constant.
static bool take(struct tf_bounds *b, const struct sum *s, LLVMValueRef bound,
                 bool is_least, bool with_sign, int64_t more)
{
    struct tf_position *p = position_of(b, s->base);
    const struct tf_limit limit = {.bound = bound,
                                   .is_least = is_least,
                                   .with_sign = with_sign,
                                   .offset =
                                       more - (is_least ? s->span.low : s->span.high)};

    if (!p)
        return false;
    if (LLVMIsAConstantInt(bound)) {
        const int64_t n = number_of(bound, with_sign);

        if (n < -MAX_BOUND || n > MAX_BOUND)
            return false;
        if (is_least)
            p->least = larger(p->least, n + limit.offset);
        else
            p->most = smaller(p->most, n + limit.offset);
    } else if (!add_limit(p, limit)) {
        return false;
    }
    p->least = larger(p->least, s->least);
    p->most = smaller(p->most, s->most);
    if (!with_sign) // then both ways to read it agree
        p->least = larger(p->least, -s->span.low);
    p->test_count++;
    return true;
}

static bool is_bound(const struct tf_bounds *b, LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) ||
           (LLVMIsAInstruction(value) && origin_of(value, 0) == FROM_LAUNCH &&
            tf_bounds_is_early(b, value));
}

static bool is_signed(LLVMIntPredicate predicate)
{
    return predicate != LLVMIntULT && predicate != LLVMIntULE &&
           predicate != LLVMIntUGT && predicate != LLVMIntUGE;
}

// Constants up to a little above the position's zero are where the interior begins; all
// else is where it ends.
static bool asks_for_least(const struct sum *s, LLVMValueRef bound, bool with_sign)
{
    return LLVMIsAConstantInt(bound) &&
           number_of(bound, with_sign) - s->span.low <= MAX_LOWER;
}

static void look_at_compare(struct tf_bounds *b, LLVMValueRef i)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
    LLVMValueRef tested = LLVMGetOperand(i, 0), bound = LLVMGetOperand(i, 1);
    struct sum s;
    bool least, above, equal, with_sign;

    if (!is_bound(b, bound)) {
        tested = bound;
        bound = LLVMGetOperand(i, 0);
        predicate = tf_ir_swapped(predicate);
    }
    if (!bits_of(bound) || !is_bound(b, bound) || !sum_of(b, tested, &s, 0))
        return;
    with_sign = is_signed(predicate);
    least = asks_for_least(&s, bound, with_sign);
    // Whether the test is true above the bound, and where both are equal.
    above = predicate == LLVMIntSGT || predicate == LLVMIntSGE ||
            predicate == LLVMIntUGT || predicate == LLVMIntUGE || predicate == LLVMIntNE;
    equal = predicate == LLVMIntSGE || predicate == LLVMIntUGE ||
            predicate == LLVMIntSLE || predicate == LLVMIntULE || predicate == LLVMIntEQ;
    if (predicate == LLVMIntEQ || predicate == LLVMIntNE) {
        if (take(b, &s, bound, least, true, least ? 1 : -1))
            add_test(b, i, predicate == LLVMIntNE, -1);
        return;
    }
    // What holds at the bound itself holds on the side where the test says the same.
    if (take(b, &s, bound, least, with_sign,
             least ? (above == equal ? 0 : 1) : (above == equal ? -1 : 0)))
        add_test(b, i, least == above, -1);
}

static void look_at_limit(struct tf_bounds *b, LLVMValueRef i)
{
    const bool is_least = is_named(i, "smax") || is_named(i, "umax");
    const bool with_sign = is_named(i, "smax") || is_named(i, "smin");
    const unsigned at = is_bound(b, LLVMGetOperand(i, 1)) ? 0 : 1;
    struct sum s;

    if (is_bound(b, LLVMGetOperand(i, !at)) && sum_of(b, LLVMGetOperand(i, at), &s, 0) &&
        take(b, &s, LLVMGetOperand(i, !at), is_least, with_sign, 0))
        add_test(b, i, false, (int)at);
}

static void look_at(struct tf_bounds *b, LLVMValueRef i)
{
    struct sum s;

    if (LLVMIsAICmpInst(i))
        look_at_compare(b, i);
    else if (is_limit(i))
        look_at_limit(b, i);
    else if (is_named(i, "abs") && sum_of(b, LLVMGetOperand(i, 0), &s, 0) &&
             take(b, &s, LLVMConstNull(LLVMTypeOf(i)), true, true, 0))
        add_test(b, i, false, 0);
}

void tf_bounds_find(struct tf_bounds *b, const struct tf_cfg *cfg, unsigned root)
{
    *b = (struct tf_bounds){.cfg = cfg, .root = root, .is_test = {.arena = cfg->arena}};
    b->tests = TF_ARENA_NEW(cfg->arena, struct tf_bound_test, MAX_TESTS);
    // In reverse postorder: operands come first.
    for (unsigned block = root; block < cfg->block_count; block++) {
        if (!tf_cfg_dominates(cfg, root, block))
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, cfg->blocks[block].block)
        {
            if (b->test_count < MAX_TESTS)
                look_at(b, i);
        }
    }
}
