// SPDX-License-Identifier: MIT
// Bundles: accesses of one block at equal distances, with one base, that become accesses
// of whole vectors and shuffles (bundle.c finds them, gang/gang_strided.c makes them).
#ifndef TF_COMPILER_WORKGROUP_PLAN_BUNDLE_H
#define TF_COMPILER_WORKGROUP_PLAN_BUNDLE_H

#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/plan/plan.h"

enum { TF_BUNDLE_UNITS = 32 }; // in a stride, at most

struct passed;

struct tf_bundle {
    unsigned number;
    bool is_store;
    struct tf_place place; // of the first member
    int64_t stride;        // bytes from lane to lane
    struct tf_value **members;
    int64_t *offsets, *ends; // bytes, as place.offset_bytes
    unsigned count;
    int64_t low_bytes, high_bytes; // what all members touch
    struct passed *passed;         // stores that stand between the members
    unsigned passed_count;

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

#endif // TF_COMPILER_WORKGROUP_PLAN_BUNDLE_H
