// SPDX-License-Identifier: MIT
// Work-items leave loops over their arrays at different times, or take no part: what they
// wrote stays. Indices of those that take no part may be any.
// RUN: insert global=101
// ARG: a int[1111] = random(1, 0, 50)
// ARG: out int[1111]
// EXPECT: out where i % 11 == 0 || it >= after(out[i - 1])
// EXPECT: out where sum(k, i / 11 * 11, i / 11 * 11 + 11, a[k] == it) == sum(k, i / 11 * 11, i / 11 * 11 + 11, after(out[k]) == it)
// RUN: count global=101
// ARG: a int[101] = random(2, 0, 64)
// ARG: out int[101]
// EXPECT: out = 2 * a[i]
// RUN: some global=101
// ARG: a int[101] = random(3, -1000000000, 1000000000)
// ARG: out int[101]
// EXPECT: out = a[i] >= 0 && a[i] < 17 ? 1 : 16
// RUN: swap global=101
// ARG: a int[101] = random(4, 0, 30)
// ARG: out int[101]
// EXPECT: out = a[i] % 2 ? a[i] / 2 + 1 + 100 : a[i] / 2
kernel void insert(global const int *a, global int *out)
{
    int v[11];
    size_t base = get_global_id(0) * 11;
    for (int n = 0; n < 11; n++) {
        int x = a[base + n], at = n;
        while (at > 0 && v[at - 1] > x) {
            v[at] = v[at - 1];
            at--;
        }
        v[at] = x;
    }
    for (int n = 0; n < 11; n++)
        out[base + n] = v[n];
}

kernel void count(global const int *a, global int *out)
{
    ushort v[64];
    int x = a[get_global_id(0)], sum = 0;
    for (int n = 0; n < x; n++)
        v[n] = 1;
    for (int n = x; n < 64; n++)
        v[n] = 2;
    for (int n = 63; n >= 0 && v[n] == 2; n--)
        v[n] = 0;
    for (int n = 0; n < 64; n++)
        sum += v[n] + (n < x);
    out[get_global_id(0)] = sum;
}

kernel void some(global const int *a, global int *out)
{
    int v[17];
    int x = a[get_global_id(0)];
    for (int n = 0; n < 17; n++)
        v[n] = n;
    if (x >= 0 && x < 17)
        v[x] = 1;
    out[get_global_id(0)] = x >= 0 && x < 17 ? v[x] : v[16];
}

// Two arrays in turn, through one pointer.
kernel void swap(global const int *a, global int *out)
{
    int even[20], odd[20];
    int *to = even, *other = odd;
    int x = a[get_global_id(0)];
    for (int n = 0; n < 20; n++) {
        even[n] = 0;
        odd[n] = 100;
    }
    for (int n = 0; n < x; n++) {
        int *last = to;
        to[n / 2] += 0;
        to[19] += 1;
        to = other;
        other = last;
    }
    out[get_global_id(0)] = x % 2 ? even[19] + odd[18] : odd[19] - 100;
}
