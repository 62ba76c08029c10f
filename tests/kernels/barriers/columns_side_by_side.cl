// SPDX-License-Identifier: MIT
// Each work-item goes down a column of its own between two barriers: the items may make
// their rounds together, which changes no result, whatever else a round does.
// RUN: histogram global=192 local=64
// ARG: bins uint[48] = 0
// ARG: in uchar[1536] = i * 7 % 256
// ARG: rounds uint = 8
// EXPECT: bins = sum(k, 0, 512, (512 * (i / 16) + k) * 7 % 256 / 16 == i % 16)
// RUN: follow global=128 local=32
// ARG: out uint[128] = 100
// ARG: in uint[1024] = i
// ARG: rounds uint = 8
// EXPECT: out = 100 + 8 * (256 * (i / 32) + i % 32) + 28 * 32 + 28 + sum(k, 0, 8, 32 - k)
// RUN: follow global=128 local=32
// ARG: out uint[128] = 100
// ARG: in uint[1024] = i
// ARG: rounds uint = 0
// EXPECT: out = 100

kernel void histogram(global uint *bins, global const uchar *in, uint rounds)
{
    local uint counts[16];
    uint l = get_local_id(0), size = get_local_size(0);

    if (l < 16)
        counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < rounds; k++)
        atomic_inc(&counts[in[(get_group_id(0) * rounds + k) * size + l] / 16]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        bins[get_group_id(0) * 16 + l] = counts[l];
}

// Each round sees what the one before has stored, and no other item's.
kernel void follow(global uint *out, global const uint *in, uint rounds)
{
    local uint own[32], left[32];
    int l = get_local_id(0), size = get_local_size(0), base = get_group_id(0) * 256 + l;

    own[l] = 0;
    left[l] = size;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < rounds; k++) {
        own[l] = own[l] + in[base + (int)k * size] + k + left[l];
        left[l]--;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] += own[l];
}
