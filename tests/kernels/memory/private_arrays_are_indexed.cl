// SPDX-License-Identifier: MIT
// RUN: sort global=64
// ARG: a int[512] = random(3, 0, 1000)
// ARG: out int[512]
// EXPECT: out where i % 8 == 0 || it >= after(out[i - 1])
// EXPECT: out where sum(k, i / 8 * 8, i / 8 * 8 + 8, a[k] == it) == sum(k, i / 8 * 8, i / 8 * 8 + 8, after(out[k]) == it)
kernel void sort(global const int *a, global int *out)
{
    int v[8];
    size_t base = get_global_id(0) * 8;
    for (int n = 0; n < 8; n++)
        v[n] = a[base + n];
    for (int n = 1; n < 8; n++)
        for (int m = n; m > 0 && v[m] < v[m - 1]; m--) {
            int t = v[m];
            v[m] = v[m - 1];
            v[m - 1] = t;
        }
    for (int n = 0; n < 8; n++)
        out[base + n] = v[n];
}
