// SPDX-License-Identifier: MIT
// What an instruction costs for all lanes: the target's table, applied to its form. What
// matters most are gathers: a processor does them lane by lane.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/vector/high_product.h"
#include "compiler/ir/vector/permutation.h"
#include "compiler/workgroup/analysis/operation/divisor.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/atomic.h"
#include "compiler/workgroup/plan/bundle.h"
#include "compiler/workgroup/plan/costing.h"
#include "compiler/workgroup/plan/permute.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    WORD_BYTES = 4,  // the least that processors gather and scatter
    WIDE_BYTES = 16, // of a product whose high half is taken
    // Operations that take the high half of a product, and that of a factor with a sign.
    HIGH_PRODUCT = 13,
    HIGH_SIGN = 3,
    PERMUTATION = 4, // bits that count, places of bytes, and the permutation
};

uint64_t tf_registers_for(const struct tf_plan *p, uint64_t bytes)
{
    const uint64_t bits = 8 * bytes * p->width, each = p->target.vector_bits;

    return bits <= each ? 1 : (bits + each - 1) / each;
}

uint64_t tf_plan_registers(const struct tf_plan *p, LLVMTypeRef type)
{
    return tf_registers_for(p, tf_size_bytes(p->shapes->layout, type));
}

// For the result, or for what is stored.
static uint64_t registers_of(const struct tf_costing *k, const struct tf_value *v)
{
    return tf_registers_for(k->p, v->bytes);
}

static bool is_masked(const struct tf_costing *k, unsigned block)
{
    return k->p->of.masked || k->p->shapes->region_of[block] != TF_CFG_NONE;
}

// Gathered without an instruction: under no mask there is no lane to leave out.
static unsigned cost_of_slow_element(const struct tf_costing *k, unsigned block)
{
    return is_masked(k, block) ? k->c->slow_element : k->c->own_element;
}

// Gathers of all lanes are taken apart where that is faster (codegen/memory/gathers.h).
static unsigned cost_of_gathered(const struct tf_costing *k, unsigned block)
{
    const unsigned gather = k->c->gather, singly = k->c->own_element;

    return singly < gather && !is_masked(k, block) ? singly : gather;
}

static unsigned cost_of_element(const struct tf_costing *k, enum tf_form form,
                                const struct tf_value *v)
{
    const struct tf_target *t = &k->p->target;
    const bool is_store = v->opcode == LLVMStore;
    const uint64_t bytes = v->bytes;

    switch ((int)form) {
    case TF_FORM_OWN_SINGLY:
        return is_store ? k->c->own_store : k->c->own_element;
    case TF_FORM_GATHER:
        return t->gathers && bytes >= WORD_BYTES ? cost_of_gathered(k, v->block)
                                                 : cost_of_slow_element(k, v->block);
    case TF_FORM_OWN_GATHER:
    case TF_FORM_OWN_WORDS:
        return cost_of_gathered(k, v->block);
    case TF_FORM_SCATTER:
        return t->scatters && bytes >= WORD_BYTES ? k->c->scatter : k->c->own_store;
    default:
        return k->c->gather;
    }
}

// Each lane at an index of its own.
static uint64_t cost_of_elements(const struct tf_costing *k, const struct tf_value *v)
{
    return k->p->width * ((v->bytes + 7) / 8) *
           cost_of_element(k, tf_plan_form(k->p, v), v);
}

static uint64_t cost_of_bundle(const struct tf_costing *k, const struct tf_value *v)
{
    const struct tf_bundle *bundle = k->p->values[v - k->p->shapes->values].bundle;

    return (bundle->operations + bundle->count - 1) / bundle->count * k->c->vector;
}

static uint64_t cost_of_strip(const struct tf_costing *k, const struct tf_value *v)
{
    const struct tf_strip *strip = k->p->values[v - k->p->shapes->values].strip;

    return (uint64_t)tf_strip_operations(k->p, strip) * k->c->vector / strip->present;
}

bool tf_is_square_root(const struct tf_value *v)
{
    const struct tf_elementwise *e = v->elementwise;

    return e && e->name[0] == 's' && e->name[1] == 'q';
}

// Two shifts and a choice of bits where no operation rotates: below AVX-512, which
// scatters.
static bool is_rotation_in_three(const struct tf_costing *k, const struct tf_value *v)
{
    const struct tf_elementwise *e = v->elementwise;

    return e && !strncmp(e->name, "fsh", 3) && !k->p->target.scatters;
}

static uint64_t cost_of_intrinsic(const struct tf_costing *k, const struct tf_value *v)
{
    const uint64_t registers = registers_of(k, v);

    if (tf_is_square_root(v))
        return registers * k->c->division;
    return registers * (is_rotation_in_three(k, v) ? 3 : 2) * k->c->vector;
}

static uint64_t cost_of_division(const struct tf_costing *k, const struct tf_value *v)
{
    const uint64_t registers = registers_of(k, v);
    const uint64_t all = registers * (v->bytes > 2 ? 2 : 1);
    const bool by_one = tf_divisor_of(k->p->shapes, v).value != NULL;

    switch ((int)tf_plan_form(k->p, v)) {
    case TF_FORM_LONG_DIVISION:
        return k->c->branch +
               registers * (k->c->long_division + (by_one ? 0 : k->c->division));
    case TF_FORM_REAL_DIVISION:
        if (tf_is_uniform(k->p->shapes, LLVMGetOperand(v->instruction, 1)))
            return all * 4 * k->c->vector;
        return all * (k->c->division + 4 * k->c->vector);
    default:
        return LLVMIsAConstant(LLVMGetOperand(v->instruction, 1))
                   ? registers * k->c->by_constant
                   : k->p->width * k->c->integer_division;
    }
}

// A shuffle and an operation for each doubling of lanes.
static uint64_t cost_of_folding(const struct tf_costing *k, LLVMTypeRef type)
{
    uint64_t cost = 0;

    for (unsigned n = 1; n < k->p->width; n *= 2)
        cost += tf_plan_registers(k->p, type) * 2 * k->c->vector;
    return cost;
}

// What the lanes bring is folded, and what each of them would have found.
static uint64_t cost_of_one_atomic(const struct tf_costing *k, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    const bool folds =
        LLVMGetFirstUse(i) || !tf_is_uniform(k->p->shapes, LLVMGetOperand(i, 1));

    return (tf_atomic_is_local(i) ? k->c->local_atomic : k->c->atomic) +
           (folds ? cost_of_folding(k, LLVMTypeOf(i)) : 0);
}

static uint64_t cost_of_lane_loop(const struct tf_costing *k, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMCall:
        return k->p->width * (k->c->call + k->c->lane_loop);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (tf_is_mostly_one_atomic(k->p->shapes, v, k->p->width))
            return k->c->branch + 2 * k->c->vector + cost_of_one_atomic(k, v);
        return k->p->width * (tf_atomic_is_local(v->instruction)
                                  ? k->c->local_atomic_lane
                                  : k->c->atomic + k->c->atomic_lane);
    case LLVMLoad:
    case LLVMStore:
        return k->p->width * (k->c->slow_element + k->c->lane_loop);
    default:
        return k->p->width * (k->c->scalar + k->c->lane_loop);
    }
}

static uint64_t cost_of_high_product(const struct tf_costing *k, const struct tf_value *v)
{
    const LLVMTypeRef wide =
        LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v->instruction)));
    struct tf_high_product product = {0};
    unsigned operations = HIGH_PRODUCT;

    (void)tf_high_product_of(v->instruction, &product);
    for (unsigned i = 0; i < 2; i++)
        operations += product.factors[i].has_sign ? HIGH_SIGN : 0;
    return tf_plan_registers(k->p, wide) * operations * k->c->vector;
}

static uint64_t cost_of_permutation(const struct tf_costing *k, const struct tf_value *v)
{
    struct tf_permutation p = {0};

    (void)tf_permutation_of(v->instruction, &p);
    return tf_registers_for(k->p, tf_permutation_bytes(&p)) * PERMUTATION * k->c->vector;
}

static uint64_t cost_of_vector(const struct tf_costing *k, const struct tf_value *v)
{
    const uint64_t registers = registers_of(k, v);

    if (tf_ir_is_division(v->opcode))
        return cost_of_division(k, v);
    if (v->bytes == WIDE_BYTES && tf_is_within_high_products(v->instruction))
        return 0;
    return registers * (v->opcode == LLVMFDiv || v->opcode == LLVMFRem ? k->c->division
                                                                       : k->c->vector);
}

static uint64_t cost_of_access(const struct tf_costing *k, const struct tf_value *v)
{
    const uint64_t all = registers_of(k, v) * k->c->vector;

    switch ((int)tf_plan_form(k->p, v)) {
    case TF_FORM_SIDE_BY_SIDE:
    case TF_FORM_ROW:
        return all;
    case TF_FORM_EITHER_WAY:
        return all + k->c->vector;
    case TF_FORM_WINDOW:
        return tf_window_operations(k->p, v) * k->c->vector;
    case TF_FORM_BUNDLE:
        return cost_of_bundle(k, v);
    case TF_FORM_STRIP:
        return cost_of_strip(k, v);
    case TF_FORM_TABLE:
        return tf_plan_table_operations(k->p, v) * k->c->vector;
    default:
        return cost_of_elements(k, v);
    }
}

uint64_t tf_cost_of_lanes(const struct tf_costing *k, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);

    if (k->p->values[v - k->p->shapes->values].locates)
        return 0;
    switch ((int)tf_plan_form(k->p, v)) {
    case TF_FORM_NONE:
    case TF_FORM_SCOPE:
    case TF_FORM_FREE:
    case TF_FORM_PHI:
    case TF_FORM_BARRIER:
    case TF_FORM_APART:
        return 0;
    case TF_FORM_ONE:
        return v->opcode == LLVMCall && LLVMGetTypeKind(type) == LLVMVoidTypeKind
                   ? k->c->call
                   : k->c->scalar;
    case TF_FORM_LAST_LANE:
    case TF_FORM_INSIDE:
    case TF_FORM_FETCH:
        return k->c->scalar;
    case TF_FORM_VECTOR:
    case TF_FORM_REAL_DIVISION:
    case TF_FORM_LONG_DIVISION:
        return cost_of_vector(k, v);
    case TF_FORM_HIGH_PRODUCT:
        return cost_of_high_product(k, v);
    case TF_FORM_PERMUTATION:
        return cost_of_permutation(k, v);
    case TF_FORM_INTRINSIC:
        return cost_of_intrinsic(k, v);
    case TF_FORM_SHUFFLE:
        return tf_plan_registers(k->p, LLVMTypeOf(LLVMGetOperand(v->instruction, 0))) *
               k->c->vector;
    case TF_FORM_UNROLLED:
        return k->p->width * 2 * k->c->vector;
    case TF_FORM_LANE_LOOP:
        return cost_of_lane_loop(k, v);
    case TF_FORM_ONE_ATOMIC:
        return cost_of_one_atomic(k, v);
    case TF_FORM_SUB_GROUP:
        return v->shape.kind == TF_SHAPE_VARYING ? cost_of_folding(k, type)
                                                 : k->c->scalar;
    default:
        return cost_of_access(k, v);
    }
}

// What an access costs more where an argument spaces the lanes out.
uint64_t tf_cost_of_spacing(const struct tf_costing *k, const struct tf_value *v)
{
    const enum tf_form far = k->p->values[v - k->p->shapes->values].far;
    uint64_t near, apart;

    if (!tf_plan_spacing_of(k->p, v))
        return 0;
    near = cost_of_access(k, v);
    apart = k->p->width * ((v->bytes + 7) / 8) * cost_of_element(k, far, v);
    return apart > near ? apart - near : 0;
}
