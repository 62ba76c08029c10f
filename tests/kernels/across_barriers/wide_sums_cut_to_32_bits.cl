// SPDX-License-Identifier: MIT
// A sum of 64 bits whose lower half alone is compared: it is small again for items behind
// those for which it is large.
// RUN: of_the_run global=64 local=32
// ARG: out int[64] = 0
// ARG: n uint = 3272356035
// EXPECT: out = i % 32 >= 1 && i % 32 <= 16 ? 1 : 0
// RUN: of_a_constant global=64 local=32
// ARG: out int[64] = 0
// ARG: n uint = 3272356035
// EXPECT: out = i % 32 >= 1 && i % 32 <= 16 ? 1 : 0
kernel void of_the_run(global int *out, uint n)
{
    local int t[64];
    local uint s;
    size_t l = get_local_id(0);
    t[l] = 0;
    if (l == 0)
        s = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong off = (ulong)s * 21;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((uint)(((ulong)(uint)l + off) >> 4) == 0)
        t[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
}

kernel void of_a_constant(global int *out, uint n)
{
    local int t[64];
    size_t l = get_local_id(0);
    ulong off = 0xFFFFFFFFFUL;
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong a = ((ulong)(uint)l + off) >> 4;
    uint b = (uint)a;
    if (b == 0)
        t[l] = 1 + (a == 1) + b;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
}
