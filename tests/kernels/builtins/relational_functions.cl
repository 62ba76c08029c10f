// SPDX-License-Identifier: MIT
// RUN: run global=16
// ARG: a float4[16] = (i * 7 + j * 3) % 5
// ARG: b float4[16] = (i * 3 + j * 5) % 5
// ARG: out int4[16]
// ARG: any_all int2[16]
// EXPECT: out = a[i] > b[i] ? -1 : 0
// EXPECT: any_all = j == 0 ? a[i, 0] > b[i, 0] || a[i, 1] > b[i, 1] || a[i, 2] > b[i, 2] || a[i, 3] > b[i, 3] : a[i, 0] > b[i, 0] && a[i, 1] > b[i, 1] && a[i, 2] > b[i, 2] && a[i, 3] > b[i, 3]
// RUN: choose global=16
// ARG: a int4[16] = i + j
// ARG: b int4[16] = 100 + i + j
// ARG: out int4[16]
// ARG: bits uint[16]
// EXPECT: out = (i + j) % 2 ? b[i] : a[i]
// EXPECT: bits = (a[i, 0] & 65520) | (b[i, 0] & 15)
// RUN: signs global=3
// ARG: a long[3] = {-5, 0, 4294967295}
// ARG: b char[3] = {1, -128, 127}
// ARG: out int4[3]
// EXPECT: out = j < 2 ? a[i] < 0 : b[i] < 0
kernel void run(global const float4 *a, global const float4 *b, global int4 *out, global int2 *any_all)
{
    size_t i = get_global_id(0);
    int4 greater = isgreater(a[i], b[i]);
    out[i] = greater;
    any_all[i] = (int2)(any(greater), all(greater));
}
kernel void choose(global const int4 *a, global const int4 *b, global int4 *out, global uint *bits)
{
    size_t i = get_global_id(0);
    out[i] = select(a[i], b[i], -((int4)(i, i + 1, i + 2, i + 3) & 1));
    bits[i] = bitselect((uint)a[i].x, (uint)b[i].x, 15u);
}
kernel void signs(global const long *a, global const char *b, global int4 *out)
{
    size_t i = get_global_id(0);
    out[i] = (int4)(any(a[i]), all(a[i]), any(b[i]), all(b[i]));
}
