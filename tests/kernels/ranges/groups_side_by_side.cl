// SPDX-License-Identifier: MIT
// Nobody asks for a place in the group: groups of a row may run as one.
// BUILD: options="-cl-std=CL3.0"
// RUN: mark global=103x5x2 local=3x2x1 offset=7x0x5
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
// RUN: mark global=103x5x2 local=1x1x1 offset=1000x2000x3000
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
// RUN: mark global=103x5x2 local=7x1x2
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
// RUN: mark global=103x5x2 local=2x5x1
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
// RUN: mark global=1030 local=64
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
// RUN: mark global=1030 local=300
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
// RUN: mark global=1x1030 local=1x4
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
// RUN: mark global=5x206 local=1x4
// ARG: counts int[1030] = 0
// EXPECT: counts = i + 1
kernel void mark(global int *counts)
{
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    counts[at] += at + 1;
}
