// SPDX-License-Identifier: MIT
// What work-items that run side by side must not share: how often each went round a loop,
// what they skipped, and memory that only some of them may touch.
// RUN: counts global=67
// ARG: a int[67] = i * 7 % 13
// ARG: out int[67]
// EXPECT: out = a[i] * 100 + a[i]
// RUN: skips global=67
// ARG: a int[67] = i * 5 % 11
// ARG: out int[67]
// EXPECT: out = sum(k, 0, 12, k % 3 == a[i] % 3 ? 0 : k > a[i] ? 0 : 1)
// RUN: never global=67
// ARG: a int[67] = -1
// ARG: p null
// ARG: out int[67] = 5
// EXPECT: out = 5
// RUN: divides global=67
// ARG: a int[67] = i % 3 - 1
// ARG: out int[67]
// EXPECT: out = a[i] > 0 ? 1000 : a[i] < 0 ? -1000 : 1
// RUN: last global=67
// ARG: out int[1]
// EXPECT: out where it >= 0 && it < 67
kernel void counts(global const int *a, global int *out)
{
    int i = get_global_id(0), sum = 0, k;
    for (k = 0;; k++) {
        if (k >= a[i])
            break;
        sum += 100;
    }
    out[i] = sum + k;
}

kernel void skips(global const int *a, global int *out)
{
    int i = get_global_id(0), k = -1, n = 0;
    for (;;) {
        k++;
        if (k < 12 && k % 3 == a[i] % 3)
            continue;
        if (k >= 12 || k > a[i])
            break;
        n++;
    }
    out[i] = n;
}

kernel void never(global const int *a, global const int *p, global int *out)
{
    int i = get_global_id(0);
    if (a[i] > 0)
        out[i] = *p;
}

kernel void divides(global const int *a, global int *out)
{
    int i = get_global_id(0), r = 1;
    if (a[i] != 0)
        r = 1000 / a[i];
    out[i] = r;
}

kernel void last(global int *out)
{
    out[0] = get_global_id(0);
}
