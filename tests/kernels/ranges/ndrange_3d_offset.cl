// SPDX-License-Identifier: MIT
// RUN: ids global=4x6x3 local=2x3x1 offset=10x20x30
// ARG: out int4[72]
// EXPECT: out = {10 + i % 4, 20 + i / 4 % 6, 30 + i / 24, i % 4 / 2 + 10 * (i / 4 % 6 / 3) + 100 * (i / 24), ...}
kernel void ids(global int4 *out)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t at = ((z - get_global_offset(2)) * get_global_size(1) + y - get_global_offset(1)) *
                    get_global_size(0) + x - get_global_offset(0);
    out[at] = (int4)(x, y, z, get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2));
}
