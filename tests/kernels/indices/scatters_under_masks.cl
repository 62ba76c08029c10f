// SPDX-License-Identifier: MIT
// Stores of some lanes to places of their own, in elements of every size: the others
// change nothing, wherever their indices point.
// RUN: bytes global=1003
// ARG: out uchar[4096] = 7
// ARG: in uint[1003] = random(1, 0, 999)
// EXPECT: out = i % 4 == 1 && i / 4 < 1003 ? (in[i / 4 % 1003] % 3 ? 7 : in[i / 4 % 1003] % 256) : 7
// RUN: shorts global=1003
// ARG: out short[2006] = -1
// ARG: in uint[1003] = random(2, 0, 999)
// EXPECT: out = in[(2005 - i) / 2] % 2 == 0 && i % 2 ? in[(2005 - i) / 2] : -1
// RUN: words global=70 local=7
// ARG: out int[280] = -1
// ARG: in uint[70] = random(3, 0, 99)
// EXPECT: out = i % 4 == 0 && in[i / 4] > 50 ? i / 4 : i % 4 == 2 && in[i / 4] > 20 ? 1000 + i / 4 : -1
// RUN: longs global=1003
// ARG: out ulong[4012] = 3
// ARG: in uint[1003] = random(4, 0, 99)
// EXPECT: out = i % 4 == 3 && in[i / 4] % 5 == 2 ? 5000000000 + in[i / 4] : 3
// RUN: pairs global=1003
// ARG: out float2[3009] = -0.5
// ARG: in uint[1003] = random(5, 0, 99)
// EXPECT: out = i % 3 == 0 && in[i / 3] & 1 ? in[i / 3] + j : -0.5
// RUN: past_the_end global=1000
// ARG: out int[10] = 1
// ARG: in uint[1000] = i * 100000
// EXPECT: out = 1 + i
// RUN: in_local_memory global=1024 local=64
// ARG: out ushort[1024]
// ARG: in uint[1024] = random(6, 0, 99)
// EXPECT: out = in[i - i % 64 + (63 - i % 64)] > 30 ? 63 - i % 64 : 500
kernel void bytes(global uchar *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i];

    if (x % 3 == 0)
        out[i * 4 + 1] = x;
}

kernel void shorts(global short *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i];

    if (!(x & 1))
        out[2005 - 2 * i] = x;
}

kernel void words(global int *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i];

    if (x > 20) {
        out[4 * i + 2] = 1000 + i;
        if (x > 50)
            out[4 * i] = i;
    }
}

kernel void longs(global ulong *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i];

    if (x % 5 == 2)
        out[4 * i + 3] = 5000000000ul + x;
}

kernel void pairs(global float2 *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i];

    if (x & 1)
        out[3 * i] = (float2)(x, x + 1);
}

// Where most lanes' indices would end the process.
kernel void past_the_end(global int *out, global const uint *in)
{
    uint i = get_global_id(0), place = in[i] / 100000 * (i < 10 ? 1 : 100000);

    if (place < 10)
        out[place] += i;
}

kernel void in_local_memory(global ushort *out, global const uint *in)
{
    local ushort part[64];
    uint l = get_local_id(0), x = in[get_global_id(0)];

    part[l] = 500;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > 30)
        part[63 - l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[l];
}
