// SPDX-License-Identifier: MIT
#include "compiler/ir/loop_rounds.h"

#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

enum { MOST_BITS = 64 };

struct counter {
    bool may_begin_anywhere;    // asked for: where that is not known, below a step
    bool begins_anywhere;       // nobody knows where
    LLVMIntPredicate predicate; // of the test for one more round
    bool goes_on_if;            // what the test says then
    unsigned bits;
    uint64_t value; // that is tested in the first round
    uint64_t step;
    uint64_t limit;
    LLVMValueRef argument; // which is the limit; NULL: the number is
    LLVMValueRef next;     // what the counter is in the next round
};

static int64_t signed_of(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (MOST_BITS - bits)) >> (MOST_BITS - bits);
}

static bool compare(const struct counter *c)
{
    const int64_t a = signed_of(c->value, c->bits), b = signed_of(c->limit, c->bits);

    switch (c->predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return c->value > c->limit;
    case LLVMIntUGE:
        return c->value >= c->limit;
    case LLVMIntULT:
        return c->value < c->limit;
    case LLVMIntULE:
        return c->value <= c->limit;
    case LLVMIntSGT:
        return a > b;
    case LLVMIntSGE:
        return a >= b;
    case LLVMIntSLT:
        return a < b;
    case LLVMIntSLE:
        return a <= b;
    default:
        return c->goes_on_if;
    }
}

// At most TF_LOOP_MOST_ROUNDS + 1.
static unsigned count(struct counter *c)
{
    const uint64_t mask = UINT64_MAX >> (MOST_BITS - c->bits);
    unsigned rounds = 1;

    while (rounds <= TF_LOOP_MOST_ROUNDS && compare(c) == c->goes_on_if) {
        c->value = (c->value + c->step) & mask;
        rounds++;
    }
    return rounds;
}

// Phi of the loop's head that starts with a constant, or anywhere, and grows by another
// in each round.
static bool read_counter(LLVMValueRef phi, LLVMBasicBlockRef head,
                         LLVMBasicBlockRef latch, struct counter *c)
{
    unsigned back;
    LLVMValueRef next, start;

    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != head ||
        LLVMCountIncoming(phi) != 2 ||
        LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
        return false;
    back = LLVMGetIncomingBlock(phi, 1) == latch;
    next = LLVMGetIncomingValue(phi, back);
    start = LLVMGetIncomingValue(phi, !back);
    c->bits = LLVMGetIntTypeWidth(LLVMTypeOf(phi));
    c->begins_anywhere = !LLVMIsAConstantInt(start);
    if ((c->begins_anywhere && !c->may_begin_anywhere) || !LLVMIsABinaryOperator(next) ||
        LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)) || c->bits > MOST_BITS)
        return false;
    c->next = next;
    c->step = LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
    c->value = c->begins_anywhere ? c->step - 1 : LLVMConstIntGetZExtValue(start);
    return true;
}

// The integer argument that `limit` is, perhaps in more bits; or NULL.
static LLVMValueRef argument_of(LLVMValueRef limit)
{
    if (LLVMIsASExtInst(limit) || LLVMIsAZExtInst(limit))
        limit = LLVMGetOperand(limit, 0);
    return LLVMIsAArgument(limit) ? limit : NULL;
}

// What the branch at the end of the block, of which one way stays in the loop, tests.
static bool read_test(LLVMValueRef branch, bool goes_on_if, LLVMBasicBlockRef head,
                      LLVMBasicBlockRef latch, struct counter *c)
{
    const LLVMValueRef test = LLVMGetCondition(branch);
    LLVMValueRef tested, phi;

    if (!LLVMIsAICmpInst(test))
        return false;
    c->argument = argument_of(LLVMGetOperand(test, 1));
    if (!c->argument && !LLVMIsAConstantInt(LLVMGetOperand(test, 1)))
        return false;
    tested = LLVMGetOperand(test, 0);
    phi = LLVMIsABinaryOperator(tested) ? LLVMGetOperand(tested, 0) : tested;
    if (!read_counter(phi, head, latch, c) || (tested != phi && tested != c->next))
        return false;
    if (tested != phi)
        c->value = (c->value + c->step) & (UINT64_MAX >> (MOST_BITS - c->bits));
    c->predicate = LLVMGetICmpPredicate(test);
    c->goes_on_if = goes_on_if;
    if (!c->argument)
        c->limit = LLVMConstIntGetZExtValue(LLVMGetOperand(test, 1));
    return true;
}

// Of a loop that tests one constant in its first round and another one in all others, as
// LLVM's passes leave a counter of one round, or a bit in its place. 0: it is none.
static unsigned rounds_of_two(LLVMValueRef test, bool goes_on_if, LLVMBasicBlockRef head,
                              LLVMBasicBlockRef latch)
{
    const bool is_bit = LLVMIsAPHINode(test);
    const LLVMValueRef phi = is_bit                  ? test
                             : LLVMIsAICmpInst(test) ? LLVMGetOperand(test, 0)
                                                     : NULL;
    struct counter c = {.predicate = LLVMIntNE, .bits = 1};
    LLVMValueRef values[2] = {NULL, NULL}; // in the first round, in others
    unsigned rounds = 1;

    if (!phi || !LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != head ||
        LLVMCountIncoming(phi) != 2)
        return 0;
    for (unsigned i = 0; i < 2; i++)
        values[LLVMGetIncomingBlock(phi, i) == latch] = LLVMGetIncomingValue(phi, i);
    if (!is_bit) {
        const LLVMValueRef limit = LLVMGetOperand(test, 1);

        if (!LLVMIsAConstantInt(limit))
            return 0;
        c.bits = LLVMGetIntTypeWidth(LLVMTypeOf(limit));
        if (c.bits > MOST_BITS)
            return 0;
        c.predicate = LLVMGetICmpPredicate(test);
        c.limit = LLVMConstIntGetZExtValue(limit);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (!values[i] || !LLVMIsAConstantInt(values[i]))
            return 0;
        c.value = LLVMConstIntGetZExtValue(values[i]);
        if (compare(&c) == goes_on_if) {
            if (i == 1)
                return 0; // something else ends it
            rounds++;
        }
    }
    return rounds;
}

// Whether a counter that rises from 0 or more ends the loop where it passes the limit.
static bool rises_to_limit(const struct counter *c)
{
    if (signed_of(c->step, c->bits) <= 0 || signed_of(c->value, c->bits) < 0)
        return false;
    switch (c->predicate) {
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
        return c->goes_on_if;
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntSGT:
    case LLVMIntSGE:
        return !c->goes_on_if;
    case LLVMIntNE:
        return c->goes_on_if && c->step == 1;
    case LLVMIntEQ:
        return !c->goes_on_if && c->step == 1;
    default:
        return false;
    }
}

unsigned tf_loop_rounds(LLVMValueRef branch, bool stays_if, LLVMBasicBlockRef head,
                        LLVMBasicBlockRef latch, LLVMValueRef *argument)
{
    const unsigned rounds =
        rounds_of_two(LLVMGetCondition(branch), stays_if, head, latch);
    struct counter c = {.predicate = LLVMIntNE};

    if (rounds)
        return rounds;
    if (!read_test(branch, stays_if, head, latch, &c))
        return 0;
    if (!c.argument)
        return count(&c);
    if (argument && rises_to_limit(&c))
        *argument = c.argument;
    return 0;
}

unsigned tf_loop_rounds_about(LLVMValueRef branch, bool stays_if, LLVMBasicBlockRef head,
                              LLVMBasicBlockRef latch)
{
    const unsigned rounds = tf_loop_rounds(branch, stays_if, head, latch, NULL);
    struct counter c = {.predicate = LLVMIntNE, .may_begin_anywhere = true};

    if (rounds || !read_test(branch, stays_if, head, latch, &c) || c.argument ||
        !c.begins_anywhere || !rises_to_limit(&c) || signed_of(c.limit, c.bits) <= 0)
        return rounds;
    return count(&c);
}
