// SPDX-License-Identifier: MIT
// What all work-items read of local memory between two barriers is one value for the group where
// nobody writes any meanwhile: also one that decides about more barriers, and one that is read again
// after the memory has changed.
// RUN: sums global=192 local=48
// ARG: out int[192]
// ARG: tile local int[48]
// EXPECT: out = (i / 48 + 3) * (i / 48 + 2) / 2 + i % 48
// RUN: sums global=96x2 local=32x2
// ARG: out int[192]
// ARG: tile local int[32]
// EXPECT: out = (i % 96 / 32 + 3) * (i % 96 / 32 + 2) / 2 + i % 32
// RUN: own global=192 local=48
// ARG: out int[192]
// ARG: tile local int[48]
// EXPECT: out = 1000 * (47 - i % 48) + i % 48 + (i % 48 == 7 ? 500 : 0)
kernel void sums(global int *out, local int *tile)
{
    int l = get_local_id(0), sum = l;
    if (l == 0)
        tile[0] = get_group_id(0) + 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    int left = tile[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    while (left > 0) {
        sum += left;
        if (l == 0)
            tile[0] = left - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        left = tile[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

// Values that differ, and one that its only reader writes in between.
kernel void own(global int *out, local int *tile)
{
    int l = get_local_id(0), before = 0;
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int turned = tile[47 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 7) {
        before = tile[7];
        tile[7] = 500 + before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1000 * turned + tile[l];
}
