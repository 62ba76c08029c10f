// SPDX-License-Identifier: MIT
// RUN: convert global=64
// ARG: f float[64] = random(13, -100.0, 100.0)
// ARG: i1 int[64]
// ARG: c1 char[64]
// ARG: f1 float[64]
// ARG: l1 long[64]
// EXPECT: i1 = int(f[i])
// EXPECT: c1 = char(int(f[i]))
// EXPECT: f1 = float(uchar(int(f[i])))
// EXPECT: l1 = -(4294967296 + i)
// RUN: vectors global=16
// ARG: in short4[16] = 100 * i + j - 800
// ARG: f float4[16]
// ARG: u uchar4[16]
// EXPECT: f = in[i]
// EXPECT: u = uchar(in[i])
kernel void convert(global const float *f, global int *i1, global char *c1, global float *f1,
                    global long *l1)
{
    size_t i = get_global_id(0);
    i1[i] = (int)f[i];
    c1[i] = convert_char(convert_int(f[i]));
    f1[i] = (uchar)(int)f[i];
    l1[i] = -convert_long((ulong)4294967296UL + i);
}
kernel void vectors(global const short4 *in, global float4 *f, global uchar4 *u)
{
    size_t i = get_global_id(0);
    f[i] = convert_float4(in[i]);
    u[i] = convert_uchar4(in[i]);
}
