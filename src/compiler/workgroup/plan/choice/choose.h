// SPDX-License-Identifier: MIT
// The choice between plans for one scalar function: along which dimension its lanes lie,
// how many there are, and how wide the registers. Each candidate is a plan; nothing but
// the one that costs least outlives the choice.
#ifndef TF_COMPILER_WORKGROUP_PLAN_CHOICE_CHOOSE_H
#define TF_COMPILER_WORKGROUP_PLAN_CHOICE_CHOOSE_H

#include "compiler/workgroup/plan/plan.h"

struct tf_choice_of {
    const struct tf_facts *facts;
    const struct tf_target *target;
    unsigned width;       // lanes that fill a register
    unsigned most_lanes;  // rows are long enough for so many; 0: `width` was asked for
    bool knows_rows;      // the kernel demands how long they are
    bool may_widen_again; // not only once
    bool may_halve;       // fewer lanes than `width`, too
    bool long_rows; // rows do not end with the group: the width of registers is free
    bool may_turn;  // dimension 1 may be that of the lanes
    // Rows with barriers that the kernel demands to be shorter than a gang: none is
    // whole. Longer ones that end within a gang may all run under masks, too, where those
    // are free or items end early; `all` is then close enough.
    bool masked_only;
    uint64_t item_cost; // as in tf_plan_of
    // Made of the same facts, target, width and cost of an item: given. Or NULL.
    const struct tf_plan *first;
};

struct tf_choice {
    struct tf_facts turned;       // the facts along dimension 1, if they were looked at
    const struct tf_facts *facts; // of the plans: these or those that were given
    struct tf_plan all, masked;   // for whole gangs, and for those of fewer lanes
    bool masked_only;             // as in tf_choice_of
    bool is_narrow;               // registers of all.target.vector_bits do
    unsigned fixpoints;           // more than the given facts
};

// The choice is finished in any case. False: there can be no lanes, `all` or `masked`
// says why.
bool tf_choice_init(struct tf_choice *c, const struct tf_choice_of *of);
void tf_choice_finish(struct tf_choice *c);
// Whether lanes are faster than items one by one.
bool tf_choice_pays(const struct tf_choice *c);
// Why there are no lanes; "": there are.
const char *tf_choice_unfit(const struct tf_choice *c);

// Whether whole gangs may as well run what is made of `masked` (suffice.c).
bool tf_plan_masks_suffice(const struct tf_plan *all, const struct tf_plan *masked);
// Whether vectors of the program shuffle less when they are taken apart (components.c).
bool tf_plan_mixes_components(const struct tf_plan *p);

#endif // TF_COMPILER_WORKGROUP_PLAN_CHOICE_CHOOSE_H
