// SPDX-License-Identifier: MIT
// Loops whose rounds have variables of their own, left by break, continue and return, also out of
// loops in loops; values of the round that left are used behind the loop.
// RUN: find global=70
// ARG: table int[64] = 3 * i
// ARG: out int[70]
// EXPECT: out = i % 3 == 0 && i < 190 ? i / 3 : -1
// RUN: nested global=50
// ARG: out int[50]
// EXPECT: out = i % 7 == 0 ? -i : i % 7 == 5 ? 500 + i : 100 * (i % 7) + i % 7 + 10
// RUN: halved global=40
// ARG: in int[40] = 5 * i - 60
// ARG: out int[40]
// EXPECT: out = in[i] < -20 ? 0 : in[i] % 2 == 0 ? in[i] / 2 : in[i] / 3
kernel void find(global const int *table, global int *out)
{
    int i = get_global_id(0), low = 0, high = 63, found = -1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int there = table[middle];
        if (there == i) {
            found = middle;
            break;
        }
        if (there < i)
            low = middle + 1;
        else
            high = middle - 1;
    }
    out[i] = found;
}

kernel void nested(global int *out)
{
    int i = get_global_id(0), last = 0, sum = 0;
    for (int a = 0; a < 10; a++) {
        int rest = i % 7;
        if (rest == 0) {
            out[i] = -i;
            return;
        }
        for (int b = 0; b < 10; b++) {
            int both = a + b;
            if (both < rest)
                continue;
            if (rest == 5) {
                out[i] = 500 + i;
                return;
            }
            last = both;
            break;
        }
        int ends = a == 9;
        if (ends)
            break;
        sum++;
    }
    out[i] = 100 * (i % 7) + (last == 9 ? i % 7 : last) + sum + 1;
}

kernel void halved(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i];
    out[i] = 0;
    if (x >= -20)
        out[i] = x % 2 == 0 ? x / 2 : x / 3;
}
