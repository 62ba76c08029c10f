// SPDX-License-Identifier: MIT
// Cells of memory that was accessed, by address. A page has one a word as long as words
// are accessed as a whole, then one a byte.
#ifndef TF_DEVICES_CPU_CHECK_CHECK_SHADOW_H
#define TF_DEVICES_CPU_CHECK_CHECK_SHADOW_H

#include "devices/cpu/check/check_state.h"

// One access. time 0: none.
struct tf_check_mark {
    uint32_t time; // of the launch
    uint32_t group;
    uint32_t site : 31;
    uint32_t is_atomic : 1;
    uint16_t item;   // number in the group
    uint16_t launch; // number in the family (check_family.h)
};

struct tf_check_cell {
    uint64_t owner;    // the launch, or group, that all of this is of
    uint32_t released; // the latest time that an atomic operation left here
    struct tf_check_mark write, reads[2];
};

enum { TF_CHECK_WORD_BYTES = 4 };

// The cell of the word or byte at `address`, of an access of `bytes` that begins or ends
// elsewhere; *next becomes the address behind what it stands for. NULL: out of memory.
struct tf_check_cell *tf_check_shadow_cell(struct tf_check_shadow *shadow,
                                           uint64_t address, uint64_t bytes,
                                           uint64_t *next);

#endif // TF_DEVICES_CPU_CHECK_CHECK_SHADOW_H
