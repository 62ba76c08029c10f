// SPDX-License-Identifier: MIT
// Work-items beyond the guard that a kernel begins with have no work, and need not run; all others must.
// RUN: returns global=200x3
// ARG: out int[600] = -1
// ARG: n int = 137
// EXPECT: out = i % 200 < 137 ? i : -1
// RUN: returns global=200x3 local=8x1
// ARG: out int[600] = -1
// ARG: n int = -5
// EXPECT: out = -1
// RUN: returns global=100x6 local=20x3
// ARG: out int[600] = -1
// ARG: n int = 1000000
// EXPECT: out = i % 100 < 100 ? i : -1
// RUN: triangle global=64x64
// ARG: out int[4096] = -1
// ARG: size int = 64
// ARG: t int = 23
// EXPECT: out = i % 64 >= 23 && (i - i % 64) / 64 > 23 ? i : -1
// RUN: triangle global=64x64 local=4x16
// ARG: out int[4096] = -1
// ARG: size int = 64
// ARG: t int = 60
// EXPECT: out = i % 64 >= 60 && (i - i % 64) / 64 > 60 ? i : -1
// RUN: inside global=100x1x3
// ARG: out uint[600] = 7
// ARG: n uint = 300
// EXPECT: out = i % 100 > 0 && i % 100 < 99 && i < 200 ? i : 7
// RUN: inside global=100x1x3
// ARG: out uint[600] = 7
// ARG: n uint = 4294967295
// EXPECT: out = i % 100 > 0 && i % 100 < 99 && i < 200 ? i : 7
// RUN: one_of_all global=300
// ARG: out int[300] = -1
// ARG: n int = 211
// EXPECT: out = i == 211 ? 5 : -1
// RUN: one_of_all global=300
// ARG: out int[300] = -1
// ARG: n int = -1
// EXPECT: out = -1
// RUN: long_bound global=300
// ARG: out int[300] = -1
// ARG: n long = 4294967297
// EXPECT: out = i
// RUN: long_bound global=300
// ARG: out int[300] = -1
// ARG: n long = -4294967297
// EXPECT: out = -1
// RUN: long_bound global=300 offset=0
// ARG: out int[300] = -1
// ARG: n long = 9223372036854775807
// EXPECT: out = i
// RUN: either_end global=300
// ARG: out int[300] = -1
// ARG: n int = 100
// EXPECT: out = i < 100 || i > 250 ? i : -1
// RUN: behind_a_store global=300
// ARG: out int[300] = -1
// ARG: n int = 100
// EXPECT: out = i < 100 ? i : 3
// RUN: of_memory global=300
// ARG: out int[300] = -1
// ARG: in int[2] = 77
// EXPECT: out = i < 77 ? i : -1
// RUN: wraps global=96 offset=2147483400
// ARG: out int[96] = -1
// ARG: n int = -2147483640
// EXPECT: out = i >= 48 && i < 56 ? i : -1
// RUN: wraps global=20 offset=2147483400
// ARG: out int[20] = -1
// ARG: n int = 2147483611
// EXPECT: out = i < 11 ? i : -1
// RUN: in_a_loop global=300
// ARG: out int[300] = -1
// ARG: n int = 100
// EXPECT: out = i < 100 ? i : -1

kernel void returns(global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= n)
        return;
    out[y * get_global_size(0) + x] = y * get_global_size(0) + x;
}

// Columns in dimension 1, rows in dimension 0.
kernel void triangle(global int *out, int size, int t)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < size - 1 - t && y < size - t) {
        int at = size * (x + 1 + t) + y + t;
        out[at] = at;
    }
}

kernel void inside(global uint *out, uint n)
{
    uint x = get_global_id(0), z = get_global_id(2);
    if (x >= 1 && x <= 98 && x < n) {
        if (z + 1 < 3 && z <= n)
            out[z * 100 + x] = z * 100 + x;
    }
}

kernel void one_of_all(global int *out, int n)
{
    if (get_global_id(0) == n)
        out[n] = 5;
}

kernel void long_bound(global int *out, long n)
{
    long i = get_global_id(0);
    if (i < n)
        out[i] = i;
}

kernel void either_end(global int *out, int n)
{
    int i = get_global_id(0);
    if (i < n || i > 250)
        out[i] = i;
}

kernel void behind_a_store(global int *out, int n)
{
    int i = get_global_id(0);
    out[i] = 3;
    if (i < n)
        out[i] = i;
}

kernel void of_memory(global int *out, global const int *in)
{
    int i = get_global_id(0);
    if (i < in[1])
        out[i] = i;
}

// Wraps where it may: the cast of a sum of 64 bits.
kernel void wraps(global int *out, int n)
{
    int i = (int)(get_global_id(0) + 200);
    if (i < n)
        out[get_global_id(0) - get_global_offset(0)] = get_global_id(0) - get_global_offset(0);
}

kernel void in_a_loop(global int *out, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) {
        if (i >= n)
            return;
        out[i] = i;
    }
}
