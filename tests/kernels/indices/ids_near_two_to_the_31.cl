// SPDX-License-Identifier: MIT
// Ids of 64 bits, where those of 32 bits would end.
// RUN: ids global=96 offset=2147483600
// ARG: in int[192] = i
// ARG: out ulong[96]
// ARG: cut int[96]
// EXPECT: out = 2147483600 + i + i
// EXPECT: cut = i < 48 ? 2147483600 + i : 2147483600 + i - 4294967296
// RUN: ids global=48 offset=2147483600
// ARG: in int[192] = i
// ARG: out ulong[48]
// ARG: cut int[48]
// EXPECT: out = 2147483600 + i + i
// EXPECT: cut = 2147483600 + i
// RUN: ids global=96 offset=4294967250
// ARG: in int[192] = i
// ARG: out ulong[96]
// ARG: cut int[96]
// EXPECT: out = 4294967250 + i + i
// EXPECT: cut = i - 46
// RUN: ids global=96 offset=1000000000000
// ARG: in int[192] = i
// ARG: out ulong[96]
// ARG: cut int[96]
// EXPECT: out = 1000000000000 + i + i
// EXPECT: cut where 1
kernel void ids(global const int *in, global ulong *out, global int *cut)
{
    size_t i = get_global_id(0) - get_global_offset(0);
    out[i] = get_global_id(0) + in[i];
    cut[i] = (int)get_global_id(0);
}
