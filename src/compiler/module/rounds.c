// SPDX-License-Identifier: MIT
#include "compiler/module/rounds.h"

#include <stdint.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/loop_rounds.h"
#include "compiler/job/arena.h"
#include "compiler/module/unroll_hint.h"

// A group of a thousand such work-items takes unoptimized code about a millisecond.
enum { MOST_INSTRUCTIONS = 4000, MOST_LOOPS = 100 };
// What LLVM makes of a loop that is to be unrolled: nothing where it would have more
// instructions (PragmaUnrollThreshold), and of one whose rounds it does not know so many
// rounds (the count of its unrolling at run time).
enum { MOST_UNROLLED = 16384, UNKNOWN_UNROLLED = 8 };

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
        unsigned rounds;

        if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
            continue;
        for (unsigned i = 0; i < 2; i++) {
            const unsigned place = tf_map_get(places, LLVMGetSuccessor(branch, i));

            stays[i] = place >= first && place <= last;
        }
        if (stays[0] == stays[1])
            continue;
        rounds = tf_loop_rounds(branch, stays[0], head, latch, argument);
        if (rounds)
            return rounds;
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
    const LLVMValueRef loop = LLVMGetMetadata(end, tf_ir_loop_kind(context));
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
    return rounds == 0 || rounds > TF_LOOP_MOST_ROUNDS;
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
