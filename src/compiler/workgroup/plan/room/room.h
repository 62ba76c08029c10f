// SPDX-License-Identifier: MIT
// Whether a plan has room: registers for the values that are alive at the same time.
#ifndef TF_COMPILER_WORKGROUP_PLAN_ROOM_ROOM_H
#define TF_COMPILER_WORKGROUP_PLAN_ROOM_ROOM_H

#include "compiler/workgroup/plan/plan.h"

// Registers for the values that are alive at the same time.
struct tf_room {
    uint64_t registers; // that they want
    bool fits;
    // What a lane costs besides where they do not, in the unit of
    // tf_plan_cost_per_lane().
    uint64_t spills_per_lane;
};
struct tf_room tf_plan_room(const struct tf_plan *p);
// The same as spills_per_lane of innermost loops, where LLVM makes their operations part
// by part, a register of each value: of what a block makes for itself one part lives at a
// time, and all of what comes into it and leaves it.
uint64_t tf_plan_spills_in_parts(const struct tf_plan *p);
// Both it and registers: in the order of the program, or in one that LLVM might find
// (room/order.c).
bool tf_plan_has_room(const struct tf_plan *p);
bool tf_plan_may_have_room(const struct tf_plan *p);

#endif // TF_COMPILER_WORKGROUP_PLAN_ROOM_ROOM_H
