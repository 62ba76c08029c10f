// SPDX-License-Identifier: MIT
// What instructions, rounds of loops and waits cost for work-items one by one.
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/atomic.h"
#include "compiler/workgroup/plan/costing.h"

enum {
    // Out of the second cache, for what was in the first one. Zen 5: 66 to 165 tenths of
    // a cycle where lines are a power of two apart, none where all stay in the first.
    LINE = 15,
};

// Whether each item has an index of its own into its private memory.
static bool has_own_index(const struct tf_plan *p, const struct tf_value *load)
{
    const LLVMValueRef pointer = LLVMGetOperand(load->instruction, 0);

    return tf_private_of(&p->shapes->privates, pointer).unit_bytes &&
           tf_shape_of(p->shapes, pointer).kind == TF_SHAPE_VARYING;
}

bool tf_is_program_vector(const struct tf_value *v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v->instruction)) == LLVMVectorTypeKind;
}

// Vectors of the program are vectors in both forms.
static uint64_t cost_of_operation(const struct tf_costing *k, const struct tf_value *v)
{
    return (tf_is_program_vector(v) ? k->c->vector : k->c->scalar) *
           (1 + 8 * v->bytes / (k->p->target.vector_bits + 1));
}

static uint64_t cost_by_itself(const struct tf_costing *k, const struct tf_value *v)
{
    const struct tf_costs *c = k->c;
    uint64_t wait;

    switch ((int)v->opcode) {
    case LLVMPHI:
    case LLVMAlloca:
    case LLVMGetElementPtr:
    case LLVMZExt:
    case LLVMSExt:
        return 0;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return tf_atomic_is_local(v->instruction) ? c->local_atomic : c->atomic;
    case LLVMFDiv:
    case LLVMFRem:
        return c->scalar_division;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return LLVMIsAConstant(LLVMGetOperand(v->instruction, 1)) ? c->by_constant / 2
                                                                  : c->integer_division;
    case LLVMCall:
        if (v->is_marker || tf_value_id(v) >= 0)
            return 0;
        if (tf_is_square_root(v))
            return c->scalar_division;
        if (v->root == TF_ROOT_BARRIER)
            return c->barrier;
        if (!v->elementwise)
            return c->call;
        return tf_is_program_vector(v) ? 2 * cost_of_operation(k, v) : c->scalar;
    default:
        wait = v->opcode == LLVMLoad && has_own_index(k->p, v) ? c->own_wait : 0;
        return wait + cost_of_operation(k, v);
    }
}

static bool is_private(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer);
}

bool tf_is_far(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(p->shapes->layout, v->instruction);

    return !is_private(a.pointer) && !tf_access_is_local(&a);
}

static bool is_loop(const struct tf_plan *p, unsigned block)
{
    const struct tf_cfg_block *b = &p->cfg->blocks[block];

    for (unsigned i = 0; i < b->succ_count; i++) {
        if (b->succs[i] == block)
            return true;
    }
    return false;
}

// Whether each round of a loop loads out of another line of memory, which neighbours of
// the item load, too: `in[k * n + i]`. The next item finds these lines in the second
// cache, where they are many or a power of two apart, and lanes load them once for all.
static bool walks_down_a_column(const struct tf_costing *k, const struct tf_value *v)
{
    enum { NEAR_BYTES = 8, LINE_BYTES = 64 };
    const LLVMTargetDataRef layout = k->p->shapes->layout;
    const struct tf_access a = tf_access_of(layout, v->instruction);
    const struct tf_value *pointer;
    struct tf_shape shape;
    int64_t step;

    if (v->opcode != LLVMLoad || v->is_ordered || !is_loop(k->p, v->block))
        return false;
    shape = tf_shape_of(k->p->shapes, a.pointer);
    pointer = tf_shape_value(k->p->shapes, a.pointer);
    if (!pointer || pointer->block != v->block || shape.kind != TF_SHAPE_AFFINE ||
        shape.stride <= 0 || shape.stride > NEAR_BYTES ||
        (uint64_t)shape.stride != tf_access_bytes(&a) || !tf_is_far(k->p, v))
        return false;
    step = tf_place_step(layout, a.pointer, k->p->cfg->blocks[v->block].block);
    return step == 0 || step >= LINE_BYTES || step <= -LINE_BYTES;
}

uint64_t tf_cost_of_item(const struct tf_costing *k, const struct tf_value *v)
{
    return cost_by_itself(k, v) + (walks_down_a_column(k, v) ? LINE : 0);
}

// ---- loops and waits

// What LLVM's vectors of an item's own rounds take, of what the rounds take one by one: a
// vector costs twice a scalar, and has at most 256 bits.
uint64_t tf_cost_in_vectors(const struct tf_costing *k, unsigned block, uint64_t items)
{
    enum { MOST_BITS = 256 };
    const unsigned most = k->p->target.vector_bits;
    const unsigned bytes = (most < MOST_BITS ? most : MOST_BITS) / 8;
    uint64_t widest = 1;

    for (const struct tf_value *v = tf_block_first(k->p->shapes, block);
         v < tf_block_end(k->p->shapes, block); v++) {
        if (v->opcode == LLVMLoad || v->opcode == LLVMStore)
            widest = v->bytes > widest ? v->bytes : widest;
    }
    return items * k->c->vector * widest / (k->c->scalar * bytes);
}

bool tf_cost_rounds_are_apart(const struct tf_plan *p, unsigned block)
{
    return is_loop(p, block) &&
           tf_place_rounds_are_apart(p->shapes->layout, p->cfg->blocks[block].block);
}

// In a function without loops, which looks up in memory what it has found there, time and
// again: the next items fill what it leaves, as far as the processor looks ahead.
static uint64_t wait_of_looks(const struct tf_costing *k)
{
    const struct tf_plan *p = k->p;
    const uint64_t way =
        p->cfg->loop_count ? 0 : tf_item_way(&k->p->arena, p->shapes, k->c);
    uint64_t made = 0, operations, waited;

    for (unsigned b = 0; way > 0 && b < p->cfg->block_count; b++)
        made += k->items[b];
    operations = made / k->c->scalar;
    waited = operations < TF_AHEAD ? way * operations / TF_AHEAD : way;
    return waited > made ? waited - made : 0;
}

// What an item waits in loops beyond what its operations take.
uint64_t tf_cost_waits_of_item(const struct tf_costing *k)
{
    const struct tf_plan *p = k->p;
    const int *waits = tf_find_item_waits(&k->p->arena, p->shapes, k->c);
    uint64_t all = 0;

    for (unsigned l = 0; l < p->cfg->loop_count; l++) {
        const struct tf_cfg_loop *loop = &p->cfg->loops[l];
        const uint64_t wait =
            (uint64_t)waits[l] * tf_facts_weight(p->of.facts, loop->head);
        uint64_t made = 0;

        for (unsigned b = 0; waits[l] > 0 && b < p->cfg->block_count; b++)
            made += loop->has[b] ? k->items[b] : 0;
        all += wait > made ? wait - made : 0;
    }
    return all + wait_of_looks(k);
}
