// SPDX-License-Identifier: MIT
// RUN: ids global=12x6 local=4x3
// ARG: out int4[72]
// EXPECT: out = {i % 12 * 100 + i / 12, i % 12 / 4 * 100 + i / 12 / 3, i % 12 % 4 * 100 + i / 12 % 3, 300 + 2, ...}
// RUN: ids global=12x6
// ARG: out int4[72]
// EXPECT: out where j != 0 || it == i % 12 * 100 + i / 12
kernel void ids(global int4 *out)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] =
        (int4)(x * 100 + y, get_group_id(0) * 100 + get_group_id(1),
               get_local_id(0) * 100 + get_local_id(1), get_num_groups(0) * 100 + get_num_groups(1));
}
