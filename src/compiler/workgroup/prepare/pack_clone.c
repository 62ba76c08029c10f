// SPDX-License-Identifier: MIT
// One work-item of each of G rows in one function: what rows share is there once, the
// rest G times, row after row.
#include "compiler/ir/roots.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/prepare.h"

struct clone {
    const struct tf_pack *pack;
    const struct tf_shapes *s;
    LLVMValueRef from;
    struct tf_wg *wg;
    LLVMBuilderRef b;
    LLVMValueRef to;
    LLVMBasicBlockRef *starts, *ends; // per block of the old function
    LLVMValueRef *made;               // per value and row
};

static LLVMValueRef *made_of(struct clone *c, const struct tf_value *v)
{
    return &c->made[(size_t)(v - c->s->values) * TF_PACK_MAX_ROWS];
}

static bool is_shared(const struct clone *c, const struct tf_value *v)
{
    return c->pack->kinds[v - c->s->values] == TF_PACK_SHARED;
}

static unsigned rows_of(const struct clone *c, const struct tf_value *v)
{
    return is_shared(c, v) ? 1 : c->pack->rows;
}

static LLVMValueRef in_row(struct clone *c, LLVMValueRef value, unsigned row)
{
    const struct tf_value *v = tf_shape_value(c->s, value);

    if (v)
        return made_of(c, v)[is_shared(c, v) ? 0 : row];
    for (unsigned i = 0; LLVMIsAArgument(value) && i < TF_ITEM_PARAMS; i++) {
        if (LLVMGetParam(c->from, i) == value)
            return LLVMGetParam(c->to, i);
    }
    return value;
}

static void add_clone(struct clone *c, const struct tf_value *v, unsigned row)
{
    const LLVMValueRef copy = LLVMInstructionClone(v->instruction);

    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy); k++) {
        const LLVMValueRef operand = LLVMGetOperand(copy, k);

        if (tf_shape_value(c->s, operand) || LLVMIsAArgument(operand))
            LLVMSetOperand(copy, k, in_row(c, operand, row));
    }
    LLVMInsertIntoBuilder(c->b, copy);
    made_of(c, v)[row] = copy;
}

// Small launches: no id wraps.
static void add_ids(struct clone *c, const struct tf_value *v)
{
    LLVMValueRef *made = made_of(c, v);

    add_clone(c, v, 0);
    for (unsigned row = 1; row < rows_of(c, v); row++) {
        const LLVMTypeRef type = LLVMTypeOf(made[0]);

        made[row] = LLVMBuildNSWAdd(c->b, made[0], LLVMConstInt(type, row, false), "");
        LLVMSetNUW(made[row], true);
    }
}

// Its incoming values may not be there yet.
static void add_phi(struct clone *c, const struct tf_value *v, unsigned row)
{
    const LLVMValueRef phi = LLVMBuildPhi(c->b, LLVMTypeOf(v->instruction), "");

    if (LLVMCanValueUseFastMathFlags(v->instruction))
        LLVMSetFastMathFlags(phi, LLVMGetFastMathFlags(v->instruction));
    made_of(c, v)[row] = phi;
}

static void add_value(struct clone *c, const struct tf_value *v)
{
    if (tf_value_id(v) >= 0) {
        add_ids(c, v);
        return;
    }
    for (unsigned row = 0; row < rows_of(c, v); row++) {
        if (v->opcode == LLVMPHI)
            add_phi(c, v, row);
        else
            add_clone(c, v, row);
    }
}

static LLVMValueRef apart_function(struct clone *c)
{
    const LLVMTypeRef type = LLVMFunctionType(c->wg->void_type, NULL, 0, false);
    const LLVMValueRef fn =
        LLVMGetNamedFunction(c->wg->module, tf_root_name(TF_ROOT_APART));

    return fn ? fn : LLVMAddFunction(c->wg->module, tf_root_name(TF_ROOT_APART), type);
}

// Goes on where all rows have the same condition.
static void ask_rows(struct clone *c, LLVMValueRef condition)
{
    const LLVMBasicBlockRef apart =
        LLVMAppendBasicBlockInContext(c->wg->context, c->to, "apart");
    const LLVMBasicBlockRef same =
        LLVMAppendBasicBlockInContext(c->wg->context, c->to, "same");
    const LLVMValueRef fn = apart_function(c), first = in_row(c, condition, 0);
    LLVMValueRef differ = NULL;

    for (unsigned row = 1; row < c->pack->rows; row++) {
        const LLVMValueRef other =
            LLVMBuildXor(c->b, first, in_row(c, condition, row), "");

        differ = differ ? LLVMBuildOr(c->b, differ, other, "") : other;
    }
    LLVMBuildCondBr(c->b, differ, apart, same);
    LLVMPositionBuilderAtEnd(c->b, apart);
    LLVMBuildCall2(c->b, LLVMGlobalGetValueType(fn), fn, NULL, 0, "");
    LLVMBuildRetVoid(c->b);
    LLVMPositionBuilderAtEnd(c->b, same);
}

static void add_end(struct clone *c, unsigned block, LLVMValueRef end)
{
    const LLVMValueRef condition = tf_cfg_condition(c->s->cfg, block);
    const struct tf_value *v = tf_shape_value(c->s, end);
    LLVMValueRef copy;

    if (condition && tf_shape_value(c->s, condition) &&
        !is_shared(c, tf_shape_value(c->s, condition)))
        ask_rows(c, condition);
    add_clone(c, v, 0);
    copy = made_of(c, v)[0];
    for (unsigned k = 0; k < LLVMGetNumSuccessors(copy); k++)
        LLVMSetSuccessor(copy, k,
                         c->starts[tf_cfg_number(c->s->cfg, LLVMGetSuccessor(end, k))]);
    c->ends[block] = LLVMGetInsertBlock(c->b);
}

static void add_block(struct clone *c, unsigned block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(c->s->cfg->blocks[block].block);

    LLVMPositionBuilderAtEnd(c->b, c->starts[block]);
    for (; !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i))
        add_value(c, tf_shape_value(c->s, i));
    add_end(c, block, i);
}

static void fill_phi(struct clone *c, const struct tf_value *v, unsigned row)
{
    const LLVMValueRef phi = made_of(c, v)[row];

    for (unsigned k = 0; k < LLVMCountIncoming(v->instruction); k++) {
        const unsigned from =
            tf_cfg_number(c->s->cfg, LLVMGetIncomingBlock(v->instruction, k));
        LLVMValueRef value;

        if (from == TF_CFG_NONE)
            continue; // cannot be reached
        value = in_row(c, LLVMGetIncomingValue(v->instruction, k), row);
        LLVMAddIncoming(phi, &value, &c->ends[from], 1);
    }
}

LLVMValueRef tf_pack_clone(struct tf_wg *wg, const struct tf_pack *pack)
{
    const struct tf_shapes *s = pack->s;
    struct tf_arena arena = {0};
    struct clone c = {.pack = pack, .s = s, .wg = wg, .b = wg->builder};

    c.to = LLVMAddFunction(c.wg->module, "tf_packed", c.wg->item_type);
    c.from = pack->facts->of.fn;
    tf_wg_add_item_attrs(c.from, c.to);
    c.starts = TF_ARENA_NEW(&arena, LLVMBasicBlockRef, s->cfg->block_count);
    c.ends = TF_ARENA_NEW(&arena, LLVMBasicBlockRef, s->cfg->block_count);
    c.made =
        TF_ARENA_NEW(&arena, LLVMValueRef, (size_t)s->value_count * TF_PACK_MAX_ROWS);
    for (unsigned b = 0; b < s->cfg->block_count; b++)
        c.starts[b] = LLVMAppendBasicBlockInContext(c.wg->context, c.to, "");
    // In reverse postorder: but for phis, operands come first.
    for (unsigned b = 0; b < s->cfg->block_count; b++)
        add_block(&c, b);
    for (unsigned i = 0; i < s->value_count; i++) {
        const struct tf_value *v = &s->values[i];

        for (unsigned row = 0; v->opcode == LLVMPHI && row < rows_of(&c, v); row++)
            fill_phi(&c, v, row);
    }
    tf_arena_finish(&arena);
    return c.to;
}
