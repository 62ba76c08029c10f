// SPDX-License-Identifier: MIT
// pocl/pocl#553: two nested loops round two barriers, each under a condition on arguments,
// and a third behind the loops. Rounds were run more than once.
// RUN: rounds global=12 local=6
// ARG: seen int[12] = 0
// ARG: out int[12]
// ARG: first int = 1
// ARG: second int = 2
// EXPECT: seen = 6
// EXPECT: out = 6 * 100 + 6 * ((i % 6 + 1) % 6) + 3
// RUN: rounds global=12 local=6
// ARG: seen int[12] = 0
// ARG: out int[12]
// ARG: first int = 0
// ARG: second int = 0
// EXPECT: seen = 6
// EXPECT: out = 6 * 100
// RUN: rounds global=12 local=6
// ARG: seen int[12] = 0
// ARG: out int[12]
// ARG: first int = 5
// ARG: second int = -5
// EXPECT: seen = 6
// EXPECT: out = 6 * 100 + 6 * ((i % 6 + 1) % 6) + 3
kernel void rounds(global int *seen, global int *out, int first, int second)
{
    local int tile[6];
    int lid = get_local_id(0), gid = get_global_id(0), result = 0;
    int outer_end = 1, inner_end = 1;
    if (first < 100) {
        outer_end = 2;
        inner_end = 3;
    }
    tile[lid] = lid;
    for (int outer = 0; outer < outer_end; outer++) {
        for (int inner = 0; inner < inner_end; inner++) {
            atomic_inc(seen + gid);
            if (second > first)
                barrier(CLK_LOCAL_MEM_FENCE);
            if (first > 0) {
                barrier(CLK_LOCAL_MEM_FENCE);
                result += tile[(lid + 1) % 6];
            }
            result += 100;
        }
    }
    if (first > 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        result += 3;
    }
    out[gid] = result;
}
