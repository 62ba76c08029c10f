// SPDX-License-Identifier: MIT
// RUN: transpose global=16x24 local=8x8
// ARG: in int[384] = i
// ARG: out int[384]
// EXPECT: out = i % 24 * 16 + i / 24
kernel void transpose(global const int *in, global int *out)
{
    local int tile[8][9];
    size_t gx = get_group_id(0), gy = get_group_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[(gy * 8 + ly) * 16 + gx * 8 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx * 8 + ly) * 24 + gy * 8 + lx] = tile[lx][ly];
}
