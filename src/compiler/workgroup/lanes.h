// SPDX-License-Identifier: MIT
// The steps from the scalar function to lanes, as pipeline.c calls them one after the
// other: a kernel's lanes in two functions, one for W lanes, which needs no masks where
// control is uniform, and one for fewer; and one for packs of rows. The scalar function
// is prepared, its facts are found, plans are made of them and one is chosen; then there
// is code.
#ifndef TF_COMPILER_WORKGROUP_LANES_H
#define TF_COMPILER_WORKGROUP_LANES_H

#include "compiler/workgroup/gang/value/gang_kept.h"
#include "compiler/workgroup/plan/choice/choose.h"

struct tf_wg;
struct tf_lanes;

// What the steps hand on to each other. Zero but for the first two; not to be moved.
struct tf_lane_steps {
    struct tf_wg *wg;
    struct tf_lanes *lanes; // the result
    bool wanted;            // steps that come behind a refusal do nothing
    struct tf_facts facts;  // of wg->item->wide
    uint64_t item_cost;     // where the facts do not show it any more, or 0
    struct tf_plan first;   // of these facts, where there was a question to it
    struct tf_choice choice;
    bool has_facts, has_first, has_choice;
    unsigned most_lanes; // for which facts are to hold; 0: as many as gangs may have
    struct tf_gang_kept kept;
};

// In this order. False after tf_wg_fail.
bool tf_lanes_linear(struct tf_lane_steps *s);     // sub-groups: lanes->linear
bool tf_lanes_prepare(struct tf_lane_steps *s);    // the wide function
bool tf_lanes_facts(struct tf_lane_steps *s);      // s->facts
bool tf_lanes_strips(struct tf_lane_steps *s);     // rounds of loops together
bool tf_lanes_narrow(struct tf_lane_steps *s);     // arithmetic in 16 bits
bool tf_lanes_distribute(struct tf_lane_steps *s); // loops with too many sums
bool tf_lanes_components(struct tf_lane_steps *s); // vectors of the program taken apart
bool tf_lanes_choose(struct tf_lane_steps *s);     // s->choice
bool tf_lanes_emit(struct tf_lane_steps *s);       // lanes->gang_masked, and gang
bool tf_lanes_pack(struct tf_lane_steps *s);       // lanes->gang_pack, if that pays
// lanes->gang, where masks would have sufficed for it (tf_lanes_emit makes none then).
void tf_lanes_emit_whole(struct tf_lane_steps *s);
// Whether or not they all have run.
void tf_lane_steps_finish(struct tf_lane_steps *s);

// ---- between the files of the steps

// The facts of the wide function, or of one that was made of it; finished by the caller.
// `together`: lanes leave no loop of it at different times.
void tf_lanes_find_facts(struct tf_lane_steps *s, struct tf_facts *facts, LLVMValueRef fn,
                         bool together);
bool tf_lanes_ask_for(const struct tf_wg *wg, unsigned root); // an enum tf_root
bool tf_lanes_may_pack(const struct tf_wg *wg); // rows, if they can be a pack

#endif // TF_COMPILER_WORKGROUP_LANES_H
