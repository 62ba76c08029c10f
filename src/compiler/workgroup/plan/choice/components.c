// SPDX-License-Identifier: MIT
// Vectors of the program in lanes. Of <N x T> lanes make one <W*N x T>, lane after lane:
// right for what treats all components alike, as memory has them in that order. What
// takes components out, puts them in or mixes them (dot products, swizzles) would shuffle
// registers each time; taken apart before, components are scalars, each a vector of W
// lanes, and the shuffles are those of loads and stores alone.
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/plan/choice/choose.h"

enum {
    SMALLEST_BYTES = 4, // of components: smaller ones have no strided accesses
    INSERT = 2,         // operations for each register: spreading and blending
    // Of one vector in lanes: all components of sixteen numbers, as ciphers and small
    // matrices have them. Wider ones leave too few registers for each.
    MOST_REGISTERS = 16,
    GATHERED_BYTES = 16, // of a vector that each lane loads at once
};

// Operations on registers, weighted by the depth of loops.
struct shuffles {
    uint64_t whole, apart; // as one vector, and component by component
    bool possible;
};

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

// Registers times the steps of a transposition.
static uint64_t transposition(const struct tf_plan *p, LLVMTypeRef type)
{
    unsigned steps = 0;

    while ((1u << steps) < LLVMGetVectorSize(type))
        steps++;
    return tf_plan_registers(p, type) * steps;
}

// Lanes load such a vector one by one, whole and taken apart (strip.c).
static bool is_strip(const struct tf_value *v, const struct tf_access *a)
{
    return v->opcode == LLVMLoad && a->count * a->element_bytes == GATHERED_BYTES;
}

static void count_access(const struct tf_plan *p, const struct tf_value *v,
                         uint64_t weight, struct shuffles *s)
{
    const struct tf_access a = tf_access_of(p->shapes->layout, v->instruction);
    const struct tf_shape shape = tf_shape_of(p->shapes, a.pointer);
    const bool strided = shape.kind == TF_SHAPE_AFFINE &&
                         shape.stride >= (int64_t)(a.count * a.element_bytes);

    if (!is_vector(a.type) || tf_is_uniform(p->shapes, a.pointer))
        return;
    if (a.element_bytes < SMALLEST_BYTES || !(strided || is_strip(v, &a)) ||
        tf_access_is_ordered(v->instruction))
        s->possible = false;
    s->apart += weight * transposition(p, a.type);
}

static void count_call(const struct tf_value *v, struct shuffles *s)
{
    bool has_vector = is_vector(LLVMTypeOf(v->instruction));

    for (int i = 0; i < LLVMGetNumOperands(v->instruction) - 1; i++)
        has_vector |= is_vector(LLVMTypeOf(LLVMGetOperand(v->instruction, (unsigned)i)));
    if (has_vector && !v->elementwise)
        s->possible = false;
}

static void count(const struct tf_plan *p, const struct tf_value *v, uint64_t weight,
                  struct shuffles *s)
{
    const LLVMValueRef i = v->instruction;
    const LLVMTypeRef type = LLVMTypeOf(i);

    switch ((int)v->opcode) {
    case LLVMLoad:
    case LLVMStore:
        count_access(p, v, weight, s);
        return;
    case LLVMCall:
        count_call(v, s);
        return;
    default:
        break;
    }
    if (v->shape.kind != TF_SHAPE_VARYING)
        return;
    switch ((int)v->opcode) {
    case LLVMExtractElement:
        s->whole += weight * tf_plan_registers(p, LLVMTypeOf(LLVMGetOperand(i, 0)));
        s->possible &= LLVMIsConstant(LLVMGetOperand(i, 1));
        break;
    case LLVMInsertElement:
        s->whole += weight * INSERT * tf_plan_registers(p, type);
        s->possible &= LLVMIsConstant(LLVMGetOperand(i, 2));
        break;
    case LLVMShuffleVector:
        s->whole += weight * tf_plan_registers(p, type);
        break;
    case LLVMBitCast:
        s->possible &= is_vector(type) == is_vector(LLVMTypeOf(LLVMGetOperand(i, 0)));
        break;
    default:
        break;
    }
}

bool tf_plan_mixes_components(const struct tf_plan *p)
{
    struct shuffles s = {.possible = p->widest <= MOST_REGISTERS};

    for (unsigned i = 0; i < p->shapes->value_count && s.possible; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        count(p, v, tf_facts_weight(p->of.facts, v->block), &s);
    }
    return s.possible && s.whole > s.apart;
}
