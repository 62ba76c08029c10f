// SPDX-License-Identifier: MIT
// Whether a packed function pays, and with how many lanes.
#include "compiler/workgroup/plan/pack/pack.h"

#include <limits.h>

#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/plan/room/room.h"

enum {
    MAX_WIDTH = 64,
    // Of the time of an item, for which packs are made, and for which their lanes are
    // doubled: they cost time of the compiler.
    PACK_GAIN_PERCENT = 15,
    REPLACING_PERCENT = 10, // of packs that take the place of all whole gangs
    WIDTH_GAIN_PERCENT = 5,
};

bool tf_pack_stays_whole(const struct tf_facts *packed)
{
    const struct tf_shapes *s = &packed->usual;

    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (tf_pack_asks(s->cfg, b) && (s->region_of[b] != TF_CFG_NONE ||
                                        !tf_is_uniform(s, tf_cfg_condition(s->cfg, b))))
            return false;
    }
    return true;
}

static bool is_better(uint64_t cost, uint64_t than, unsigned gain_percent)
{
    return cost * 100 <= than * (100 - gain_percent);
}

// The gain for which a pack of so many lanes is made. Half of the lanes have as much
// code, and costs do not know that what rows share comes out of the next cache only once.
static unsigned least_gain(const struct tf_pack_lanes *lanes, bool is_first)
{
    if (!is_first)
        return WIDTH_GAIN_PERCENT;
    if (lanes->are_half)
        return 0;
    return lanes->replace_gangs ? REPLACING_PERCENT : PACK_GAIN_PERCENT;
}

// Bytes of a loaded value, or of the most that it is extended to if nothing else reads
// it.
static uint64_t bytes_made_of(const struct tf_shapes *s, const struct tf_value *load)
{
    uint64_t bytes = load->bytes, made;

    for (LLVMUseRef u = LLVMGetFirstUse(load->instruction); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsAZExtInst(user) && !LLVMIsASExtInst(user))
            return load->bytes;
        made = tf_size_bytes(s->layout, LLVMTypeOf(user));
        bytes = made > bytes ? made : bytes;
    }
    return bytes;
}

bool tf_pack_may_halve(const struct tf_plan *gangs)
{
    bool any = false;

    for (unsigned i = 0; i < gangs->shapes->value_count; i++) {
        const struct tf_value *v = &gangs->shapes->values[i];

        if (v->opcode != LLVMLoad ||
            tf_is_uniform(gangs->shapes, LLVMGetOperand(v->instruction, 0)))
            continue;
        if (bytes_made_of(gangs->shapes, v) * CHAR_BIT * gangs->width / 2 <
            gangs->target.vector_bits)
            return false;
        any = true;
    }
    return any;
}

// What a lane of one row costs; false: there is no room.
static bool cost_at(const struct tf_plan_of *packed, unsigned width, bool in_any_order,
                    const int *chains, uint64_t *cost)
{
    struct tf_plan_of of = *packed;
    struct tf_plan plan;
    bool has_room;

    of.width = width;
    has_room = tf_plan_init(&plan, &of) &&
               (in_any_order ? tf_plan_may_have_room(&plan) : tf_plan_has_room(&plan));
    if (has_room)
        *cost = tf_plan_cost_per_lane(&plan, chains) / of.rows;
    tf_plan_finish(&plan);
    return has_room;
}

struct tf_pack_width tf_pack_width(const struct tf_plan_of *packed,
                                   const struct tf_pack_lanes *lanes, uint64_t plain)
{
    struct tf_arena arena = {0};
    const int *chains =
        tf_find_chains(&arena, &packed->facts->usual, &packed->target->costs);
    struct tf_pack_width best = {.cost = plain};
    uint64_t cost;

    for (unsigned width = packed->width; width <= MAX_WIDTH; width *= 2) {
        // LLVM's order finds few of the registers that many more lanes want.
        const bool in_any_order = lanes->in_any_order && width == packed->width;

        if (!cost_at(packed, width, in_any_order, chains, &cost)) {
            best.is_full = width == packed->width;
            break;
        }
        if (!is_better(cost, best.cost, least_gain(lanes, best.lanes == 0)))
            break;
        best.cost = cost;
        best.lanes = width;
        if (!lanes->may_be_more)
            break;
    }
    tf_arena_finish(&arena);
    return best;
}
