// SPDX-License-Identifier: MIT
// Packs of gangs: the gangs of G neighbouring rows (dimension 1) run as one, so that what
// rows have in common is loaded and computed once for all of them, and the processor has
// G independent chains of operations.
//
// A pack is made in two steps: a function like wg->item->wide that runs one work-item of
// each of G rows, its instructions row after row (prepare/pack_clone.c); then lanes are
// made of it as of any other. Work-items of kernels without barriers and atomics have no
// order among each other, so rows may be interleaved; what one of them does keeps its
// order. Branches must go the same way in all rows. Those that might not are asked for
// all rows before anything was written; where the rows disagree, the pack function gives
// their work to the gangs of the rows.
#ifndef TF_COMPILER_WORKGROUP_PLAN_PACK_PACK_H
#define TF_COMPILER_WORKGROUP_PLAN_PACK_PACK_H

#include "compiler/workgroup/plan/plan.h"

enum { TF_PACK_MAX_ROWS = 4 };

// What a value has to do with the row, in rising order.
enum tf_pack_kind {
    TF_PACK_SHARED, // the same in all rows
    TF_PACK_AFFINE, // the row's number times a factor, plus what rows share; or a
                    // comparison of such numbers
    TF_PACK_APIECE, // anything
};

struct tf_pack {
    struct tf_arena arena;
    const struct tf_facts *facts; // of wg->item->wide
    const struct tf_shapes *s;    // facts->usual
    unsigned rows;                // 2 or 4
    unsigned char *kinds;         // per value of s: enum tf_pack_kind
    bool shares_vectors;          // in a loop: rows load the same vectors
    bool has_work;                // something depends on the row at all
};

// What rows have in common. False where they cannot be a pack: order matters (atomics,
// volatile accesses, calls of the unknown), or rows may go different ways behind a write
// or in a loop. `forced`: also where they do so for good reason only. Finished in any
// case.
bool tf_pack_init(struct tf_pack *pack, const struct tf_facts *facts, unsigned rows,
                  bool forced);
void tf_pack_finish(struct tf_pack *pack);
// Whether rows can be a pack, before anything is made of them.
bool tf_pack_is_possible(const struct tf_facts *facts);

// Whether lanes agree about what the rows of a packed function are asked.
bool tf_pack_stays_whole(const struct tf_facts *packed);
// Whether packs may have half of the lanes of the gangs: all that these load for
// themselves still fills registers, by itself or as the wider numbers that are made of
// it.
bool tf_pack_may_halve(const struct tf_plan *gangs);

// Which lanes a pack may have beside those of `packed`.
struct tf_pack_lanes {
    bool may_be_more;   // a few times as many
    bool are_half;      // of those of the gangs
    bool replace_gangs; // of all lanes: there is no code for those
    bool in_any_order;  // what is alive has registers in one that LLVM might find
};

struct tf_pack_width {
    unsigned lanes; // 0: none pays
    uint64_t cost;  // of a lane of one row, in the unit of tf_plan_cost_per_lane()
    bool is_full;   // for want of registers there are none
};

// The width that suits a packed function best, beside `plain`, what a lane costs without
// a pack.
struct tf_pack_width tf_pack_width(const struct tf_plan_of *packed,
                                   const struct tf_pack_lanes *lanes, uint64_t plain);

#endif // TF_COMPILER_WORKGROUP_PLAN_PACK_PACK_H
