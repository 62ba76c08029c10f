// SPDX-License-Identifier: MIT
// What one work-item prints comes in order; calls in functions, loops and branches. A line
// without an end is there, too, when the kernel is finished.
// RUN: count global=1
// ARG: n int = 3
// OUTPUT: "0: even 1: odd 2: even; end"
void number(int i)
{
    printf("%d: %s ", i, i % 2 ? "odd" : "even");
}

kernel void count(int n)
{
    for (int i = 0; i < n; i++) {
        if (i == n - 1)
            printf("%d: even;", i);
        else
            number(i);
    }
    printf(" end");
}
