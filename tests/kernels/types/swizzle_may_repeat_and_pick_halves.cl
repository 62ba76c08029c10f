// SPDX-License-Identifier: MIT
// RUN: pick global=4
// ARG: a short8[4] = 8 * i + j
// ARG: out short8[4]
// EXPECT: out = {8*i, 8*i, 8*i+7, 8*i+7, 8*i+1, 8*i+3, 8*i+4, 8*i+5, ...}
kernel void pick(global const short8 *a, global short8 *out)
{
    short8 x = a[get_global_id(0)];
    out[get_global_id(0)] = (short8)(x.s00, x.s77, x.odd.lo, x.hi.lo);
}
