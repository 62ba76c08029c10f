// SPDX-License-Identifier: MIT
// RUN: scale global=20
// ARG: v int3[20] = i * 10 + j
// EXPECT: v = (i * 10 + j) * 2
// RUN: packed global=20
// ARG: v int[60] = i
// EXPECT: v = i + 100
// RUN: size global=1
// ARG: out int[2]
// EXPECT: out = {16, 12}
kernel void scale(global int3 *v)
{
    v[get_global_id(0)] *= 2;
}
kernel void packed(global int *v)
{
    int3 x = vload3(get_global_id(0), v);
    vstore3(x + 100, get_global_id(0), v);
}
kernel void size(global int *out)
{
    out[0] = sizeof(int3);
    out[1] = 3 * sizeof(int);
}
