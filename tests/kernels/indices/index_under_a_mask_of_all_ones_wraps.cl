// SPDX-License-Identifier: MIT
// A mask of all ones keeps every bit, but the sum under it wraps all the same.
// RUN: k global=64 local=64
// ARG: a uint[64] = i * 3
// ARG: out ulong[64] = 0
// ARG: base uint = 4294967291
// ARG: m uint = 4294967295
// ARG: look int = 0
// EXPECT: out = i < 5 ? i + 4294967291 : i - 5
kernel void k(global const uint *a, global ulong *out, uint base, uint m, int look)
{
    uint g = get_global_id(0), i = (g + base) & m;
    out[g] = i;
    if (look)
        out[g] += a[i];
}
