// SPDX-License-Identifier: MIT
// BUILD: options="-cl-std=CL3.0"
// Code may be for groups of one size alone (TREFOIL_VARIANTS): launches with others, with
// smaller groups at the edge, and in planes take other code, in any order.
// RUN: turn global=256 local=64 times=2
// ARG: out uint[256]
// ARG: in uint[256] = i * 7
// ARG: tile local uint[64]
// EXPECT: out = (i / 64 * 64 + 63 - i % 64) * 7 + 64
// RUN: turn global=256 local=128
// ARG: out uint[256]
// ARG: in uint[256] = i * 7
// ARG: tile local uint[128]
// EXPECT: out = (i / 128 * 128 + 127 - i % 128) * 7 + 128
// RUN: turn global=256 local=64
// ARG: out uint[256]
// ARG: in uint[256] = i * 7
// ARG: tile local uint[64]
// EXPECT: out = (i / 64 * 64 + 63 - i % 64) * 7 + 64
// RUN: turn global=259 local=37
// ARG: out uint[259]
// ARG: in uint[259] = i * 7
// ARG: tile local uint[37]
// EXPECT: out = (i / 37 * 37 + 36 - i % 37) * 7 + 37
kernel void turn(global uint *out, global const uint *in, local uint *tile)
{
    uint l = get_local_id(0), m = get_local_size(0), g = get_global_id(0);
    tile[l] = in[g] + get_enqueued_local_size(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[m - 1 - l];
}

// The sum of a group that may be smaller than others, in its first row.
// RUN: planes global=32x12 local=16x4
// ARG: out uint[384]
// ARG: tile local uint[64]
// EXPECT: out = 64 * 100 + 2016
// RUN: planes global=32x12 local=8x6
// ARG: out uint[384]
// ARG: tile local uint[64]
// EXPECT: out = 48 * 100 + 1128
// RUN: planes global=32x12 local=16x4
// ARG: out uint[384]
// ARG: tile local uint[64]
// EXPECT: out = 64 * 100 + 2016
kernel void planes(global uint *out, local uint *tile)
{
    uint m = get_local_size(0) * get_local_size(1), l = get_local_linear_id();
    tile[l] = l;
    for (uint d = 1; d < m; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % (2 * d) == 0 && l + d < m)
            tile[l] += tile[l + d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = m * 100 + tile[0];
}
