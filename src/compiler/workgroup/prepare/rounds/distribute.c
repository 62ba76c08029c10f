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
// by others. Sums are phis that nothing else in the loop depends on (distribute_parts.c).
#include "compiler/workgroup/prepare/rounds/distribute.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/effects.h"
#include "compiler/workgroup/prepare/rounds/distribute_parts.h"

// ---- what the loop is

static bool is_plain(const struct tf_value *v)
{
    return v->opcode == LLVMCall ? v->elementwise != NULL
                                 : tf_writes_nothing(v->instruction);
}

static bool find_blocks(struct tf_loop_parts *l, unsigned loop)
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
           (b->succs[0] == head) != (b->succs[1] == head) &&
           l->count <= TF_LOOP_MOST_VALUES &&
           LLVMIsABranchInst(LLVMGetBasicBlockTerminator(l->block));
}

static bool is_used_rightly(const struct tf_loop_parts *l, LLVMValueRef value)
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

static bool is_simple(const struct tf_loop_parts *l)
{
    for (unsigned i = 0; i < l->count; i++) {
        if (!is_plain(&l->values[i]) || !is_used_rightly(l, l->values[i].instruction))
            return false;
    }
    return true;
}

// ---- the change

// The loop once more, between two others.
struct copy {
    LLVMBasicBlockRef before, block, behind;
    LLVMValueRef *made; // per value
};

static LLVMValueRef in_copy(const struct tf_loop_parts *l, const struct copy *c,
                            LLVMValueRef value)
{
    const unsigned number = tf_loop_number(l, tf_shape_value(l->s, value));

    return number == TF_LOOP_MOST_VALUES ? value : c->made[number];
}

static void copy_value(const struct tf_loop_parts *l, LLVMBuilderRef b, struct copy *c,
                       unsigned i)
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

static void connect(const struct tf_loop_parts *l, const struct copy *c, unsigned i)
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

static LLVMBasicBlockRef new_block(const struct tf_loop_parts *l)
{
    return LLVMInsertBasicBlockInContext(
        LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(l->after))), l->after, "");
}

static void copy_loop(const struct tf_loop_parts *l, LLVMBuilderRef b, struct copy *c)
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
static unsigned part_of(const struct tf_loop_parts *l, LLVMValueRef value)
{
    const unsigned number = tf_loop_number(l, tf_shape_value(l->s, value));
    unsigned part = TF_LOOP_MOST_PARTS;

    if (number == TF_LOOP_MOST_VALUES)
        return 0;
    for (unsigned i = 0; i < l->sum_count; i++) {
        if (!tf_loop_has(&l->sums[i].needed, number))
            continue;
        if (part != TF_LOOP_MOST_PARTS && part != l->sums[i].part)
            return 0;
        part = l->sums[i].part;
    }
    return part == TF_LOOP_MOST_PARTS ? 0 : part;
}

// The phis behind the loop: each at the end of the loop that makes its value.
static void settle_results(const struct tf_loop_parts *l, LLVMBuilderRef b,
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

static void distribute(const struct tf_loop_parts *l, LLVMBuilderRef b)
{
    struct copy copies[TF_LOOP_MOST_PARTS] = {{.before = l->before, .block = l->block}};
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

static bool look_at(struct tf_loop_parts *l, unsigned loop)
{
    return !l->s->divergent[loop] && tf_facts_weight(l->f, l->f->cfg.loops[loop].head) &&
           find_blocks(l, loop) && is_simple(l) && tf_loop_find_parts(l);
}

bool tf_prepare_distribute(const struct tf_facts *facts, const struct tf_target *target)
{
    const LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(facts->of.fn));
    struct tf_arena arena = {0};
    struct tf_loop_parts *l;
    LLVMBuilderRef b;
    bool any = false;

    if (facts->unfit[0])
        return false;
    b = LLVMCreateBuilderInContext(context);
    l = TF_ARENA_NEW(&arena, struct tf_loop_parts, 1);
    for (unsigned i = 0; i < facts->cfg.loop_count; i++) {
        *l = (struct tf_loop_parts){
            .arena = &arena, .f = facts, .s = &facts->usual, .target = target};
        if (look_at(l, i)) {
            distribute(l, b);
            any = true;
        }
    }
    LLVMDisposeBuilder(b);
    tf_arena_finish(&arena);
    return any;
}
