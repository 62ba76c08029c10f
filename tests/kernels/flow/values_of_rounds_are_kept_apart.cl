// SPDX-License-Identifier: MIT
// Values that a loop hands from round to round: exchanged, kept from the round before, and
// used behind the loop, by work-items that leave it at different times.
// RUN: swaps global=67
// ARG: a int[67] = i * 5 % 11
// ARG: out int[134]
// EXPECT: out = i % 2 == a[i / 2] % 2 ? i / 2 + 1 : 1000 - i / 2
// RUN: turns global=67
// ARG: a int[67] = i * 7 % 10
// ARG: out int[67]
// EXPECT: out = a[i] % 3 == 0 ? 123 : a[i] % 3 == 1 ? 231 : 312
// RUN: before global=67
// ARG: a int[67] = i * 3 % 13
// ARG: out int[134]
// EXPECT: out = i % 2 ? a[i / 2] + 1 : a[i / 2]
// RUN: inner global=67
// ARG: a int[67] = i * 3 % 7
// ARG: out int[67]
// EXPECT: out = a[i] * (a[i] - 1) * (a[i] + 1) / 6
kernel void swaps(global const int *a, global int *out)
{
    int g = get_global_id(0), x = g + 1, y = 1000 - g;
    for (int k = 0; k < a[g]; k++) {
        int t = x;
        x = y;
        y = t;
    }
    out[2 * g] = x;
    out[2 * g + 1] = y;
}

kernel void turns(global const int *a, global int *out)
{
    int g = get_global_id(0), x = 1, y = 2, z = 3;
    for (int k = 0;; k++) {
        if (k == a[g])
            break;
        int t = x;
        x = y;
        y = z;
        z = t;
    }
    out[g] = x * 100 + y * 10 + z;
}

kernel void before(global const int *a, global int *out)
{
    int g = get_global_id(0), last, next = 0;
    do {
        last = next;
        next = next + 1;
    } while (last < a[g]);
    out[2 * g] = last;
    out[2 * g + 1] = next;
}

kernel void inner(global const int *a, global int *out)
{
    int g = get_global_id(0), sum = 0;
    for (int k = 0; k < a[g]; k++) {
        int own = 0;
        for (int n = 0; n < k; n++)
            own += n + 1;
        sum += own;
    }
    out[g] = sum;
}
