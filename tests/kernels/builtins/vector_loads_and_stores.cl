// SPDX-License-Identifier: MIT
// vload and vstore need the alignment of one component only.
// RUN: move global=7
// ARG: in short[64] = i * 3
// ARG: out short[64] = -1
// EXPECT: out = i < 1 || i > 56 ? -1 : (i + 2) * 3
// RUN: from_local global=8 local=8
// ARG: out float[33] = 0
// EXPECT: out = i == 0 ? 0 : i
kernel void move(global const short *in, global short *out)
{
    size_t i = get_global_id(0);
    vstore8(vload8(i, in + 3), i, out + 1);
}
kernel void from_local(global float *out)
{
    local float t[33];
    size_t l = get_local_id(0);
    for (size_t n = l; n < 33; n += 8)
        t[n] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore4(vload4(l, t + 1), l, out + 1);
}
