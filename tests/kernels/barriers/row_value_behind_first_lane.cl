// SPDX-License-Identifier: MIT
// The first work-item of each row brings a number for all of it, at an index that the others
// compute as well.
// RUN: scale global=64x8 local=16x4
// ARG: in float[9] = i + 1
// ARG: data float[512] = i % 7
// ARG: row local float[4]
// ARG: tile local float[64]
// EXPECT: data = i % 7 * (i / 64 + 2) + (i / 64 % 2 ? 0 : (i + 64) % 7 * (i / 64 + 3))
__kernel void scale(__global const float *in, __global float *data, __local float *row,
                    __local float *tile)
{
    const int x = get_local_id(0), y = get_local_id(1);
    const int at = get_global_id(1) * (int)get_global_size(0) + (int)get_global_id(0);

    if (x == 0)
        row[y] = in[(int)get_group_id(1) * 4 + y + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[y * 16 + x] = data[at] * row[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y % 2 == 0)
        tile[y * 16 + x] += tile[(y + 1) * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[at] = tile[y * 16 + x];
}
