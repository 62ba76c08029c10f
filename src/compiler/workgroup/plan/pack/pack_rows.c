// SPDX-License-Identifier: MIT
// What the rows of a pack have in common, and whether they can be one.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/pack/pack.h"

// Rows of longer kernels (reads of images by any sampler) have no room in the registers;
// to find that out two copies are made and simplified, a seventh of the time of the code.
enum { MOST_VALUES = 500 };

// ---- kinds

static enum tf_pack_kind kind_of(const struct tf_pack *p, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(p->s, value);

    return v ? (enum tf_pack_kind)p->kinds[v - p->s->values] : TF_PACK_SHARED;
}

static enum tf_pack_kind kind_of_operands(const struct tf_pack *p, LLVMValueRef i)
{
    enum tf_pack_kind most = TF_PACK_SHARED;

    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        const LLVMValueRef operand = LLVMGetOperand(i, k);
        const enum tf_pack_kind kind =
            LLVMValueIsBasicBlock(operand) ? TF_PACK_SHARED : kind_of(p, operand);

        most = kind > most ? kind : most;
    }
    return most;
}

static bool is_truth(LLVMValueRef i)
{
    const LLVMTypeRef type = LLVMTypeOf(i);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static bool is_product_of_rows(const struct tf_pack *p, const struct tf_value *v)
{
    return v->opcode == LLVMMul &&
           kind_of(p, LLVMGetOperand(v->instruction, 0)) != TF_PACK_SHARED &&
           kind_of(p, LLVMGetOperand(v->instruction, 1)) != TF_PACK_SHARED;
}

// Whether the result is affine in the row's number if the operands are.
static bool keeps_affine(const struct tf_pack *p, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMGetElementPtr:
    case LLVMFreeze:
    case LLVMICmp:
        return true;
    case LLVMMul:
        return !is_product_of_rows(p, v);
    case LLVMShl:
        return kind_of(p, LLVMGetOperand(v->instruction, 1)) == TF_PACK_SHARED;
    case LLVMOr:
        return is_truth(v->instruction) || LLVMGetIsDisjoint(v->instruction);
    case LLVMAnd:
    case LLVMXor:
    case LLVMSelect:
        return is_truth(v->instruction);
    case LLVMCall:
        return v->root == TF_ROOT_INSIDE;
    default:
        return false;
    }
}

static enum tf_pack_kind transfer(const struct tf_pack *p, const struct tf_value *v)
{
    const int id = tf_lane_id(p->s, v);
    enum tf_pack_kind kind;

    if (id >= 0)
        return id % 3 == 1 ? TF_PACK_AFFINE : TF_PACK_SHARED;
    if (v->opcode == LLVMAlloca)
        return TF_PACK_APIECE;
    kind = kind_of_operands(p, v->instruction);
    return kind == TF_PACK_AFFINE && !keeps_affine(p, v) ? TF_PACK_APIECE : kind;
}

static void find_kinds(struct tf_pack *p)
{
    const struct tf_shapes *s = p->s;
    bool changed = true;

    while (changed) {
        changed = false;
        for (unsigned i = 0; i < s->value_count; i++) {
            const enum tf_pack_kind kind = transfer(p, &s->values[i]);

            changed |= kind > p->kinds[i];
            p->kinds[i] = kind > p->kinds[i] ? (unsigned char)kind : p->kinds[i];
        }
    }
}

// ---- what rows can do together

static bool is_plain_call(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.memcpy.", "llvm.memmove.", "llvm.memset.",
                                        "llvm.vector.reduce."};
    const char *name = tf_ir_called_name(call);

    if (tf_is_marker(call) || tf_shape_root(call) >= 0 ||
        tf_root_of(call) == TF_ROOT_INSIDE || tf_is_elementwise(call))
        return true;
    for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    }
    return false;
}

static bool can_be_packed(const struct tf_pack *p, const struct tf_value *v)
{
    // Fences stand beside barriers: atomics, for which others would be there, have no
    // packs.
    if (tf_is_barrier(v) || (v->opcode == LLVMFence && p->facts->has_barrier))
        return true;
    switch ((int)v->opcode) {
    case LLVMLoad:
    case LLVMStore:
        return !tf_access_is_ordered(v->instruction);
    case LLVMCall:
        return is_plain_call(v->instruction);
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMVAArg:
        return false;
    default:
        return !LLVMIsATerminatorInst(v->instruction) || v->opcode == LLVMBr ||
               v->opcode == LLVMRet;
    }
}

// Marks the block and what it reaches.
static void mark_reached(const struct tf_pack *p, unsigned block, bool *reached,
                         bool *marks)
{
    marks[block] = true;
    tf_cfg_reach(p->s->cfg, block, TF_CFG_NONE, reached);
    for (unsigned b = 0; b < p->s->cfg->block_count; b++)
        marks[b] |= reached[b];
}

// Whether the loop ends at a constant, as those round the neighbours of an item do: the
// row then meets the limits of the loop at borders only.
static bool has_constant_end(const struct tf_cfg *cfg, unsigned loop)
{
    for (unsigned b = 0; b < cfg->block_count; b++) {
        const LLVMValueRef condition = tf_cfg_condition(cfg, b);
        bool leaves = false;

        if (!cfg->loops[loop].has[b])
            continue;
        for (unsigned k = 0; k < cfg->blocks[b].succ_count; k++)
            leaves |= !cfg->loops[loop].has[cfg->blocks[b].succs[k]];
        if (leaves && !(condition && LLVMIsAICmpInst(condition) &&
                        LLVMIsAConstantInt(LLVMGetOperand(condition, 1))))
            return false;
    }
    return true;
}

// Marks the blocks at whose end something may have been written, or that stand in or
// behind a loop.
static bool *find_late(struct tf_pack *p, bool loops_count)
{
    const struct tf_facts *f = p->facts;
    bool *late = TF_ARENA_NEW(&p->arena, bool, f->cfg.block_count);
    bool *reached = TF_ARENA_NEW(&p->arena, bool, f->cfg.block_count);

    for (unsigned b = 0; b < f->cfg.block_count; b++)
        late[b] = f->acts[b] || f->late[b];
    for (unsigned l = 0; loops_count && l < f->cfg.loop_count; l++) {
        if (!late[f->cfg.loops[l].head] && !has_constant_end(&f->cfg, l))
            mark_reached(p, f->cfg.loops[l].head, reached, late);
    }
    return late;
}

// Whether rows go the same way, or may be asked.
static bool can_branch(const struct tf_pack *p, unsigned block, const bool *late,
                       bool forced)
{
    const LLVMValueRef condition = tf_cfg_condition(p->s->cfg, block);
    const enum tf_pack_kind kind = condition ? kind_of(p, condition) : TF_PACK_SHARED;

    if (kind == TF_PACK_SHARED)
        return true;
    // Nothing can start again that others of the group wait for.
    if (p->facts->has_barrier)
        return false;
    return !late[block] && p->s->region_of[block] == TF_CFG_NONE &&
           tf_is_uniform(p->s, condition) && (forced || kind == TF_PACK_AFFINE);
}

static void find_sharing(struct tf_pack *p)
{
    const struct tf_shapes *s = p->s;

    for (unsigned i = 0; i < s->value_count; i++) {
        const struct tf_value *v = &s->values[i];

        p->has_work |= p->kinds[i] != TF_PACK_SHARED && v->opcode != LLVMAlloca;
        if (v->opcode == LLVMLoad && p->kinds[i] == TF_PACK_SHARED &&
            v->shape.kind == TF_SHAPE_VARYING &&
            p->s->cfg->blocks[v->block].loop != TF_CFG_NONE)
            p->shares_vectors = true;
    }
}

// Rows of a kernel that never asks for its row do all the same: it is meant for ranges of
// one dimension.
static bool asks_for_row(const struct tf_shapes *s)
{
    for (unsigned i = 0; i < s->value_count; i++) {
        const int id = tf_lane_id(s, &s->values[i]);

        if (id >= 0 && id % 3 == 1)
            return true;
    }
    return false;
}

bool tf_pack_init(struct tf_pack *pack, const struct tf_facts *facts, unsigned rows,
                  bool forced)
{
    const struct tf_shapes *s = &facts->usual;
    const bool *late;

    *pack = (struct tf_pack){.facts = facts, .s = s, .rows = rows};
    if (!asks_for_row(s) || (!forced && s->value_count > MOST_VALUES))
        return false;
    pack->kinds = TF_ARENA_NEW(&pack->arena, unsigned char, s->value_count);
    for (unsigned i = 0; i < s->value_count; i++) {
        if (!can_be_packed(pack, &s->values[i]))
            return false;
    }
    find_kinds(pack);
    find_sharing(pack);
    if (!pack->has_work)
        return false;
    late = find_late(pack, !forced);
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (!can_branch(pack, b, late, forced))
            return false;
    }
    return true;
}

void tf_pack_finish(struct tf_pack *pack)
{
    tf_arena_finish(&pack->arena);
}

bool tf_pack_is_possible(const struct tf_facts *facts)
{
    struct tf_pack pack;
    const bool is_possible = tf_pack_init(&pack, facts, 2, false);

    tf_pack_finish(&pack);
    return is_possible;
}
