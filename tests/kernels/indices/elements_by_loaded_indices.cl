// SPDX-License-Identifier: MIT
// Elements at indices that come from memory: of both signs and sizes, wanted twice, wanted
// for something else, too, and of structs.
// RUN: indices global=70
// ARG: at int[70] = random(1, -35, 34)
// ARG: far ulong[70] = random(2, 0, 69)
// ARG: in int[70] = random(3, -1000, 1000)
// ARG: out int[70]
// EXPECT: out = in[at[i] + 35] + 3 * in[far[i]]
// RUN: twice global=70
// ARG: at uint[70] = random(4, 0, 69)
// ARG: in int[70] = random(5, -1000, 1000)
// ARG: other float[70] = random(6, -1000, 1000)
// ARG: out float[70]
// EXPECT: out = in[at[i]] + 2 * other[at[i]]
// RUN: index_too global=70
// ARG: at ushort[70] = random(7, 0, 69)
// ARG: in int[70] = random(8, -1000, 1000)
// ARG: out int[70]
// EXPECT: out = in[at[i]] * at[i]
// RUN: members global=70
// ARG: at int[70] = random(9, 0, 34)
// ARG: in int[70] = random(10, -1000, 1000)
// ARG: out int[70]
// EXPECT: out = in[2 * at[i]] - 3 * in[2 * at[i] + 1]
// RUN: moved global=70
// ARG: at int[70] = i * 7 % 70
// ARG: in int[70] = 3 * i
// EXPECT: at = i * 21 % 210
struct pair { int first, second; };

kernel void indices(global const int *at, global const ulong *far, global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = (in + 35)[at[i]] + 3 * in[far[i]];
}

kernel void twice(global const uint *at, global const int *in, global const float *other, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = in[at[i]] + 2 * other[at[i]];
}

kernel void index_too(global const ushort *at, global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = in[at[i]] * at[i];
}

kernel void members(global const int *at, global const struct pair *in, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = in[at[i]].first - 3 * in[at[i]].second;
}

// What is read over the index has its place.
kernel void moved(global int *at, global const int *in)
{
    size_t i = get_global_id(0);
    at[i] = in[at[i]];
}
