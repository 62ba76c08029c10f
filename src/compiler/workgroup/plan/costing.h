// SPDX-License-Identifier: MIT
// What instructions cost: between cost.c, lane_costs.c and item_costs.c.
#ifndef TF_COMPILER_WORKGROUP_PLAN_COSTING_H
#define TF_COMPILER_WORKGROUP_PLAN_COSTING_H

#include "compiler/workgroup/plan/plan.h"

enum { TF_AHEAD = 128 }; // operations that wait or work at the same time

struct tf_costing {
    struct tf_plan *p;
    const struct tf_costs *c;
    const bool *thins; // per loop: its lanes become fewer, round by round
    uint64_t *items;   // per block: of one item, to be filled in
};

// ---- lane_costs.c

// Registers of all lanes for a value of so many bytes.
uint64_t tf_registers_for(const struct tf_plan *p, uint64_t bytes);
bool tf_is_square_root(const struct tf_value *v);
uint64_t tf_cost_of_lanes(const struct tf_costing *k, const struct tf_value *v);
// What an access costs more where an argument spaces the lanes out.
uint64_t tf_cost_of_spacing(const struct tf_costing *k, const struct tf_value *v);

// ---- item_costs.c

// Whether the value is a vector of the program.
bool tf_is_program_vector(const struct tf_value *v);
// Whether the access means memory that not only the worker has: that lies in its first
// cache.
bool tf_is_far(const struct tf_plan *p, const struct tf_value *v);
uint64_t tf_cost_of_item(const struct tf_costing *k, const struct tf_value *v);
// What LLVM's vectors of an item's own rounds take, of what the rounds of a block take
// one by one; and whether there will be such vectors.
uint64_t tf_cost_in_vectors(const struct tf_costing *k, unsigned block, uint64_t items);
bool tf_cost_rounds_are_apart(const struct tf_plan *p, unsigned block);
// What an item waits beyond what its operations take.
uint64_t tf_cost_waits_of_item(const struct tf_costing *k);

#endif // TF_COMPILER_WORKGROUP_PLAN_COSTING_H
