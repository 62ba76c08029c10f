// SPDX-License-Identifier: MIT
// RUN: swizzle global=8
// ARG: a int4[8] = 4 * i + j
// ARG: out int8[8]
// EXPECT: out = {4*i+3, 4*i+2, 4*i+1, 4*i, 4*i, 4*i+2, -1, 4*i+1, ...}
kernel void swizzle(global const int4 *a, global int8 *out)
{
    size_t i = get_global_id(0);
    int8 r;
    r.lo = a[i].wzyx;
    r.s4 = a[i].even.x;
    r.s57 = a[i].zy;
    r.s6 = -1;
    out[i] = r;
}
