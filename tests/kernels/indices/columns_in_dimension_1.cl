// SPDX-License-Identifier: MIT
// The column is the id of dimension 1: lanes may lie along it.
// RUN: copy global=37x53 offset=3x5
// ARG: in int[1961] = 3 * i
// ARG: out int[1961] = 0
// EXPECT: out = 3 * i + i / 53 + 3 + 1000 * (i % 53 + 5)
// RUN: copy global=37x53 local=1x1
// ARG: in int[1961] = 3 * i
// ARG: out int[1961] = 0
// EXPECT: out = 3 * i + i / 53 + 1000 * (i % 53)
// RUN: copy global=40x48 local=8x3 offset=0x7
// ARG: in int[1920] = 3 * i
// ARG: out int[1920] = 0
// EXPECT: out = 3 * i + i / 48 + 1000 * (i % 48 + 7)
// RUN: copy global=64x3
// ARG: in int[192] = 3 * i
// ARG: out int[192] = 0
// EXPECT: out = 3 * i + i / 3 + 1000 * (i % 3)
// RUN: copy global=1x200 local=1x100
// ARG: in int[200] = 3 * i
// ARG: out int[200] = 0
// EXPECT: out = 3 * i + 1000 * i
// RUN: copy global=100
// ARG: in int[100] = 3 * i
// ARG: out int[100] = 0
// EXPECT: out = 4 * i
kernel void copy(global const int *in, global int *out)
{
    size_t row = get_global_id(0), column = get_global_id(1);
    size_t i = (row - get_global_offset(0)) * get_global_size(1) + column - get_global_offset(1);
    out[i] = in[i] + (int)row + 1000 * (int)column;
}

// RUN: product global=24x40 local=4x8
// ARG: c float[960] = 0
// ARG: a float[720] = i % 7
// ARG: b float[1200] = i % 5
// ARG: n int = 40
// ARG: depth int = 30
// EXPECT: c where it >= 0
// RUN: product global=24x40
// ARG: c float[960] = 0
// ARG: a float[720] = 2
// ARG: b float[1200] = i % 40
// ARG: n int = 40
// ARG: depth int = 30
// EXPECT: c = 60 * (i % 40)
kernel void product(global float *c, global const float *a, global const float *b, int n, int depth)
{
    int row = get_global_id(0), column = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < depth; k++)
        sum += a[row * depth + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// RUN: volume global=5x33x4 local=5x3x2 offset=1x2x3
// ARG: out int[660] = 0
// EXPECT: out = i / 33 % 5 + 1 + 10 * (i % 33 + 2) + 1000 * (i / 165 + 3)
// RUN: volume global=5x33x4 local=1x11x1
// ARG: out int[660] = 0
// EXPECT: out = i / 33 % 5 + 10 * (i % 33) + 1000 * (i / 165)
kernel void volume(global int *out)
{
    int y = get_global_id(0), x = get_global_id(1), z = get_global_id(2);
    int at_y = y - get_global_offset(0), at_x = x - get_global_offset(1), at_z = z - get_global_offset(2);
    out[(at_z * (int)get_global_size(0) + at_y) * (int)get_global_size(1) + at_x] =
        y + 10 * x + 1000 * z;
}

// Only the column matters: all rows write the same.
// RUN: flags global=9x70
// ARG: out int[70] = 0
// EXPECT: out = i + 1
kernel void flags(global int *out)
{
    out[get_global_id(1)] = get_global_id(1) + 1;
}
