// SPDX-License-Identifier: MIT
// One lane of a vector is stored, truncated: what lies behind it is not touched.
// RUN: shorts global=64 local=64
// ARG: in uint[64] = i * 65537 + 262144
// ARG: x uint[64]
// ARG: out uint[64] = 1
// EXPECT: x = (i * 65537 + 262144 + 5) * 3
// EXPECT: out = 1 + (63 - i == 33 ? (63 - i + 5) * 3 : (63 - i) * 4)
// RUN: chars global=64 local=64
// ARG: in uint[64] = i * 16843009
// ARG: x uint[64]
// ARG: out uint[64] = 1
// EXPECT: x = i * 16843009 + 5
// EXPECT: out = 1 + (63 - i == 21 ? 26 : 63 - i)
kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
shorts(global const uint *in, global uint *out_x, global uint *out)
{
    local ushort s[64];
    uint l = get_local_id(0), x = in[l & 63];

    s[l] = (ushort)(x + l * 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    x = (x + 5) * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 33)
        s[l] = (ushort)x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out_x[l] = x;
    out[l] += s[63 - l];
}

kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
chars(global const uint *in, global uint *out_x, global uint *out)
{
    local uchar s[64];
    uint l = get_local_id(0), x = in[l & 63];

    s[l] = (uchar)x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 21)
        s[l] = (uchar)x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out_x[l] = x;
    out[l] += s[63 - l];
}
