// SPDX-License-Identifier: MIT
// Lanes leave a loop in different rounds, by different exits, each with the values of its last
// round; values of the loop outside stay while other lanes go on inside.
// RUN: two_exits global=67
// ARG: a int[67] = i * 7 % 20
// ARG: b int[67] = i % 5
// ARG: out int[67]
// EXPECT: out = (a[i] + 2) / 3 <= b[i] ? (a[i] + 2) / 3 : 100 + b[i]
// RUN: next_of_outer global=67
// ARG: a int[67] = i * 5 % 11
// ARG: out int[67]
// EXPECT: out = 6 * a[i] + 14
// RUN: out_of_both global=67
// ARG: a int[67] = i * 7 % 20
// ARG: out int[67]
// EXPECT: out = a[i] * 1000 + a[i] / 4 * 10 + a[i] % 4
// RUN: behind_it global=67
// ARG: a int[67] = i % 9 - 2
// ARG: out int[67]
// EXPECT: out = a[i] < 0 ? -1 : a[i] * 10 + a[i] % 3
kernel void two_exits(global const int *a, global const int *b, global int *out)
{
    int i = get_global_id(0), result;
    for (int k = 0;; k++) {
        if (k * 3 >= a[i]) {
            result = k;
            break;
        }
        if (k == b[i]) {
            result = 100 + k;
            break;
        }
    }
    out[i] = result;
}

kernel void next_of_outer(global const int *a, global int *out)
{
    int i = get_global_id(0), sum = 0, outer = 0, k = 0;
again:
    for (;; k++) {
        if (k >= a[i] + outer) {
            k = 0;
            if (++outer < 4)
                goto again;
            break;
        }
        sum += outer;
    }
    out[i] = sum;
}

kernel void out_of_both(global const int *a, global int *out)
{
    int i = get_global_id(0), x, y, n = 0;
    for (y = 0; y < 8; y++) {
        for (x = 0; x < 4; x++) {
            if (n == a[i])
                goto found;
            n++;
        }
    }
found:
    out[i] = n * 1000 + y * 10 + x;
}

kernel void behind_it(global const int *a, global int *out)
{
    int i = get_global_id(0), result = -1;
    if (a[i] >= 0) {
        int k = 0, turn = 0;
        while (k < a[i]) {
            k++;
            turn = turn == 2 ? 0 : turn + 1;
        }
        result = k * 10 + turn;
    }
    out[i] = result;
}
