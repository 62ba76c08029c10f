// SPDX-License-Identifier: MIT
// Registers of the values of a block, in the order of the program.
#include "compiler/workgroup/plan/room/room_parts.h"

bool tf_room_lives_on(const struct tf_plan *p, const struct tf_value *v)
{
    LLVMUseRef use = LLVMGetFirstUse(v->instruction);

    if (!v->crosses || !p->of.facts->has_barrier)
        return v->crosses;
    for (; use; use = LLVMGetNextUse(use)) {
        const struct tf_value *user = tf_shape_value(p->shapes, LLVMGetUser(use));

        if (user && (user->block != v->block || user->opcode == LLVMPHI))
            return true;
    }
    return false;
}

// Place of the last instruction of the block that uses `v`, counted from its start.
static unsigned last_use(const struct tf_plan *p, const struct tf_value *v,
                         unsigned first)
{
    LLVMUseRef use = LLVMGetFirstUse(v->instruction);
    unsigned last = 0;

    for (; use; use = LLVMGetNextUse(use)) {
        const struct tf_value *user = tf_shape_value(p->shapes, LLVMGetUser(use));

        if (user && user->block == v->block && user->opcode != LLVMPHI) {
            const unsigned at = (unsigned)(user - p->shapes->values) - first;

            last = at > last ? at : last;
        }
    }
    return last;
}

uint64_t tf_room_of_block(const struct tf_plan *p, const struct tf_value *v)
{
    return tf_room_lives_on(p, v) ? 0 : tf_plan_registers_of(p, v);
}

// Values are numbered in the order of their block.
uint64_t tf_room_most_in_block(const struct tf_plan *p, struct tf_arena *arena,
                               unsigned block, tf_room_size_of size_of)
{
    const struct tf_value *const start = tf_block_first(p->shapes, block);
    const unsigned first = (unsigned)(start - p->shapes->values);
    const unsigned count = (unsigned)(tf_block_end(p->shapes, block) - start);
    uint64_t *ends = TF_ARENA_NEW(arena, uint64_t, count + 1);
    uint64_t live = 0, most = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct tf_value *v = &p->shapes->values[first + i];
        const uint64_t size = size_of(p, v);
        const unsigned last = size ? last_use(p, v, first) : 0;

        live -= ends[i];
        if (last <= i)
            continue;
        live += size;
        ends[last] += size;
        most = live > most ? live : most;
    }
    return most;
}
