// SPDX-License-Identifier: MIT
// Whether lanes pay: a table of costs, in cycles, for one gang as lanes and for its items
// one by one. Measured on Zen 5; what matters is the ratio, and gathers: a processor does
// them lane by lane.
#include <stdio.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/gang/gang_access.h"
#include "compiler/workgroup/gang/gang_divide.h"
#include "compiler/workgroup/gang/table.h"
#include "compiler/workgroup/plan/pack.h"

// Tenths of a cycle.
enum {
    SCALAR = 5,
    VECTOR = 10,
    DIVISION = 60,         // of floating-point numbers, and square roots
    SCALAR_DIVISION = 50,  //
    INTEGER_DIVISION = 60, // of any kind, one by one
    BY_CONSTANT = 40,      // an integer, by a product
    LONG_DIVISION = 70,    // of 64 bits, but for the division of doubles itself
    GATHER = 16,           // an element
    SCATTER = 40,          // Zen 4; half of that on others
    SLOW_ELEMENT = 40,     // without instructions for it
    OWN_ELEMENT = 20,      // the same of private memory: no lane has to be left out
    OWN_STORE = 25,        // always without instructions for it
    OWN_WAIT = 10,         // of an item, for what it stored a moment ago
    ATOMIC = 60,
    // Of local memory: no lock. Increments at addresses out of vectors come so close
    // after each other that loads run ahead of stores to the same place, and are done
    // again.
    LOCAL_ATOMIC = 20,
    LOCAL_ATOMIC_LANE = 150,
    CALL = 200,
    LANE_LOOP = 20, // more, each lane
    BRANCH = 30,    // that makes masks
    MISSED = 10,    // of a scalar branch, on average
    LOOP_WEIGHT = 8,
    MAX_DEPTH = 3,
    MAX_REGISTERS = 4, // of one value
};

struct costs {
    uint64_t lanes, items; // of one gang
    uint64_t scattered;    // part of `lanes`: scatters to memory that is not private
    struct gang_report *report;
};

static uint64_t bits_of(const struct gang *g, LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind
               ? 0
               : 8 * LLVMABISizeOfType(g->shapes.layout, type);
}

uint64_t gang_registers(const struct gang *g, LLVMTypeRef type)
{
    const uint64_t bits = bits_of(g, type) * g->width, each = g->wg->vector_bits;

    return bits <= each ? 1 : (bits + each - 1) / each;
}

static LLVMTypeRef memory_type(const struct tf_value *v)
{
    return LLVMTypeOf(v->opcode == LLVMStore ? LLVMGetOperand(v->instruction, 0)
                                             : v->instruction);
}

// Each lane at an index of its own.
static uint64_t cost_of_elements(const struct gang *g, LLVMValueRef pointer,
                                 uint64_t bytes, bool is_store)
{
    const uint64_t all = g->width * ((bytes + 7) / 8);
    const bool is_small = bytes < 4;

    if (tf_private_of(&g->shapes.privates, pointer).unit_bytes)
        return all * (is_store                   ? OWN_STORE
                      : g->wg->vector_bits < 512 ? OWN_ELEMENT
                                                 : GATHER);
    if (g->wg->vector_bits < (is_store ? 512 : 256) || is_small)
        return all * SLOW_ELEMENT;
    return all * (is_store ? SCATTER : GATHER);
}

static uint64_t lanes_access(const struct gang *g, const struct tf_value *v,
                             struct gang_report *report)
{
    const bool is_store = v->opcode == LLVMStore;
    const LLVMTypeRef type = memory_type(v);
    const LLVMValueRef pointer = LLVMGetOperand(v->instruction, is_store);
    const struct tf_shape shape = tf_shape_of(&g->shapes, pointer);
    const uint64_t bytes = bits_of(g, type) / 8;

    if (LLVMGetVolatile(v->instruction) ||
        LLVMGetOrdering(v->instruction) != LLVMAtomicOrderingNotAtomic) {
        report->lane_loops++;
        return g->width * (SCALAR + LANE_LOOP);
    }
    if (shape.kind == TF_SHAPE_AFFINE && shape.stride == 0)
        return SCALAR;
    if ((uint64_t)shape.stride == bytes)
        return gang_registers(g, type) * VECTOR + (shape.unless ? VECTOR : 0);
    if (gang_group_operations(g, v))
        return gang_group_operations(g, v) * VECTOR;
    if (gang_table_operations(g, v))
        return gang_table_operations(g, v) * VECTOR;
    *(is_store ? &report->scatters : &report->gathers) += 1;
    return cost_of_elements(g, pointer, bytes, is_store);
}

static bool is_square_root(LLVMValueRef call)
{
    const struct tf_elementwise *e = tf_elementwise_of(call);

    return e && e->name[0] == 's' && e->name[1] == 'q';
}

static uint64_t lanes_division(const struct gang *g, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    const uint64_t all = gang_registers(g, type) * (bits_of(g, type) > 16 ? 2 : 1);

    if (gang_divides_long(v))
        return BRANCH +
               gang_registers(g, type) *
                   (LONG_DIVISION + (gang_divisor_of(g, v).value ? 0 : DIVISION));
    if (LLVMIsAConstant(LLVMGetOperand(v->instruction, 1)))
        return gang_registers(g, type) * BY_CONSTANT;
    if (!gang_divides_as_real(v))
        return g->width * INTEGER_DIVISION;
    if (tf_is_uniform(&g->shapes, LLVMGetOperand(v->instruction, 1)))
        return all * 4 * VECTOR;
    return all * (DIVISION + 4 * VECTOR);
}

static bool is_local(LLVMValueRef atomic)
{
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(atomic, 0));

    return LLVMGetPointerAddressSpace(type) == TF_AS_LOCAL;
}

// One for all lanes: folding what they bring takes a shuffle and an operation for each
// doubling of lanes, as does finding out what each of them would have found.
static uint64_t lanes_atomic(const struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    const bool folds =
        LLVMGetFirstUse(i) || !tf_is_uniform(&g->shapes, LLVMGetOperand(i, 1));
    uint64_t cost = is_local(i) ? LOCAL_ATOMIC : ATOMIC;

    for (unsigned n = 1; folds && n < g->width; n *= 2)
        cost += gang_registers(g, LLVMTypeOf(i)) * 2 * VECTOR;
    return cost;
}

static uint64_t lanes_cost(struct gang *g, const struct tf_value *v,
                           struct gang_report *report)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);

    switch ((int)v->opcode) {
    case LLVMLoad:
    case LLVMStore:
        return lanes_access(g, v, report);
    case LLVMPHI:
    case LLVMAlloca:
        return 0;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (gang_is_one_atomic(g, v))
            return lanes_atomic(g, v);
        report->lane_loops++;
        return g->width *
               (is_local(v->instruction) ? LOCAL_ATOMIC_LANE : ATOMIC + LANE_LOOP);
    case LLVMCall:
        if (tf_is_marker(v->instruction) || tf_shape_root(v->instruction) >= 0 ||
            tf_shape_is_barrier(v->instruction) || tf_pack_is_apart(v->instruction))
            return 0;
        if (v->shape.kind != TF_SHAPE_VARYING)
            return SCALAR;
        if (is_square_root(v->instruction))
            return gang_registers(g, type) * DIVISION;
        if (tf_is_elementwise(v->instruction))
            return gang_registers(g, type) * 2 * VECTOR;
        report->lane_loops++;
        return g->width * (CALL + LANE_LOOP);
    default:
        break;
    }
    if (gang_is_free(g, v))
        return 0;
    if (v->shape.kind != TF_SHAPE_VARYING)
        return SCALAR;
    switch ((int)v->opcode) {
    case LLVMFDiv:
    case LLVMFRem:
        return gang_registers(g, type) * DIVISION;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return lanes_division(g, v);
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return gang_registers(g, LLVMTypeOf(LLVMGetOperand(v->instruction, 0))) * VECTOR;
    default:
        return gang_registers(g, type) * VECTOR;
    }
}

// Whether each item has an index of its own into its private memory.
static bool has_own_index(const struct gang *g, const struct tf_value *load)
{
    const LLVMValueRef pointer = LLVMGetOperand(load->instruction, 0);

    return tf_private_of(&g->shapes.privates, pointer).unit_bytes &&
           tf_shape_of(&g->shapes, pointer).kind == TF_SHAPE_VARYING;
}

static uint64_t item_cost(const struct gang *g, const struct tf_value *v)
{
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
        return is_local(v->instruction) ? LOCAL_ATOMIC : ATOMIC;
    case LLVMFDiv:
    case LLVMFRem:
        return SCALAR_DIVISION;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return LLVMIsAConstant(LLVMGetOperand(v->instruction, 1)) ? BY_CONSTANT / 2
                                                                  : INTEGER_DIVISION;
    case LLVMCall:
        if (tf_is_marker(v->instruction) || tf_shape_root(v->instruction) >= 0)
            return 0;
        if (is_square_root(v->instruction))
            return SCALAR_DIVISION;
        return tf_is_elementwise(v->instruction) ? SCALAR : CALL;
    default:
        wait = v->opcode == LLVMLoad && has_own_index(g, v) ? OWN_WAIT : 0;
        // Vectors of the program are vectors in both forms.
        return wait +
               SCALAR * (1 + bits_of(g, memory_type(v)) / (g->wg->vector_bits + 1));
    }
}

uint64_t gang_weight(const struct gang *g, unsigned block)
{
    unsigned loop = g->cfg.blocks[block].loop;
    uint64_t weight = 1;

    for (unsigned depth = 0; loop != TF_CFG_NONE && depth < MAX_DEPTH; depth++) {
        weight *= LOOP_WEIGHT;
        loop = g->cfg.loops[loop].parent;
    }
    return weight;
}

static bool is_in_divergent_loop(const struct gang *g, unsigned block)
{
    unsigned loop = g->cfg.blocks[block].loop;

    for (; loop != TF_CFG_NONE; loop = g->cfg.loops[loop].parent) {
        if (g->shapes.divergent[loop])
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

static void add_block(struct gang *g, unsigned block, struct costs *c)
{
    const LLVMValueRef condition = tf_cfg_condition(&g->cfg, block);
    const uint64_t weight = gang_weight(g, block);
    LLVMValueRef i = LLVMGetFirstInstruction(g->cfg.blocks[block].block);
    uint64_t lanes = 0, items = 0;

    for (; i && !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i)) {
        const struct tf_value *v = tf_shape_value(&g->shapes, i);

        const unsigned before = c->report->scatters;
        const uint64_t cost = lanes_cost(g, v, c->report);

        lanes += cost;
        if (c->report->scatters > before && !is_private(LLVMGetOperand(i, 1)))
            c->scattered += cost * weight;
        items += item_cost(g, v);
    }
    if (condition) {
        const bool diverges = !tf_is_uniform(&g->shapes, condition);

        c->report->divergent_branches += diverges;
        lanes += diverges ? BRANCH : SCALAR;
        items += SCALAR + (diverges ? MISSED : 0);
    }
    // Half of the lanes of a loop that they leave one by one have left already.
    if (is_in_divergent_loop(g, block))
        lanes += lanes / 2;
    c->lanes += lanes * weight;
    c->items += items * weight * g->width;
}

// Kernels written with wide vectors fill the registers by themselves; lanes would cost
// much time of the compiler and gain little.
bool gang_has_wide_values(const struct gang *g)
{
    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        const struct tf_value *v = &g->shapes.values[i];
        const LLVMTypeRef type = LLVMTypeOf(v->instruction);

        if (v->shape.kind == TF_SHAPE_VARYING &&
            LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
            gang_registers(g, type) > MAX_REGISTERS)
            return true;
    }
    return false;
}

// What the rounds of a loop cost at least.
static uint64_t cost_of_chain(const struct gang *g, unsigned loop, int cycles,
                              const uint64_t *blocks)
{
    const unsigned head = g->cfg.loops[loop].head;
    uint64_t made = 0, least = (uint64_t)cycles * 10;

    for (unsigned b = 0; b < g->cfg.block_count; b++) {
        if (g->cfg.loops[loop].has[b])
            made += blocks[b];
    }
    least *= gang_weight(g, head);
    return least > made ? least - made : 0;
}

uint64_t gang_lanes_cost(struct gang *g, const int *chains)
{
    uint64_t *blocks = TF_ARENA_NEW(&g->arena, uint64_t, g->cfg.block_count);
    struct gang_report report = {0};
    uint64_t cost = 0;

    for (unsigned b = 0; b < g->cfg.block_count; b++) {
        struct costs c = {.report = &report};

        add_block(g, b, &c);
        blocks[b] = c.lanes;
        cost += c.lanes;
    }
    for (unsigned l = 0; l < g->cfg.loop_count; l++)
        cost += cost_of_chain(g, l, chains[l], blocks);
    return cost;
}

uint64_t gang_items_cost(struct gang *g)
{
    struct gang_report report = {0};
    struct costs c = {.report = &report};

    for (unsigned b = 0; b < g->cfg.block_count; b++)
        add_block(g, b, &c);
    return c.items / g->width;
}

bool gang_pays(struct gang *g, struct gang_report *report)
{
    struct costs c = {.report = report};
    uint64_t margin;

    for (unsigned b = 0; b < g->cfg.block_count; b++)
        add_block(g, b, &c);
    if (g->wg->item_cost) // vectors were taken apart: not in the form of items
        c.items = g->wg->item_cost * g->width;
    report->lanes_cost = c.lanes;
    report->items_cost = c.items;
    // Where scatters are much of it, memory is, and lanes make nothing of that faster.
    margin = c.scattered > c.lanes / 4 ? c.lanes : c.lanes / 8;
    return c.lanes + margin < c.items && !gang_has_wide_values(g);
}
