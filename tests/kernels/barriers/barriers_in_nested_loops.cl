// SPDX-License-Identifier: MIT
// RUN: pairs global=32 local=8
// ARG: out int[32]
// EXPECT: out = sum(a, 0, 3, sum(b, 0, a + 1, (i + a + b) % 8))
kernel void pairs(global int *out)
{
    local int tile[8];
    int lid = get_local_id(0), sum = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            tile[lid] = lid;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += tile[(lid + a + b) % 8];
        }
    out[get_global_id(0)] = sum;
}
