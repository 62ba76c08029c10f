// SPDX-License-Identifier: MIT
// Scaled indices count whole vectors or structs; what is read begins within one and ends in
// the next, or is the second member.
// BUILD: options="-cl-std=CL3.0"
// RUN: pairs global=64 local=64
// ARG: in float2[200] = i * 2 + j
// ARG: f float = 1
// ARG: out float2[64]
// EXPECT: out = i*2 + 1 + j
// RUN: fours global=64 local=64
// ARG: in int4[200] = i * 4 + j
// ARG: f float = 1
// ARG: out int4[64]
// EXPECT: out = i*4 + 1 + j
// RUN: halves global=64 local=64
// ARG: in struct{int,int}[200] = i * 2 + j
// ARG: f float = 0.5
// ARG: out int2[64]
// EXPECT: out = i/2*2 + 1 + j
// RUN: members global=64 local=64
// ARG: in struct{int,int}[200] = i * 2 + j
// ARG: f float = 0.5
// ARG: out int[64]
// EXPECT: out = i/2*2 + 1
kernel void pairs(global const float2 *in, float f, global float2 *out)
{
    int x = get_global_id(0);
    out[x] = vload2(0, (global const float *)(in + (int)(x * f)) + 1);
}

kernel void fours(global const int4 *in, float f, global int4 *out)
{
    int x = get_global_id(0);
    out[x] = vload4(0, (global const int *)(in + (int)(x * f)) + 1);
}

struct two {
    int a, b;
};

struct __attribute__((packed)) unaligned {
    long value;
};

kernel void halves(global const struct two *in, float f, global long *out)
{
    int x = get_global_id(0);
    out[x] = ((global const struct unaligned *)&in[(int)(x * f)].b)->value;
}

kernel void members(global const struct two *in, float f, global int *out)
{
    int x = get_global_id(0);
    out[x] = in[(int)(x * f)].b;
}
