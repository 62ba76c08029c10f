// SPDX-License-Identifier: MIT
#include "compiler/module/rounds.h"

#include <stdint.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/job/arena.h"
#include "compiler/module/unroll_hint.h"

// A group of a thousand such work-items takes unoptimized code about a millisecond.
enum { MOST_INSTRUCTIONS = 4000, MOST_ROUNDS = 1000, MOST_LOOPS = 100, MOST_BITS = 64 };
// What LLVM makes of a loop that is to be unrolled: nothing where it would have more
// instructions (PragmaUnrollThreshold), and of one whose rounds it does not know so many
// rounds (the count of its unrolling at run time).
enum { MOST_UNROLLED = 16384, UNKNOWN_UNROLLED = 8 };

struct counter {
    LLVMIntPredicate predicate; // of the test for one more round
    bool goes_on_if;            // what the test says then
    unsigned bits;
    uint64_t value; // that is tested in the first round
    uint64_t step;
    uint64_t limit;
    LLVMValueRef argument; // which is the limit; NULL: the number is
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

// At most MOST_ROUNDS + 1.
static unsigned count(struct counter *c)
{
    const uint64_t mask = UINT64_MAX >> (MOST_BITS - c->bits);
    unsigned rounds = 1;

    while (rounds <= MOST_ROUNDS && compare(c) == c->goes_on_if) {
        c->value = (c->value + c->step) & mask;
        rounds++;
    }
    return rounds;
}

// Phi of the loop's head that starts with a constant and grows by one in each round.
static bool read_counter(LLVMValueRef phi, LLVMBasicBlockRef head,
                         LLVMBasicBlockRef latch, struct counter *c)
{
    unsigned back;
    LLVMValueRef next, start;

    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != head ||
        LLVMCountIncoming(phi) != 2)
        return false;
    back = LLVMGetIncomingBlock(phi, 1) == latch;
    next = LLVMGetIncomingValue(phi, back);
    start = LLVMGetIncomingValue(phi, !back);
    c->bits = LLVMGetIntTypeWidth(LLVMTypeOf(phi));
    if (!LLVMIsAConstantInt(start) || !LLVMIsABinaryOperator(next) ||
        LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)) || c->bits > MOST_BITS)
        return false;
    c->value = LLVMConstIntGetZExtValue(start);
    c->step = LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
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
    LLVMValueRef tested;
    bool is_next;

    if (!LLVMIsAICmpInst(test))
        return false;
    c->argument = argument_of(LLVMGetOperand(test, 1));
    if (!c->argument && !LLVMIsAConstantInt(LLVMGetOperand(test, 1)))
        return false;
    tested = LLVMGetOperand(test, 0);
    is_next = LLVMIsABinaryOperator(tested) != NULL;
    if (!read_counter(is_next ? LLVMGetOperand(tested, 0) : tested, head, latch, c))
        return false;
    if (is_next)
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

// Rounds of the loop from the head to the latch, by the test in one of these; 0: unknown,
// or up to *argument.
// Which blocks are of the loop goes by their places between the two.
static unsigned rounds_of(const struct tf_map *places, LLVMBasicBlockRef head,
                          LLVMBasicBlockRef latch, LLVMValueRef *argument)
{
    const LLVMBasicBlockRef ends[] = {head, latch};
    const unsigned first = tf_map_get(places, head), last = tf_map_get(places, latch);

    for (int e = 0; e < 2; e++) {
        const LLVMValueRef branch = LLVMGetBasicBlockTerminator(ends[e]);
        bool stays[2];
        struct counter c;

        if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
            continue;
        for (unsigned i = 0; i < 2; i++) {
            const unsigned place = tf_map_get(places, LLVMGetSuccessor(branch, i));

            stays[i] = place >= first && place <= last;
        }
        if (stays[0] == stays[1])
            continue;
        const unsigned rounds =
            rounds_of_two(LLVMGetCondition(branch), stays[0], head, latch);
        if (rounds)
            return rounds;
        if (!read_test(branch, stays[0], head, latch, &c))
            continue;
        if (!c.argument)
            return count(&c);
        if (rises_to_limit(&c))
            *argument = c.argument;
    }
    return 0;
}

// The blocks of a kernel in their order.
struct blocks {
    struct tf_map places;
    uint64_t *runs;    // by place: instructions that a work-item runs there
    uint64_t *becomes; // by place: instructions where loops are unrolled as they ask for
    unsigned count;
    LLVMValueRef limits[TF_KERNEL_LOOP_ARGS]; // arguments
    unsigned limit_count;
};

static uint64_t saturated(uint64_t value)
{
    return value < UINT32_MAX ? value : UINT32_MAX;
}

static void read_blocks(struct blocks *b, struct tf_arena *arena, LLVMValueRef kernel)
{
    b->runs = TF_ARENA_NEW(arena, uint64_t, LLVMCountBasicBlocks(kernel));
    b->becomes = TF_ARENA_NEW(arena, uint64_t, LLVMCountBasicBlocks(kernel));
    TF_FOR_EACH_BLOCK(block, kernel)
    {
        uint64_t here = 0;

        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(inst, block)
        {
            here++;
        }
        tf_map_put(&b->places, block, b->count);
        b->becomes[b->count] = here;
        b->runs[b->count++] = here;
    }
}

// How many rounds of a loop become one, as its jump back asks for. `rounds`: all, 0 where
// nobody knows.
static uint64_t unrolled_rounds(LLVMBasicBlockRef latch, uint64_t rounds)
{
    enum { MOST_HINTS = 16 };
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(latch);
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(end));
    const LLVMValueRef loop =
        LLVMGetMetadata(end, LLVMGetMDKindIDInContext(context, "llvm.loop", 9));
    LLVMValueRef hints[MOST_HINTS];
    unsigned count;

    if (!loop || !LLVMIsAMDNode(loop))
        return 1;
    count = LLVMGetMDNodeNumOperands(loop);
    if (count > MOST_HINTS)
        return 1;
    LLVMGetMDNodeOperands(loop, hints);
    for (unsigned i = 1; i < count; i++) { // the first is the loop itself
        const uint64_t wanted = tf_unroll_hint_rounds(hints[i]);

        if (wanted > 0)
            return rounds > 0 && rounds < wanted ? rounds : wanted;
        if (tf_unroll_hint_is_open(hints[i]))
            return rounds > 0 ? rounds : UNKNOWN_UNROLLED;
    }
    return 1;
}

static void unroll(struct blocks *b, unsigned first, unsigned last, uint64_t times)
{
    uint64_t instructions = 0;

    for (unsigned i = first; i <= last; i++)
        instructions += b->becomes[i];
    if (times > MOST_UNROLLED || instructions * times > MOST_UNROLLED)
        return;
    for (unsigned i = first; i <= last; i++)
        b->becomes[i] *= times;
}

// True if the loop may have more rounds than were counted.
static bool repeat(struct blocks *b, LLVMBasicBlockRef head, LLVMBasicBlockRef latch)
{
    const unsigned first = tf_map_get(&b->places, head);
    const unsigned last = tf_map_get(&b->places, latch);
    LLVMValueRef argument = NULL;
    const unsigned rounds = rounds_of(&b->places, head, latch, &argument);

    unroll(b, first, last, unrolled_rounds(latch, rounds));
    if (rounds == 0 && argument && b->limit_count < TF_KERNEL_LOOP_ARGS) {
        b->limits[b->limit_count++] = argument;
        return false;
    }
    for (unsigned i = first; rounds > 0 && i <= last; i++)
        b->runs[i] = saturated(b->runs[i] * rounds);
    return rounds == 0 || rounds > MOST_ROUNDS;
}

static void note_limits(const struct blocks *b, LLVMValueRef kernel, uint32_t *loop_args)
{
    for (unsigned i = 0; i < b->limit_count; i++)
        for (unsigned k = 0; k < LLVMCountParams(kernel); k++)
            if (LLVMGetParam(kernel, k) == b->limits[i])
                loop_args[i] = k + 1;
}

struct tf_rounds tf_rounds_guess(LLVMValueRef kernel)
{
    struct tf_arena arena = {0};
    struct blocks blocks = {.places = {.arena = &arena}};
    unsigned place = 0, loops = 0;
    struct tf_rounds out = {0};
    bool is_known = true;
    uint64_t sum = 0, instructions = 0;

    read_blocks(&blocks, &arena, kernel);
    // Every loop has a jump that leads back, or to its own block, whatever their order.
    TF_FOR_EACH_BLOCK(block, kernel)
    {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

        for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && loops < MOST_LOOPS; i++) {
            const LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);

            if (tf_map_get(&blocks.places, to) > place)
                continue;
            loops++;
            is_known &= !repeat(&blocks, to, block);
        }
        place++;
    }
    for (unsigned i = 0; i < blocks.count; i++) {
        sum = saturated(sum + blocks.runs[i]);
        instructions = saturated(instructions + blocks.becomes[i]);
    }
    is_known &= loops < MOST_LOOPS;
    out.instructions = (uint32_t)saturated(instructions);
    out.item_instructions = (uint32_t)sum;
    out.may_be_many =
        loops > 0 && (!is_known || blocks.limit_count || sum > MOST_INSTRUCTIONS);
    if (is_known)
        note_limits(&blocks, kernel, out.loop_args);
    tf_arena_finish(&arena);
    return out;
}
