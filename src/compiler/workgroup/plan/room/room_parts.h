// SPDX-License-Identifier: MIT
// Between the files of this room.
#ifndef TF_COMPILER_WORKGROUP_PLAN_ROOM_ROOM_PARTS_H
#define TF_COMPILER_WORKGROUP_PLAN_ROOM_ROOM_PARTS_H

#include "compiler/workgroup/plan/plan.h"

// ---- registers.c

// Whether the value lives beyond its block. In blocks with barriers all values count as
// if they did, because any may have to be kept; few are.
bool tf_room_lives_on(const struct tf_plan *p, const struct tf_value *v);
// Registers of a value that lives in its block alone; 0 of the others.
uint64_t tf_room_of_block(const struct tf_plan *p, const struct tf_value *v);

typedef uint64_t (*tf_room_size_of)(const struct tf_plan *p, const struct tf_value *v);

// Registers that the values of one block need at the same time, but for those that live
// through it, in the order of the program.
uint64_t tf_room_most_in_block(const struct tf_plan *p, struct tf_arena *arena,
                               unsigned block, tf_room_size_of size_of);

// ---- order.c

// Whether `limit` registers do for the same in an order that a compiler might find which
// makes of each value what it can before it fetches the next one.
bool tf_room_fits_in_order(const struct tf_plan *p, struct tf_arena *arena,
                           unsigned block, uint64_t limit);

#endif // TF_COMPILER_WORKGROUP_PLAN_ROOM_ROOM_PARTS_H
