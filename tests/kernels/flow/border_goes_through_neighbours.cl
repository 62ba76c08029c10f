// SPDX-License-Identifier: MIT
// Borders that lie between work-items side by side: the end of the data, the first and
// the last element, indices that are clamped, and limits that an index wraps past.
// RUN: guarded global=80
// ARG: n int = 67
// ARG: a int[67] = i
// ARG: out int[67]
// EXPECT: out = 2 * i + 1
// RUN: guarded global=64
// ARG: n int = 0
// ARG: a null
// ARG: out int[1] = 5
// EXPECT: out = 5
// RUN: clamped global=67
// ARG: n int = 67
// ARG: a int[67] = i * i
// ARG: out int[67]
// EXPECT: out = (i < 2 ? 0 : (i - 2) * (i - 2)) + (i > 65 ? 4356 : (i + 1) * (i + 1))
// RUN: inner global=67
// ARG: n int = 67
// ARG: a int[67] = i
// ARG: out int[67] = -1
// EXPECT: out = i == 0 || i == 66 ? -1 : 3 * i
// RUN: one_differs global=67
// ARG: n int = 37
// ARG: out int[67]
// EXPECT: out = i == 37 ? 1 : 2
// RUN: wraps global=67
// ARG: n uint = 20
// ARG: out int[67]
// EXPECT: out = i >= 7 && i < 27 ? 1 : 2
// RUN: in_loop global=67
// ARG: n int = 67
// ARG: a int[67] = i
// ARG: out int[67]
// EXPECT: out = sum(k, 0, 5, i + k - 2 >= 0 && i + k - 2 < 67 ? i + k - 2 : 0)
// RUN: rows global=19x5
// ARG: n int = 19
// ARG: a int[95] = i
// ARG: out int[95]
// EXPECT: out = i % 19 == 18 || i / 19 == 4 ? i : 2 * i + 20
kernel void guarded(int n, global const int *a, global int *out)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = 2 * a[i] + 1;
}

kernel void clamped(int n, global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[clamp(i - 2, 0, n - 1)] + a[clamp(i + 1, 0, n - 1)];
}

kernel void inner(int n, global const int *a, global int *out)
{
    int i = get_global_id(0);
    if (i == 0 || i == n - 1)
        return;
    out[i] = a[i - 1] + a[i] + a[i + 1];
}

kernel void one_differs(int n, global int *out)
{
    int i = get_global_id(0);
    out[i] = i != n ? 2 : 1;
}

kernel void wraps(uint n, global int *out)
{
    uint i = get_global_id(0);
    out[i] = i - 7 < n ? 1 : 2;
}

kernel void in_loop(int n, global const int *a, global int *out)
{
    int i = get_global_id(0), sum = 0;
    for (int k = -2; k <= n - 65; k++) {
        int at = i + k;
        if (at >= 0 && at < n)
            sum += a[at];
    }
    out[i] = sum;
}

kernel void rows(int n, global const int *a, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n - 1 && y < 4)
        out[y * n + x] = a[y * n + x] + a[(y + 1) * n + x + 1];
    else
        out[y * n + x] = a[y * n + x];
}
