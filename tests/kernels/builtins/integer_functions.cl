// SPDX-License-Identifier: MIT
// RUN: functions global=64
// ARG: a int[64] = random(21, -1000000, 1000000)
// ARG: b int[64] = random(22, -1000000, 1000000)
// ARG: out int8[64]
// EXPECT: out = {abs(a[i]), min(a[i], b[i]), max(a[i], b[i]), int((a[i] + b[i]) >> 1), int((a[i] * b[i]) >> 32), int((a[i] << 7) | (uint(a[i]) >> 25)), sum(k, 0, 32, (uint(a[i]) >> k) & 1), int(abs(a[i] - b[i])), ...}
// RUN: saturate global=4
// ARG: a int[4] = {2147483647, -2147483648, 5, -1}
// ARG: out int2[4]
// EXPECT: out = {2147483647, 2147483646, -2147483647, -2147483648, 6, 4, 0, -2, ...}
kernel void functions(global const int *a, global const int *b, global int8 *out)
{
    size_t i = get_global_id(0);
    int x = a[i], y = b[i];
    out[i] = (int8)(abs(x), min(x, y), max(x, y), hadd(x, y), mul_hi(x, y), rotate(x, 7), popcount(x),
                    (int)abs_diff(x, y));
}
kernel void saturate(global const int *a, global int2 *out)
{
    size_t i = get_global_id(0);
    out[i] = (int2)(add_sat(a[i], 1), sub_sat(a[i], 1));
}
