// SPDX-License-Identifier: MIT
// RUN: ids global=32 local=8 offset=100
// ARG: out int[132] = -1
// EXPECT: out = i < 100 ? -1 : i * 1000 + (i - 100) / 8 * 10 + (i - 100) % 8
kernel void ids(global int *out)
{
    size_t g = get_global_id(0);
    out[g] = g * 1000 + get_group_id(0) * 10 + get_local_id(0);
}
