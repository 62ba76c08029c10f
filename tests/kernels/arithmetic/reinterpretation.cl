// SPDX-License-Identifier: MIT
// RUN: bits global=32
// ARG: f float[32] = i * 0.75 - 3
// ARG: out uint[32]
// ARG: back float[32]
// EXPECT: back = -f[i]
// EXPECT: out where (it >> 31) == (f[i] < 0)
// RUN: bytes global=8
// ARG: in uint[8] = 16909060 * i
// ARG: out uchar4[8]
// EXPECT: out = in[i] >> (8 * j)
kernel void bits(global const float *f, global uint *out, global float *back)
{
    size_t i = get_global_id(0);
    out[i] = as_uint(f[i]);
    back[i] = as_float(as_uint(f[i]) ^ 0x80000000);
}
kernel void bytes(global const uint *in, global uchar4 *out)
{
    out[get_global_id(0)] = as_uchar4(in[get_global_id(0)]);
}
