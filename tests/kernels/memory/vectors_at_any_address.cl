// SPDX-License-Identifier: MIT
// Vectors and structs at addresses that only suit their components, which GPUs take:
// undefined, and no reason to end the process.
// RUN: vectors global=40 local=40
// ARG: first int = 1
// ARG: in float[164] = i
// ARG: out float[164] = 0
// EXPECT: out = (i >= 3 && i < 163 ? (i - 2) * 2 : 0)
kernel void vectors(int first, global const float *in, global float *out)
{
    global const float4 *from = (global const float4 *)(in + first);
    global float4 *to = (global float4 *)(out + first + 2);
    size_t i = get_global_id(0);

    to[i] = from[i] * 2.0f;
}
// RUN: sums global=5
// ARG: first int = 3
// ARG: in float[163] = 1
// ARG: out float[5] = 0
// EXPECT: out = 32
kernel void sums(int first, global const float *in, global float *out)
{
    global const float8 *row = (global const float8 *)(in + first + 32 * get_global_id(0));
    float8 sum = 0;

    for (int i = 0; i < 4; i++)
        sum += row[i];
    out[get_global_id(0)] = sum.s0 + sum.s1 + sum.s2 + sum.s3 + sum.s4 + sum.s5 + sum.s6 + sum.s7;
}
struct particle {
    float4 place;
    int4 kind;
};
// RUN: structs global=7 local=7
// ARG: first int = 1
// ARG: in int[57] = i
// ARG: out int[57] = 0
// EXPECT: out = (i >= 1 ? i : 0)
kernel void structs(int first, global const int *in, global int *out)
{
    global const struct particle *from = (global const struct particle *)(in + first);
    global struct particle *to = (global struct particle *)(out + first);
    struct particle one = from[get_global_id(0)];

    to[get_global_id(0)] = one;
}
// RUN: bytes global=16 local=16
// ARG: first int = 3
// ARG: in uchar[259] = i % 256
// ARG: out int[16] = 0
// EXPECT: out = (3 + 16 * i) % 256 + (18 + 16 * i) % 256
kernel void bytes(int first, global const uchar *in, global int *out)
{
    size_t i = get_global_id(0);
    uchar16 row = ((global const uchar16 *)(in + first))[i];

    out[i] = row.s0 + row.sf;
}
// RUN: tile global=32 local=32
// ARG: first int = 1
// ARG: in float[128] = i
// ARG: out float[128] = 0
// EXPECT: out = 4 * (31 - i / 4) + i % 4 + 1
kernel void tile(int first, global const float *in, global float *out)
{
    local float all[129];
    size_t i = get_local_id(0);
    local float4 *own = (local float4 *)(all + first);

    own[i] = ((global const float4 *)in)[i] + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    ((global float4 *)out)[i] = own[31 - i];
}
// The argument itself, by its type.
// RUN: argument global=4
// ARG: from float4[5] = i
// EXPECT: from = i
kernel void argument(global float4 *from)
{
    from[get_global_id(0)] += 0.0f;
}
