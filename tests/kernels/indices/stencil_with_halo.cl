// SPDX-License-Identifier: MIT
// RUN: blur global=64 local=16
// ARG: in int[66] = random(9, 0, 99)
// ARG: out int[64]
// EXPECT: out = in[i] + 2 * in[i + 1] + in[i + 2]
kernel void blur(global const int *in, global int *out)
{
    local int t[18];
    size_t l = get_local_id(0), g = get_global_id(0);
    t[l + 1] = in[g + 1];
    if (l == 0)
        t[0] = in[g];
    if (l == 15)
        t[17] = in[g + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[l] + 2 * t[l + 1] + t[l + 2];
}
