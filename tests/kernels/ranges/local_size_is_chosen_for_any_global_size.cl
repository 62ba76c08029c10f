// SPDX-License-Identifier: MIT
// Prime, tiny and large sizes; every work-item runs once.
// RUN: mark global=1
// ARG: out int[1] = 0
// EXPECT: out = 1
// RUN: mark global=1009
// ARG: out int[1009] = 0
// EXPECT: out = 1
// RUN: mark global=100000
// ARG: out int[100000] = 0
// EXPECT: out = 1
// RUN: mark global=7x11x13
// ARG: out int[1001] = 0
// EXPECT: out = 1
kernel void mark(global int *out)
{
    size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
                get_global_id(0);
    out[at] += 1;
}
