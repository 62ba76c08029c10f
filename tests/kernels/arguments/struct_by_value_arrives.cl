// SPDX-License-Identifier: MIT
// A struct with gaps, a vector, an array and a nested struct.
struct inner {
    char tag;
    long wide;
};
struct outer {
    char c;
    float4 v;
    short s[3];
    struct inner in;
};
// RUN: unpack global=1
// ARG: o struct{char,float4,short[3],struct{char,long}} = {-3, 1.5, 2.5, 3.5, 4.5, 10, -20, 30, 7, -5000000000}
// ARG: after_it int = 77
// ARG: out float[10]
// EXPECT: out = {-3, 1.5, 2.5, 3.5, 4.5, 10, -20, 30, 7, 77}
// RUN: wide global=1
// ARG: o struct{char,float4,short[3],struct{char,long}} = {-3, 1.5, 2.5, 3.5, 4.5, 10, -20, 30, 7, -5000000000}
// ARG: out long[2]
// EXPECT: out = {-5000000000, 64}
kernel void unpack(struct outer o, int after_it, global float *out)
{
    out[0] = o.c;
    vstore4(o.v, 0, out + 1);
    for (int i = 0; i < 3; i++)
        out[5 + i] = o.s[i];
    out[8] = o.in.tag;
    out[9] = after_it;
}
kernel void wide(struct outer o, global long *out)
{
    out[0] = o.in.wide;
    out[1] = sizeof(struct outer);
}
