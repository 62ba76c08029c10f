// SPDX-License-Identifier: MIT
// Loops of the same length for all, under conditions that hold for some work-items, for
// none, or for none of a neighbourhood.
// RUN: loops global=99
// ARG: a int[99] = i / 33 == 1 ? 0 : i % 2
// ARG: n int = 5
// ARG: out int[99]
// EXPECT: out = a[i] ? 10 + 25 : 0
// RUN: loops global=99
// ARG: a int[99] = 0
// ARG: n int = 1000000
// ARG: out int[99]
// EXPECT: out = 0
// RUN: leave global=70
// ARG: a int[70] = i < 20 ? 1 : 0
// ARG: n int = 4
// ARG: out int[70] = 7
// EXPECT: out = i < 20 ? 7 : 1 + 2 + 3
kernel void loops(global const int *a, int n, global int *out)
{
    int g = get_global_id(0), sum = 0;
    if (a[g]) {
        for (int k = 0; k < n; k++) {
            sum += k;
            for (int j = 0; j < n; j++)
                sum += a[g + (k - k)];
        }
    }
    out[g] = sum;
}

kernel void leave(global const int *a, int n, global int *out)
{
    int g = get_global_id(0), sum = 0;
    if (a[g])
        return;
    for (int k = 0; k < n; k++)
        sum += k;
    out[g] = sum;
}
