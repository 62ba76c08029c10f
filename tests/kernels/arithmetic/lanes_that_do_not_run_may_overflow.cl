// SPDX-License-Identifier: MIT
// Signed sums that no active work-item lets overflow; those of the first work-items would,
// but they are not active.
// RUN: below global=64
// ARG: a int[64] = i * 3
// ARG: out int[64] = -1
// ARG: c int = -2147483648
// EXPECT: out = i >= 5 ? (i - 5) * 3 : -1
// RUN: above global=64
// ARG: a int[64] = i * 3
// ARG: out int[64] = -1
// ARG: c int = 2147483647
// EXPECT: out = i >= 5 ? (i - 5) * 3 : -1
// RUN: in_rounds global=64
// ARG: a int[68] = i * 3
// ARG: out int[64] = -1
// ARG: c int = -2147483648
// ARG: n int = 4
// EXPECT: out = i < 5 ? -1 : (i - 5) * 12 + 18
// RUN: halves global=64
// ARG: a int[64] = i * 3
// ARG: out int[64] = -1
// ARG: c int = -2147483648
// EXPECT: out = i >= 5 ? (i - 5) * 3 : -1
// RUN: chosen global=64
// ARG: a int[64] = i * 3
// ARG: out int[64] = -1
// ARG: c int = -2147483648
// ARG: n int = 4
// EXPECT: out = i >= 5 ? (i - 5) * 3 : -1
// RUN: moved_up global=64
// ARG: a int[64] = i * 3
// ARG: out int[64] = -1
// ARG: c int = -2147483648
// EXPECT: out = i >= 5 ? (i - 5) * 3 : -1
kernel void below(global const int *a, global int *out, int c)
{
    int g = get_global_id(0);
    if (g >= 5) {
        int j = (g - 5) + c;             // INT_MIN + 0.. : no overflow where it runs
        out[g] = a[(long)j + 0x80000000L];
    }
}

kernel void above(global const int *a, global int *out, int c)
{
    int g = get_global_id(0);
    if (g >= 5) {
        int j = c - (g - 5);
        out[g] = a[0x7fffffffL - j];
    }
}

kernel void in_rounds(global const int *a, global int *out, int c, int n)
{
    int g = get_global_id(0), s = 0;
    if (g >= 5) {
        int j = (g - 5) + c;
        for (int k = 0; k < n; k++, j++)
            s += a[(long)j + 0x80000000L];
        out[g] = s;
    }
}

kernel void halves(global const int *a, global int *out, int c)
{
    int g = get_global_id(0);
    if (g >= 5) {
        int j = 2 * (g - 5) + c;
        out[g] = a[(j >> 1) + 0x40000000];
    }
}

kernel void chosen(global const int *a, global int *out, int c, int n)
{
    int g = get_global_id(0);
    if (g >= 5) {
        int j = n > 3 ? (g - 5) + c : g;
        out[g] = a[(long)j + 0x80000000L];
    }
}

// The sum stands before the branch: nobody uses it where it overflows.
kernel void moved_up(global const int *a, global int *out, int c)
{
    int g = get_global_id(0);
    long j = (long)((g - 5) + (g >= 5 ? c : 0)) + 0x80000000L;
    if (g >= 5)
        out[g] = a[j];
}
