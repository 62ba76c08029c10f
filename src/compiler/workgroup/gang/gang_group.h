// SPDX-License-Identifier: MIT
// Accesses that become one (gang_group.c finds them, gang_strided.c makes them).
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_GROUP_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_GROUP_H

#include "compiler/workgroup/gang/gang_access.h"

enum { GANG_GROUP_UNITS = 32 }; // in a stride, at most

struct passed;

struct gang_group {
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
    bool reversed;  // lane 0 comes last
    unsigned step;  // units of a stride
    unsigned units; // from the first that is used to behind the last
    unsigned chunk; // units in one register
    uint64_t used;  // bit i: unit i of each stride
    unsigned *at;   // per member: its first unit
    unsigned operations;

    LLVMValueRef *results; // per member of a group of loads, when they are made
    unsigned made;         // members seen
};

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_GROUP_H
