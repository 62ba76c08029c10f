// SPDX-License-Identifier: MIT
// Initializers and copies of whole arrays and of parts, small ones and large ones. What
// some work-items fill again leaves the others' as they were.
// RUN: zeros global=75
// ARG: in int[75] = random(1, 0, 300)
// ARG: out int[75]
// EXPECT: out = in[i] % 2 == 0 ? in[i] : 2 * in[i] + 1
// RUN: large_zeros global=75
// ARG: in int[75] = random(2, 0, 299)
// ARG: out int[75]
// EXPECT: out = in[i] + 5
// RUN: again global=75
// ARG: in int[75] = random(3, 0, 19)
// ARG: out int[75]
// EXPECT: out = in[i] % 3 == 1 ? 0 : in[i] * 2 + 19
// RUN: constants global=75
// ARG: in int[75] = random(4, 0, 9)
// ARG: out int[75]
// EXPECT: out = in[i] * in[i] * 2 - (in[i] == 5 ? 24 : 0)
// RUN: copies global=75
// ARG: in int[75] = random(5, 0, 11)
// ARG: out int[75]
// EXPECT: out = in[i] * 7 + (in[i] + 3) % 12 * 7 + i
kernel void zeros(global const int *in, global int *out)
{
    int a[19] = {0};
    int x = in[get_global_id(0)];
    for (int k = 0; k < 19; k++)
        a[(k + x) % 19] += k == 3 ? x : 0;
    a[(x + 4) % 19] = x + 1;
    int sum = 0;
    for (int k = 0; k < 19; k++)
        sum += a[k] != x + 1 || x % 2 ? a[k] : 0;
    out[get_global_id(0)] = sum;
}

kernel void large_zeros(global const int *in, global int *out)
{
    int a[300] = {0};
    int x = in[get_global_id(0)];
    a[x] = x;
    a[299 - x] += 5;
    int sum = 0;
    for (int k = 0; k < 300; k++)
        sum += a[k];
    out[get_global_id(0)] = sum;
}

kernel void again(global const int *in, global int *out)
{
    int a[20];
    int x = in[get_global_id(0)];
    for (int k = 0; k < 20; k++)
        a[k] = k + x;
    if (x % 3 == 1)
        for (int k = 0; k < 20; k++)
            a[k] = 0;
    out[get_global_id(0)] = a[x] + a[19 - x];
}

kernel void constants(global const int *in, global int *out)
{
    int squares[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
    int x = in[get_global_id(0)];
    int before = squares[x];
    squares[5] = 1;
    out[get_global_id(0)] = squares[x] + before;
}

struct row {
    int v[12];
};

kernel void copies(global const int *in, global int *out)
{
    struct row a, b;
    int x = in[get_global_id(0)];
    for (int k = 0; k < 12; k++)
        a.v[k] = k * 7;
    b = a;
    a.v[x] = get_global_id(0);
    out[get_global_id(0)] = b.v[x] + b.v[(x + 3) % 12] + a.v[x];
}
