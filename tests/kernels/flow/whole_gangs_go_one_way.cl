// SPDX-License-Identifier: MIT
// Branches that all items of a row take, or none, or some: behind a store, between
// barriers, with both sides, with loops inside, with values that cross.
// RUN: behind_a_store global=100x3 local=20x1
// ARG: in int[300] = i * 7
// ARG: out int[300] = -1
// ARG: more int[300] = -1
// ARG: n uint = 37
// EXPECT: out = in[i]
// EXPECT: more = i % 100 < 37 ? in[i] * 3 : -1
// RUN: behind_a_store global=100x3
// ARG: in int[300] = i * 7
// ARG: out int[300] = -1
// ARG: more int[300] = -1
// ARG: n uint = 100
// EXPECT: out = in[i]
// EXPECT: more = in[i] * 3
// RUN: small_elements global=200 local=40
// ARG: in uchar[200] = i * 7
// ARG: out uchar[200]
// ARG: n uint = 131
// EXPECT: out = i < 131 ? i * 7 % 256 + 1 : i * 7
// RUN: both_sides global=192 local=64
// ARG: in int[192] = i
// ARG: out int2[192]
// EXPECT: out = {i < 90 ? i + 5 : i * 2, i < 90 ? i * 3 : 7, ...}
// RUN: with_loops global=192 local=64
// ARG: in int[192] = i
// ARG: out int[192]
// ARG: n int = 5
// EXPECT: out = i % 64 < 40 ? i + 5 * i + 10 : i
// RUN: strided_between_barriers global=192 local=64
// ARG: out int[192]
// EXPECT: out = i % 64 < 32 ? (i - i % 64) / 64 + 4 * (i % 64) + 1 + (i % 64 >= 16 ? 1 : 0) : -1
// RUN: tree global=192 local=64
// ARG: in int[192] = i * i
// ARG: out int[3]
// EXPECT: out = sum(k, i * 64, i * 64 + 64, k * k)
// RUN: running_sums global=192 local=64
// ARG: in int[192] = i * i
// ARG: out int[192]
// EXPECT: out = sum(k, i - i % 64, i + 1, k * k)
// RUN: running_sums global=90 local=30
// ARG: in int[90] = i
// ARG: out int[90]
// EXPECT: out = sum(k, i - i % 30, i + 1, k)

kernel void behind_a_store(global const int *in, global int *out, global int *more, uint n)
{
    uint x = get_global_id(0), i = get_global_id(1) * 100 + x;
    out[i] = in[i];
    if (x < n)
        more[i] = in[i] * 3;
}

kernel void small_elements(global const uchar *in, global uchar *out, uint n)
{
    uint i = get_global_id(0);
    uchar x = in[i];
    out[i] = x;
    if (i < n)
        out[i] = x + 1;
}

kernel void both_sides(global const int *in, global int2 *out)
{
    int i = get_global_id(0), x;
    local int side[64];
    side[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 90) {
        x = side[get_local_id(0)] + 5;
        side[get_local_id(0)] = i * 3;
    } else {
        x = i * 2;
        side[get_local_id(0)] = 7;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (int2)(x, side[get_local_id(0)]);
}

kernel void with_loops(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), l = get_local_id(0), sum = 0;
    local int side[64];
    side[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 40) {
        for (int k = 0; k < n; k++)
            sum += in[i] + k;
        side[l] += sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = side[l];
}

kernel void strided_between_barriers(global int *out)
{
    int l = get_local_id(0), g = get_group_id(0);
    local int pairs[128];
    pairs[l] = -1;
    pairs[l + 64] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32) {
        pairs[4 * l] = g + 4 * l;
        pairs[4 * l + 1] = g + 4 * l + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 16) {
        if (l < 32)
            pairs[4 * l + 1] += 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l < 32 ? pairs[4 * l + 1] : -1;
}

kernel void tree(global const int *in, global int *out)
{
    int l = get_local_id(0);
    local int s[64];
    s[l] = in[get_global_id(0)];
    for (int n = 32; n; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            s[l] += s[l + n];
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}

kernel void running_sums(global const int *in, global int *out)
{
    int l = get_local_id(0);
    local int s[64];
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 1; n < (int)get_local_size(0); n *= 2) {
        int x = 0;
        if (l >= n)
            x = s[l - n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= n)
            s[l] += x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[l];
}
