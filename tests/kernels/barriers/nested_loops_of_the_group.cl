// SPDX-License-Identifier: MIT
// Loops in loops with barriers, whose counters are those of the group: a way through what
// is between two barriers changes some of them, and leaves the others as they are.

kernel void three_deep(global uint *out, uint n)
{
    uint x = 0;
    for (uint i = 0; i < n; i++) {
        x += i;
        for (uint j = 0; j < 2; j++) {
            x += j;
            for (uint k = 8; k > 0; k /= 2)
                barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[get_global_id(0)] = x;
}
// RUN: three_deep global=64 local=16
// ARG: out uint[64]
// ARG: n uint = 2
// EXPECT: out[0..63] = 3
// RUN: three_deep global=64 local=16
// ARG: out uint[64]
// ARG: n uint = 5
// EXPECT: out[0..63] = 15

kernel void left_early(global uint *out, uint n)
{
    uint x = 0, y = 100;
    for (uint i = 0; i < n; i++) {
        for (uint j = 0; j < 3; j++) {
            x += i * j;
            for (uint k = 4; k > 0; k--) {
                barrier(CLK_LOCAL_MEM_FENCE);
                if (k == i)
                    break;
                y -= k == j;
            }
        }
        if (i == 3)
            x += 1000;
    }
    out[get_global_id(0)] = x * 1000 + y;
}
// RUN: left_early global=64 local=16
// ARG: out uint[64]
// ARG: n uint = 5
// EXPECT: out[0..63] = 1030097
