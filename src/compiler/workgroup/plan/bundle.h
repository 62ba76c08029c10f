// SPDX-License-Identifier: MIT
// Bundles: accesses of one block at equal distances, with one base, that become accesses
// of whole vectors and shuffles (bundle.c finds them, gang/gang_strided.c makes them).
#ifndef TF_COMPILER_WORKGROUP_PLAN_BUNDLE_H
#define TF_COMPILER_WORKGROUP_PLAN_BUNDLE_H

#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/plan/plan.h"

enum { TF_BUNDLE_UNITS = 32 }; // in a stride, at most

struct passed;
struct tf_late_stores;

struct tf_bundle {
    unsigned number;
    bool is_store;
    bool is_row;           // loads of local memory: all lanes, under any mask
    struct tf_place place; // of the first member
    int64_t stride;        // bytes from lane to lane
    struct tf_value **members;
    int64_t *offsets, *ends; // bytes, as place.offset_bytes
    unsigned count;
    int64_t low_bytes, high_bytes; // what all members touch
    struct passed *passed;         // stores that stand between the members
    unsigned passed_count;
    struct tf_late_stores *late; // of loads: bundles of stores that were begun before
    unsigned late_count;

    // Units: the bytes that all members are made of. Lanes are counted upwards in memory.
    uint64_t unit_bytes;
    bool reversed;       // lane 0 comes last
    unsigned step;       // units of a stride
    unsigned units;      // from the first that is used to behind the last
    unsigned chunk;      // units in one register
    uint64_t used;       // bit i: unit i of each stride
    unsigned *at;        // per member: its first unit
    unsigned operations; // on registers
};

// ---- strips: loads, or stores, of one block that take, of each lane, neighbours in
// memory, while lanes lie anywhere (strip.c finds them, gang/memory/gang_strip.c makes
// them).

// What a lane's neighbours fill: the smallest register.
enum { TF_STRIP_BYTES = 16 };

struct tf_strip {
    unsigned number;           // among bundles
    struct tf_value **members; // in the order of memory; NULL: nobody asks for it
    // The first load that the block comes to, or the last store; and where its element
    // lies, from the strip's beginning.
    struct tf_value *made_at;
    int64_t made_bytes;
    unsigned count;   // of members
    unsigned present; // of these, that are not NULL
    unsigned element_bytes;
};

// How many neighbours a strip has; 0: as many lanes make none.
unsigned tf_strip_members(unsigned width, uint64_t element_bytes);
// Registers written by the loads and shuffles of all of it; or stores, and shuffles.
unsigned tf_strip_operations(const struct tf_plan *p, const struct tf_strip *strip);

#endif // TF_COMPILER_WORKGROUP_PLAN_BUNDLE_H
