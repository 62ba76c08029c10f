// SPDX-License-Identifier: MIT
// What a plan costs, for one gang as lanes and for its items one by one: the target's
// table, applied to the form of each instruction. What matters is the ratio, and gathers:
// a processor does them lane by lane.
#include <math.h>
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/vector/high_product.h"
#include "compiler/ir/vector/permutation.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/divisor.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/atomic.h"
#include "compiler/workgroup/plan/bundle.h"
#include "compiler/workgroup/plan/permute.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    MAX_REGISTERS = 4, // of one value
    WORD_BYTES = 4,    // the least that processors gather and scatter
    WIDE_BYTES = 16,   // of a product whose high half is taken
    // Operations that take the high half of a product, and that of a factor with a sign.
    HIGH_PRODUCT = 13,
    HIGH_SIGN = 3,
    PERMUTATION = 4, // bits that count, places of bytes, and the permutation
    AHEAD = 128,     // operations that wait or work at the same time
    // Out of the second cache, for what was in the first one. Zen 5: 66 to 165 tenths of
    // a cycle where lines are a power of two apart, none where all stay in the first.
    LINE = 15,
};

struct costing {
    struct tf_plan *p;
    const struct tf_costs *c;
    const bool *thins; // per loop: its lanes become fewer, round by round
    uint64_t *items;   // per block: of one item, to be filled in
};

static uint64_t registers_for(const struct tf_plan *p, uint64_t bytes)
{
    const uint64_t bits = 8 * bytes * p->width, each = p->target.vector_bits;

    return bits <= each ? 1 : (bits + each - 1) / each;
}

uint64_t tf_plan_registers(const struct tf_plan *p, LLVMTypeRef type)
{
    return registers_for(p, tf_size_bytes(p->shapes->layout, type));
}

// For the result, or for what is stored.
static uint64_t registers_of(const struct costing *k, const struct tf_value *v)
{
    return registers_for(k->p, v->bytes);
}

// ---- lanes

// Gathered without an instruction: under no mask there is no lane to leave out.
static unsigned cost_of_slow_element(const struct costing *k, unsigned block)
{
    return k->p->of.masked || k->p->shapes->region_of[block] != TF_CFG_NONE
               ? k->c->slow_element
               : k->c->own_element;
}

static unsigned cost_of_element(const struct costing *k, enum tf_form form,
                                const struct tf_value *v)
{
    const struct tf_target *t = &k->p->target;
    const bool is_store = v->opcode == LLVMStore;
    const uint64_t bytes = v->bytes;

    switch ((int)form) {
    case TF_FORM_OWN_SINGLY:
        return is_store ? k->c->own_store : k->c->own_element;
    case TF_FORM_GATHER:
        return t->gathers && bytes >= WORD_BYTES ? k->c->gather
                                                 : cost_of_slow_element(k, v->block);
    case TF_FORM_SCATTER:
        return t->scatters && bytes >= WORD_BYTES ? k->c->scatter : k->c->own_store;
    default:
        return k->c->gather;
    }
}

// Each lane at an index of its own.
static uint64_t cost_of_elements(const struct costing *k, const struct tf_value *v)
{
    return k->p->width * ((v->bytes + 7) / 8) *
           cost_of_element(k, tf_plan_form(k->p, v), v);
}

static uint64_t cost_of_bundle(const struct costing *k, const struct tf_value *v)
{
    const struct tf_bundle *bundle = k->p->values[v - k->p->shapes->values].bundle;

    return (bundle->operations + bundle->count - 1) / bundle->count * k->c->vector;
}

static uint64_t cost_of_strip(const struct costing *k, const struct tf_value *v)
{
    const struct tf_strip *strip = k->p->values[v - k->p->shapes->values].strip;

    return (uint64_t)tf_strip_operations(k->p, strip) * k->c->vector / strip->count;
}

static bool is_square_root(const struct tf_value *v)
{
    const struct tf_elementwise *e = v->elementwise;

    return e && e->name[0] == 's' && e->name[1] == 'q';
}

// Two shifts and a choice of bits where no operation rotates: below AVX-512, which
// scatters.
static bool is_rotation_in_three(const struct costing *k, const struct tf_value *v)
{
    const struct tf_elementwise *e = v->elementwise;

    return e && !strncmp(e->name, "fsh", 3) && !k->p->target.scatters;
}

static uint64_t cost_of_intrinsic(const struct costing *k, const struct tf_value *v)
{
    const uint64_t registers = registers_of(k, v);

    if (is_square_root(v))
        return registers * k->c->division;
    return registers * (is_rotation_in_three(k, v) ? 3 : 2) * k->c->vector;
}

static uint64_t cost_of_division(const struct costing *k, const struct tf_value *v)
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
static uint64_t cost_of_folding(const struct costing *k, LLVMTypeRef type)
{
    uint64_t cost = 0;

    for (unsigned n = 1; n < k->p->width; n *= 2)
        cost += tf_plan_registers(k->p, type) * 2 * k->c->vector;
    return cost;
}

// What the lanes bring is folded, and what each of them would have found.
static uint64_t cost_of_one_atomic(const struct costing *k, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    const bool folds =
        LLVMGetFirstUse(i) || !tf_is_uniform(k->p->shapes, LLVMGetOperand(i, 1));

    return (tf_atomic_is_local(i) ? k->c->local_atomic : k->c->atomic) +
           (folds ? cost_of_folding(k, LLVMTypeOf(i)) : 0);
}

static uint64_t cost_of_lane_loop(const struct costing *k, const struct tf_value *v)
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
                                  : k->c->atomic + k->c->lane_loop);
    case LLVMLoad:
    case LLVMStore:
        return k->p->width * (k->c->slow_element + k->c->lane_loop);
    default:
        return k->p->width * (k->c->scalar + k->c->lane_loop);
    }
}

static uint64_t cost_of_high_product(const struct costing *k, const struct tf_value *v)
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

static uint64_t cost_of_permutation(const struct costing *k, const struct tf_value *v)
{
    struct tf_permutation p = {0};

    (void)tf_permutation_of(v->instruction, &p);
    return registers_for(k->p, tf_permutation_bytes(&p)) * PERMUTATION * k->c->vector;
}

static uint64_t cost_of_vector(const struct costing *k, const struct tf_value *v)
{
    const uint64_t registers = registers_of(k, v);

    if (tf_is_division(v->opcode))
        return cost_of_division(k, v);
    if (v->bytes == WIDE_BYTES && tf_is_within_high_products(v->instruction))
        return 0;
    return registers * (v->opcode == LLVMFDiv || v->opcode == LLVMFRem ? k->c->division
                                                                       : k->c->vector);
}

static uint64_t cost_of_access(const struct costing *k, const struct tf_value *v)
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

static uint64_t cost_of_lanes(const struct costing *k, const struct tf_value *v)
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

bool tf_plan_is_gather(const struct tf_plan *p, const struct tf_value *v)
{
    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_GATHER:
    case TF_FORM_SCATTER:
    case TF_FORM_OWN_GATHER:
    case TF_FORM_OWN_WORDS:
    case TF_FORM_OWN_SINGLY:
        return true;
    default:
        return false;
    }
}

static void count_form(struct tf_plan *p, const struct tf_value *v)
{
    if (tf_plan_form(p, v) == TF_FORM_LANE_LOOP)
        p->counts.lane_loops++;
    else if (tf_plan_form(p, v) == TF_FORM_STRIP)
        p->counts.strips++;
    else if (tf_plan_is_gather(p, v))
        *(v->opcode == LLVMStore ? &p->counts.scatters : &p->counts.gathers) += 1;
}

// ---- items

// Whether each item has an index of its own into its private memory.
static bool has_own_index(const struct tf_plan *p, const struct tf_value *load)
{
    const LLVMValueRef pointer = LLVMGetOperand(load->instruction, 0);

    return tf_private_of(&p->shapes->privates, pointer).unit_bytes &&
           tf_shape_of(p->shapes, pointer).kind == TF_SHAPE_VARYING;
}

static bool is_vector(const struct tf_value *v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v->instruction)) == LLVMVectorTypeKind;
}

// Vectors of the program are vectors in both forms.
static uint64_t cost_of_operation(const struct costing *k, const struct tf_value *v)
{
    return (is_vector(v) ? k->c->vector : k->c->scalar) *
           (1 + 8 * v->bytes / (k->p->target.vector_bits + 1));
}

static uint64_t cost_of_item(const struct costing *k, const struct tf_value *v)
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
        if (is_square_root(v))
            return c->scalar_division;
        if (v->root == TF_ROOT_BARRIER)
            return c->barrier;
        if (!v->elementwise)
            return c->call;
        return is_vector(v) ? 2 * cost_of_operation(k, v) : c->scalar;
    default:
        wait = v->opcode == LLVMLoad && has_own_index(k->p, v) ? c->own_wait : 0;
        return wait + cost_of_operation(k, v);
    }
}

// ---- blocks

// Whether the lanes that leave a loop by this branch do so in neighbouring rounds: what
// they count lies at equal distances, and all count up to the same end.
static bool leave_in_turn(const struct tf_shapes *s, LLVMValueRef condition)
{
    return LLVMIsAICmpInst(condition) &&
           tf_shape_of(s, LLVMGetOperand(condition, 0)).kind == TF_SHAPE_AFFINE &&
           tf_shape_of(s, LLVMGetOperand(condition, 1)).kind == TF_SHAPE_AFFINE;
}

static bool thins_out(const struct tf_plan *p, unsigned loop)
{
    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        const struct tf_cfg_block *block = &p->cfg->blocks[b];
        const LLVMValueRef condition = tf_cfg_condition(p->cfg, b);

        if (!p->cfg->loops[loop].has[b] || !condition ||
            tf_is_uniform(p->shapes, condition) || leave_in_turn(p->shapes, condition))
            continue;
        for (unsigned i = 0; i < block->succ_count; i++) {
            if (!p->cfg->loops[loop].has[block->succs[i]])
                return true;
        }
    }
    return false;
}

static const bool *find_thinning(struct tf_plan *p)
{
    bool *thins = TF_ARENA_NEW(&p->arena, bool, p->cfg->loop_count + 1);

    for (unsigned l = 0; l < p->cfg->loop_count; l++)
        thins[l] = p->shapes->divergent[l] && thins_out(p, l);
    return thins;
}

static bool is_in_thinning_loop(const struct costing *k, unsigned block)
{
    const struct tf_cfg *cfg = k->p->cfg;
    unsigned loop = cfg->blocks[block].loop;

    for (; loop != TF_CFG_NONE; loop = cfg->loops[loop].parent) {
        if (k->thins[loop])
            return true;
    }
    return false;
}

static bool is_private(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer);
}

// Not to memory that only the worker has: that lies in its first cache.
static bool scatters_far(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(p->shapes->layout, v->instruction);

    return !is_private(a.pointer) && !tf_access_is_local(&a);
}

// How often the scatter goes to other places than the last time: memory is what these
// cost, while the same places again lie in the cache.
static uint64_t weight_of_places(const struct tf_plan *p, const struct tf_value *scatter)
{
    const struct tf_value *pointer = tf_operand(p->shapes, scatter, 1);

    return tf_facts_weight(p->of.facts, pointer ? pointer->block : 0);
}

// What an access costs more where an argument spaces the lanes out.
static uint64_t cost_of_spacing(const struct costing *k, const struct tf_value *v)
{
    const enum tf_form far = k->p->values[v - k->p->shapes->values].far;
    uint64_t near, apart;

    if (!tf_plan_spacing_of(k->p, v))
        return 0;
    near = cost_of_access(k, v);
    apart = k->p->width * ((v->bytes + 7) / 8) * cost_of_element(k, far, v);
    return apart > near ? apart - near : 0;
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
static bool walks_down_a_column(const struct costing *k, const struct tf_value *v)
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
        (uint64_t)shape.stride != tf_access_bytes(&a) || tf_access_is_local(&a) ||
        is_private(a.pointer))
        return false;
    step = tf_place_step(layout, a.pointer, k->p->cfg->blocks[v->block].block);
    return step == 0 || step >= LINE_BYTES || step <= -LINE_BYTES;
}

// What LLVM's vectors of an item's own rounds take, of what the rounds take one by one: a
// vector costs twice a scalar, and has at most 256 bits.
static uint64_t in_vectors(const struct costing *k, unsigned block, uint64_t items)
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

static bool are_rounds_apart(const struct tf_plan *p, unsigned block)
{
    return is_loop(p, block) &&
           tf_place_rounds_are_apart(p->shapes->layout, p->cfg->blocks[block].block);
}

static uint64_t add_block(const struct costing *k, unsigned block)
{
    struct tf_plan *p = k->p;
    const LLVMValueRef condition = tf_cfg_condition(p->cfg, block);
    const uint64_t weight = tf_facts_weight(p->of.facts, block);
    const struct tf_value *const last = tf_block_end(p->shapes, block) - 1;
    uint64_t lanes = 0, items = 0;

    for (const struct tf_value *v = tf_block_first(p->shapes, block); v < last; v++) {
        const uint64_t cost = cost_of_lanes(k, v);

        lanes += cost;
        p->spaced_cost += cost_of_spacing(k, v) * weight;
        if (tf_plan_form(p, v) == TF_FORM_SCATTER && scatters_far(p, v))
            p->scatters_cost += cost * weight_of_places(p, v);
        if (tf_plan_form(p, v) == TF_FORM_STRIP)
            p->strips_cost += cost * weight;
        items += cost_of_item(k, v) + (walks_down_a_column(k, v) ? LINE : 0);
        if (weight)
            count_form(p, v);
    }
    if (condition) {
        const bool diverges = !tf_is_uniform(p->shapes, condition);

        p->counts.divergent_branches += diverges && weight;
        lanes += diverges ? k->c->branch : k->c->scalar;
        items += k->c->scalar + (diverges ? k->c->missed : 0);
    }
    // Half of the lanes of a loop that they leave one by one have left already.
    if (is_in_thinning_loop(k, block))
        lanes += lanes / 2;
    if (are_rounds_apart(p, block))
        items = in_vectors(k, block, items);
    k->items[block] = items * weight;
    p->items_cost += items * weight * p->width;
    return lanes * weight;
}

// Of what is hardly reached none counts.
static unsigned widest(const struct tf_plan *p)
{
    uint64_t most = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->shape.kind == TF_SHAPE_VARYING && is_vector(v) &&
            registers_for(p, v->bytes) > most && tf_facts_weight(p->of.facts, v->block))
            most = registers_for(p, v->bytes);
    }
    return (unsigned)most;
}

// Kernels written with wide vectors fill the registers by themselves; lanes would cost
// much time of the compiler and gain little.
bool tf_plan_has_wide_values(const struct tf_plan *p)
{
    return p->widest > MAX_REGISTERS;
}

// Numbers that an operation has beside its operands: they lie in memory, and are fetched
// for all registers of the operation at once.
static unsigned constants_of(const struct tf_plan *p, const struct tf_value *v)
{
    const enum tf_form form = tf_plan_form(p, v);
    unsigned count = 0;

    if (form != TF_FORM_VECTOR && form != TF_FORM_INTRINSIC)
        return 0;
    for (unsigned i = 0; i < v->operand_count; i++) {
        const LLVMValueRef operand = LLVMGetOperand(v->instruction, i);

        count += LLVMIsAConstantFP(operand) && !LLVMIsNull(operand);
    }
    return count;
}

// None where registers keep them all.
static uint64_t cost_of_constants(const struct tf_plan *p)
{
    uint64_t cost = 0;
    unsigned all = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];
        const unsigned count = constants_of(p, v);

        all += count;
        cost += count * tf_facts_weight(p->of.facts, v->block) * p->target.costs.scalar;
    }
    return all > p->target.registers ? cost : 0;
}

// In a function without loops, which looks up in memory what it has found there, time and
// again: the next items fill what it leaves, as far as the processor looks ahead.
static uint64_t wait_of_looks(const struct costing *k)
{
    const struct tf_plan *p = k->p;
    const uint64_t way =
        p->cfg->loop_count ? 0 : tf_item_way(&k->p->arena, p->shapes, k->c);
    uint64_t made = 0, operations, waited;

    for (unsigned b = 0; way > 0 && b < p->cfg->block_count; b++)
        made += k->items[b];
    operations = made / k->c->scalar;
    waited = operations < AHEAD ? way * operations / AHEAD : way;
    return waited > made ? waited - made : 0;
}

// What an item waits in loops beyond what its operations take.
static uint64_t waits_of_item(const struct costing *k)
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

void tf_plan_costs(struct tf_planning *m)
{
    struct tf_plan *p = m->p;
    const struct costing k = {.p = p,
                              .c = &p->target.costs,
                              .thins = find_thinning(p),
                              .items =
                                  TF_ARENA_NEW(&p->arena, uint64_t, p->cfg->block_count)};
    uint64_t *blocks = TF_ARENA_NEW(&p->arena, uint64_t, p->cfg->block_count);

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        blocks[b] = add_block(&k, b);
        p->lanes_cost += blocks[b];
    }
    p->items_cost += waits_of_item(&k) * p->width;
    p->block_costs = blocks;
    if (p->of.item_cost) // vectors were taken apart: not in the form of items
        p->items_cost = p->of.item_cost * p->width;
    p->widest = widest(p);
    p->constants_cost = cost_of_constants(p);
}

bool tf_plan_pays(const struct tf_plan *p)
{
    // Where scatters are much of it, memory is, and lanes make nothing of that faster.
    const uint64_t margin =
        p->scatters_cost > p->lanes_cost / 4 ? p->lanes_cost : p->lanes_cost / 8;

    return p->lanes_cost + margin < p->items_cost && !tf_plan_has_wide_values(p);
}

// ---- chains

// What the rounds of a loop cost more than the table says, because of a chain: so many
// operations could have started while it waits. Where both take about as long neither
// hides the other: together they take the root of the sum of their squares (on Zen 5
// within a tenth of what mandelbrot and hash_ulong take with 16, 32 and 64 lanes).
static uint64_t cost_of_chain(const struct tf_plan *p, unsigned loop, int tenths)
{
    uint64_t made = 0, least = (uint64_t)tenths * p->target.at_once;
    double both;

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        if (p->cfg->loops[loop].has[b])
            made += p->block_costs[b];
    }
    least *= tf_facts_weight(p->of.facts, p->cfg->loops[loop].head);
    both = sqrt((double)made * (double)made + (double)least * (double)least);
    return (uint64_t)both - made;
}

uint64_t tf_plan_cost_per_lane(const struct tf_plan *p, const int *chains)
{
    uint64_t cost = p->lanes_cost + p->constants_cost;

    for (unsigned l = 0; l < p->cfg->loop_count; l++)
        cost += cost_of_chain(p, l, chains[l]);
    return cost * TF_MOST_LANES / p->width;
}

// Of a function without loops the next gangs fill what its longest way leaves, as far as
// the processor looks ahead.
uint64_t tf_plan_wait(const struct tf_plan *p)
{
    const uint64_t operations = p->cfg->loop_count ? 0 : tf_plan_operations(p);
    const uint64_t least = operations ? tf_plan_way(p) * p->target.at_once : 0;
    const uint64_t waited = operations < AHEAD ? least * operations / AHEAD : least;
    const uint64_t made = p->lanes_cost + p->constants_cost;

    return waited > made ? waited - made : 0;
}
