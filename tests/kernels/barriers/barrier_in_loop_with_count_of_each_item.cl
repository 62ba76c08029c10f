// SPDX-License-Identifier: MIT
// pocl/pocl#1167: all work-items reach a barrier that stands in a loop whose count is
// another for each of them.
// RUN: count global=6 local=6
// ARG: out int[6]
// EXPECT: out = i
// RUN: exchange global=40 local=20
// ARG: out int[40]
// EXPECT: out = 10 * ((i + 1) % 20) + (i % 20) % 4
kernel void count(global int *out)
{
    int lid = get_local_id(0), n = -1;
    for (int i = 0; i < lid + 1; i++) {
        if (i == 0)
            barrier(CLK_LOCAL_MEM_FENCE);
        n++;
    }
    out[get_global_id(0)] = n;
}

kernel void exchange(global int *out)
{
    local int tile[20];
    int lid = get_local_id(0), size = get_local_size(0), other = 0, rounds = 0;
    for (int i = 0; i <= lid % 4; i++) {
        if (i == 0) {
            tile[lid] = 10 * lid;
            barrier(CLK_LOCAL_MEM_FENCE);
            other = tile[(lid + 1) % size];
        } else {
            rounds++;
        }
    }
    out[get_global_id(0)] = other + rounds;
}
