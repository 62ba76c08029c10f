// SPDX-License-Identifier: MIT
// for (n = 1; n < 256; n *= 2) { if (lid < 128 / n) ..; barrier }: the levels of a tree.
// Where the number of rounds is known, mostly because groups have one size, it is known,
// too, in each of them how far apart work-items take their elements: lanes load whole
// vectors and shuffle them, or find in registers what the step before has made
// (codegen/memory/words.h). In a loop they gather and scatter. LLVM's unroller does the
// work; it keeps away from barriers, which nobody may duplicate for a part of the items.
// All of them make the same rounds here. Other loops stay as they are, whatever the
// program says of them.
#include "compiler/workgroup/prepare/rounds/steps.h"

#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MOST_ROUNDS = 12, // up to 4,096 elements
    LEAST_ROUNDS = 3,
    MOST_INSTRUCTIONS = 800, // of all rounds
    MOST_OF_KERNEL = 1600,   // of all rounds of all such loops
    MOST_BITS = 64,
    MAX_DEPTH = 6, // of the arithmetic of an address
};

struct loop {
    const struct tf_cfg *cfg;
    unsigned number;
    LLVMBasicBlockRef head, latch;
    unsigned instructions;
};

// ---- numbers that each round changes

// A phi of the head that starts with a constant and is changed by another one.
struct counter {
    LLVMValueRef phi, next;
    LLVMOpcode opcode;
    uint64_t value, by, mask;
};

static bool is_constant(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= MOST_BITS;
}

static bool read_counter(const struct loop *l, LLVMValueRef phi, struct counter *c)
{
    unsigned back;
    LLVMValueRef start;

    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != l->head ||
        LLVMCountIncoming(phi) != 2)
        return false;
    back = LLVMGetIncomingBlock(phi, 1) == l->latch;
    start = LLVMGetIncomingValue(phi, !back);
    c->phi = phi;
    c->next = LLVMGetIncomingValue(phi, back);
    if (!is_constant(start) || !LLVMIsABinaryOperator(c->next) ||
        LLVMGetOperand(c->next, 0) != phi || !is_constant(LLVMGetOperand(c->next, 1)))
        return false;
    c->opcode = LLVMGetInstructionOpcode(c->next);
    c->value = LLVMConstIntGetZExtValue(start);
    c->by = LLVMConstIntGetZExtValue(LLVMGetOperand(c->next, 1));
    c->mask = UINT64_MAX >> (MOST_BITS - LLVMGetIntTypeWidth(LLVMTypeOf(phi)));
    return true;
}

// Twice as much in each round, or half.
static bool is_geometric(const struct counter *c)
{
    switch ((int)c->opcode) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return c->by == 1;
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
        return c->by == 2;
    default:
        return false;
    }
}

// Of numbers without sign; what has one is not negative here.
static uint64_t after(const struct counter *c, uint64_t value)
{
    switch ((int)c->opcode) {
    case LLVMShl:
    case LLVMMul:
        return (value << 1) & c->mask;
    default:
        return value >> 1;
    }
}

static bool holds(LLVMIntPredicate predicate, uint64_t a, uint64_t b)
{
    switch ((int)predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
    case LLVMIntSGT:
        return a > b;
    case LLVMIntUGE:
    case LLVMIntSGE:
        return a >= b;
    case LLVMIntULT:
    case LLVMIntSLT:
        return a < b;
    default:
        return a <= b;
    }
}

// What the branch at the end of the loop tells of the number of rounds. 0: too many, or
// unknown.
static unsigned count_rounds(const struct loop *l)
{
    const LLVMValueRef branch = LLVMGetBasicBlockTerminator(l->latch);
    const bool goes_on_if = LLVMGetSuccessor(branch, 0) == l->head;
    const LLVMValueRef test = LLVMGetCondition(branch);
    LLVMValueRef tested;
    struct counter c;
    uint64_t limit;

    if (!LLVMIsAICmpInst(test) || !is_constant(LLVMGetOperand(test, 1)))
        return 0;
    tested = LLVMGetOperand(test, 0);
    if (!read_counter(
            l, LLVMIsABinaryOperator(tested) ? LLVMGetOperand(tested, 0) : tested, &c) ||
        (tested != c.phi && tested != c.next) || !is_geometric(&c))
        return 0;
    limit = LLVMConstIntGetZExtValue(LLVMGetOperand(test, 1));
    if (c.value > c.mask >> 1 || limit > c.mask >> 1)
        return 0;
    for (unsigned rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
        const uint64_t next = after(&c, c.value);

        if (holds(LLVMGetICmpPredicate(test), tested == c.phi ? c.value : next, limit) !=
            goes_on_if)
            return rounds;
        c.value = next;
    }
    return 0;
}

// ---- what is known without the loop

// A phi of the head that a constant changes, from whatever is outside.
static bool is_counted(const struct loop *l, LLVMValueRef value)
{
    LLVMValueRef next;

    if (!LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != l->head ||
        LLVMCountIncoming(value) != 2)
        return false;
    next = LLVMGetIncomingValue(value, LLVMGetIncomingBlock(value, 1) == l->latch);
    return LLVMIsABinaryOperator(next) && LLVMGetOperand(next, 0) == value &&
           LLVMIsAConstant(LLVMGetOperand(next, 1));
}

// Whether it is another one in each round (*changes), by nothing but arithmetic. False:
// what else it is made of only the run knows.
static bool is_made_of_counters(const struct loop *l, LLVMValueRef value, unsigned depth,
                                bool *changes)
{
    if (!tf_cfg_makes(l->cfg, l->number, value))
        return true;
    if (is_counted(l, value)) {
        *changes = true;
        return true;
    }
    if (depth == MAX_DEPTH || !(LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
                                LLVMIsAGetElementPtrInst(value)))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_made_of_counters(l, LLVMGetOperand(value, i), depth + 1, changes))
            return false;
    }
    return true;
}

// An access of local memory at a place that is known as soon as the round is.
static bool is_placed(const struct loop *l, LLVMValueRef i)
{
    LLVMValueRef pointer;
    bool changes = false;

    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return false;
    pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TF_AS_LOCAL &&
           is_made_of_counters(l, pointer, 0, &changes) && changes;
}

static bool learns_places(const struct loop *l)
{
    for (unsigned b = 0; b < l->cfg->block_count; b++) {
        if (!tf_cfg_in_loop(l->cfg, l->number, b))
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, l->cfg->blocks[b].block)
        {
            if (is_placed(l, i))
                return true;
        }
    }
    return false;
}

// ---- which loops

// The only way out is at the end of a round, and no loop is inside.
static bool read_loop(const struct tf_cfg *cfg, unsigned loop, struct loop *l)
{
    bool has_barrier = false;

    *l = (struct loop){
        .cfg = cfg, .number = loop, .head = cfg->blocks[cfg->loops[loop].head].block};
    for (unsigned b = 0; b < cfg->block_count; b++) {
        const struct tf_cfg_block *block = &cfg->blocks[b];
        unsigned inside = 0;

        if (!tf_cfg_in_loop(cfg, loop, b))
            continue;
        if (block->loop != loop)
            return false;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block->block)
        {
            has_barrier |= tf_root_of(i) == TF_ROOT_BARRIER;
            l->instructions++;
        }
        for (unsigned k = 0; k < block->succ_count; k++)
            inside += tf_cfg_in_loop(cfg, loop, block->succs[k]);
        if (inside == block->succ_count)
            continue;
        if (l->latch || inside != 1 || block->succ_count != 2)
            return false;
        l->latch = block->block;
    }
    return has_barrier && l->latch && cfg->loops[loop].latch_count == 1 &&
           tf_cfg_condition(cfg, tf_cfg_number(cfg, l->latch)) &&
           (LLVMGetSuccessor(LLVMGetBasicBlockTerminator(l->latch), 0) == l->head ||
            LLVMGetSuccessor(LLVMGetBasicBlockTerminator(l->latch), 1) == l->head);
}

// Instructions of all rounds; 0: the loop stays.
static unsigned cost_of(const struct tf_cfg *cfg, unsigned loop, struct loop *l)
{
    LLVMValueRef said;
    unsigned rounds;

    if (!read_loop(cfg, loop, l))
        return 0;
    said = tf_ir_loop_said(LLVMGetBasicBlockTerminator(l->latch));
    rounds = count_rounds(l);
    if ((said && !tf_ir_loop_says_nothing(said)) || rounds < LEAST_ROUNDS ||
        rounds * l->instructions > MOST_INSTRUCTIONS || !learns_places(l))
        return 0;
    return rounds * l->instructions;
}

// ---- loops that stay

// The end of a round, what the program said of its loop, and what stands there meanwhile.
struct kept {
    LLVMValueRef end, said, mark;
};

struct kept_loops {
    struct kept *all;
    unsigned count;
};

static bool is_end_of_round(const struct tf_cfg *cfg, unsigned block)
{
    const struct tf_cfg_block *b = &cfg->blocks[block];

    for (unsigned k = 0; k < b->succ_count; k++) {
        for (unsigned l = b->loop; l != TF_CFG_NONE; l = cfg->loops[l].parent) {
            if (cfg->loops[l].head == b->succs[k])
                return true;
        }
    }
    return false;
}

// All but those that are marked.
static struct kept_loops keep_others(const struct tf_cfg *cfg, struct tf_arena *arena,
                                     const bool *chosen)
{
    struct kept_loops kept = {.all = TF_ARENA_NEW(arena, struct kept, cfg->block_count)};

    for (unsigned b = 0; b < cfg->block_count; b++) {
        struct kept *k = &kept.all[kept.count];

        if (chosen[b] || !is_end_of_round(cfg, b))
            continue;
        k->end = LLVMGetBasicBlockTerminator(cfg->blocks[b].block);
        k->said = tf_ir_loop_said(k->end);
        tf_ir_mark_loop(k->end, TF_IR_NO_UNROLLING);
        k->mark = tf_ir_loop_said(k->end);
        kept.count++;
    }
    return kept;
}

// By their marks: who knows which blocks there are now.
static void let_go(LLVMValueRef fn, const struct kept_loops *kept)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b;
         b = LLVMGetNextBasicBlock(b)) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        const LLVMValueRef mark = tf_ir_loop_said(end);

        for (unsigned k = 0; mark && k < kept->count; k++) {
            if (kept->all[k].mark == mark)
                tf_ir_loop_say(end, kept->all[k].said);
        }
    }
}

// ---- the change

static void mark_barriers(LLVMValueRef fn, bool single)
{
    static const char name[] = "noduplicate";
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(fn));
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof(name) - 1);
    const LLVMValueRef root =
        LLVMGetNamedFunction(LLVMGetGlobalParent(fn), tf_root_name(TF_ROOT_BARRIER));

    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (tf_root_of(i) != TF_ROOT_BARRIER)
            continue;
        LLVMRemoveCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, kind);
        if (single)
            LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex,
                                     LLVMCreateEnumAttribute(context, kind, 0));
    }
    if (single)
        tf_ir_add_attribute(root, name);
    else
        tf_ir_remove_attribute(root, name);
}

// Marks the loops, and the blocks that end their rounds in `chosen`. False: there are
// none.
static bool choose(const struct tf_cfg *cfg, bool *chosen)
{
    unsigned left = MOST_OF_KERNEL;

    for (unsigned k = 0; k < cfg->loop_count; k++) {
        struct loop l;
        const unsigned cost = cost_of(cfg, k, &l);

        if (cost == 0 || cost > left)
            continue;
        left -= cost;
        tf_ir_mark_loop(LLVMGetBasicBlockTerminator(l.latch), TF_IR_FULL_UNROLLING);
        chosen[tf_cfg_number(cfg, l.latch)] = true;
    }
    return left < MOST_OF_KERNEL;
}

bool tf_prepare_steps(struct tf_wg *wg, LLVMValueRef fn, bool *ok)
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    bool found = false, *chosen;

    *ok = true;
    if (tf_cfg_init(&cfg, &arena, fn)) {
        chosen = TF_ARENA_NEW(&arena, bool, cfg.block_count);
        found = choose(&cfg, chosen);
        if (found) {
            const struct kept_loops kept = keep_others(&cfg, &arena, chosen);

            mark_barriers(fn, false);
            *ok = tf_wg_run_on(wg, fn, "loop-simplify,lcssa,loop(loop-unroll-full)");
            mark_barriers(fn, true);
            let_go(fn, &kept);
        }
    }
    tf_arena_finish(&arena);
    return found;
}
