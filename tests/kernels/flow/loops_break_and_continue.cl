// SPDX-License-Identifier: MIT
// RUN: count global=50
// ARG: out int[50]
// EXPECT: out = sum(a, 1, i + 1, a % 4 == 0 ? 0 : min(a, 10))
kernel void count(global int *out)
{
    int i = get_global_id(0), sum = 0;
    for (int a = 1;; a++) {
        if (a > i)
            break;
        if (a % 4 == 0)
            continue;
        int b = 0;
        do {
            if (b == 10)
                break;
            b++;
            sum++;
        } while (b < a);
    }
    out[i] = sum;
}
