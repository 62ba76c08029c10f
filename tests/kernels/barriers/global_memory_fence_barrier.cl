// SPDX-License-Identifier: MIT
// Work-items of a group see each other's global writes after the barrier.
// RUN: run global=64 local=16
// ARG: scratch int[64]
// ARG: out int[64]
// EXPECT: out = (i / 16 * 16 + 15 - i % 16) * 2
kernel void run(global int *scratch, global int *out)
{
    size_t g = get_global_id(0), l = get_local_id(0);
    scratch[g] = 2 * (int)g;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = scratch[g - l + 15 - l];
}
