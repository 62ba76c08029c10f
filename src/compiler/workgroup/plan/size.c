// SPDX-License-Identifier: MIT
// How many registers the values of a plan take, and how large its code is.
#include <limits.h>

#include "compiler/ir/vector/high_product.h"
#include "compiler/workgroup/plan/bundle.h"
#include "compiler/workgroup/plan/plan.h"

enum {
    // Vector instructions of one gang: LLVM's time grows with them.
    MAX_INSTRUCTIONS = 1200,
    MAX_PRIVATE_BYTES = 16 << 10, // half of the smallest cache
    MAX_STACK_BYTES = 4 << 20,    // more than the second cache; stacks end, too
    WIDE_BITS = 256,
};

uint64_t tf_plan_registers_of(const struct tf_plan *p, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    uint64_t bits;

    // Of indices that seldom wrap, and addresses made of them, lane 0's is all that is
    // wanted until they do.
    if (v->shape.kind != TF_SHAPE_VARYING || v->shape.unless || !LLVMTypeIsSized(type) ||
        (v->opcode != LLVMAlloca && tf_plan_form(p, v) == TF_FORM_NONE))
        return 0;
    bits = LLVMSizeOfTypeInBits(p->shapes->layout, type);
    if (bits == 1) // masks have registers of their own
        return 0;
    if (tf_is_within_high_products(v->instruction))
        bits /= 2;
    bits *= p->width;
    return (bits + p->target.vector_bits - 1) / p->target.vector_bits;
}

static uint64_t instructions(const struct tf_plan *p)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++)
        count += tf_plan_registers_of(p, &p->shapes->values[i]);
    return count;
}

uint64_t tf_plan_operations(const struct tf_plan *p)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (!p->of.facts->seldom[v->block] && v->opcode != LLVMBitCast)
            count += tf_plan_registers_of(p, v);
    }
    return count;
}

bool tf_plan_has_few_registers(const struct tf_plan *p)
{
    const bool in_halves = p->target.vector_bits > WIDE_BITS &&
                           p->target.costs.wide_at_once < p->target.costs.at_once;
    const unsigned halves = in_halves ? p->target.vector_bits / WIDE_BITS : 1;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (!p->of.facts->seldom[v->block] &&
            tf_plan_registers_of(p, v) * halves > TF_FEW_REGISTERS)
            return false;
    }
    return true;
}

// Of variables that stay in memory, for all lanes.
static uint64_t private_bytes(const struct tf_plan *p)
{
    uint64_t bytes = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->opcode == LLVMAlloca)
            bytes += tf_private_bytes(&p->shapes->privates, v->instruction) * p->width;
    }
    return bytes;
}

bool tf_plan_has_room_for_privates(const struct tf_plan *p)
{
    return private_bytes(p) <= MAX_STACK_BYTES;
}

// Whether single bytes of long strides are gathered into registers of 64 lanes: without
// an instruction for that, LLVM looks for ways to shuffle them for many seconds.
static bool shuffles_many_bytes(const struct tf_plan *p)
{
    enum { MOST_STEP = 8 };

    if (p->width * CHAR_BIT <= WIDE_BITS || p->target.vector_bits <= WIDE_BITS)
        return false;
    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_bundle *bundle = p->values[i].bundle;

        if (bundle && bundle->unit_bytes == 1 && bundle->step > MOST_STEP)
            return true;
    }
    return false;
}

bool tf_plan_is_small(const struct tf_plan *p)
{
    return !tf_plan_has_wide_values(p) && !shuffles_many_bytes(p) &&
           instructions(p) <= MAX_INSTRUCTIONS && private_bytes(p) <= MAX_PRIVATE_BYTES;
}
