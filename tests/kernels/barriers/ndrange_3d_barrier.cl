// SPDX-License-Identifier: MIT
// RUN: mirror global=4x4x4 local=2x4x2
// ARG: data int[64] = i
// EXPECT: data = (i / 32 * 2 + 1 - i / 16 % 2) * 16 + (3 - i / 4 % 4) * 4 + i % 4 / 2 * 2 + 1 - i % 2
kernel void mirror(global int *data)
{
    local int t[16];
    size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    size_t g = (get_global_id(2) * 4 + get_global_id(1)) * 4 + get_global_id(0);
    t[(z * 4 + y) * 2 + x] = data[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[g] = t[((1 - z) * 4 + 3 - y) * 2 + 1 - x];
}
