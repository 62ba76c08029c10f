// SPDX-License-Identifier: MIT
// RUN: choose global=16
// ARG: c int4[16] = {-1, 0, 1, -2147483648, ...}
// ARG: out int4[16]
// EXPECT: out = c[i] < 0 ? 10 + j : 20 + j
kernel void choose(global const int4 *c, global int4 *out)
{
    size_t i = get_global_id(0);
    out[i] = c[i] ? (int4)(10, 11, 12, 13) : (int4)(20, 21, 22, 23);
}
