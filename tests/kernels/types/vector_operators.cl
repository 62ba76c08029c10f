// SPDX-License-Identifier: MIT
// RUN: mixed global=16
// ARG: a int4[16] = random(1, -1000, 1000)
// ARG: b int4[16] = random(2, 1, 50)
// ARG: out int4[16]
// EXPECT: out = a[i] / b[i] + a[i] % b[i] * 3 - (a[i] << 2) + (b[i] & 7) + (a[i] > b[i] ? -1 : 0)
kernel void mixed(global const int4 *a, global const int4 *b, global int4 *out)
{
    size_t i = get_global_id(0);
    out[i] = a[i] / b[i] + a[i] % b[i] * 3 - (a[i] << 2) + (b[i] & 7) + (a[i] > b[i]);
}
