// SPDX-License-Identifier: MIT
// Neighbouring rows of work-items that load the same elements, in ranges whose rows are no
// whole packs, whose groups are one row each, or whose offsets are not 0.
// RUN: product global=70x11
// ARG: width int = 70
// ARG: depth int = 9
// ARG: a int[99] = random(1, -9, 9)
// ARG: b int[630] = random(2, -9, 9)
// ARG: c int[770]
// EXPECT: c = sum(k, 0, 9, a[i / 70 * 9 + k] * b[k * 70 + i % 70])
// RUN: product global=64x13 local=16x1
// ARG: width int = 64
// ARG: depth int = 5
// ARG: a int[65] = random(3, -9, 9)
// ARG: b int[320] = random(4, -9, 9)
// ARG: c int[832]
// EXPECT: c = sum(k, 0, 5, a[i / 64 * 5 + k] * b[k * 64 + i % 64])
// RUN: product global=33x8 local=3x4
// ARG: width int = 33
// ARG: depth int = 3
// ARG: a int[24] = random(5, -9, 9)
// ARG: b int[99] = random(6, -9, 9)
// ARG: c int[264]
// EXPECT: c = sum(k, 0, 3, a[i / 33 * 3 + k] * b[k * 33 + i % 33])
// RUN: product global=1x7
// ARG: width int = 1
// ARG: depth int = 3
// ARG: a int[21] = i
// ARG: b int[3] = {1, 10, 100}
// ARG: c int[7]
// EXPECT: c = 333 * i + 210
// RUN: places global=40x6x3 local=8x3x1 offset=2x5x1
// ARG: out int[720]
// EXPECT: out = (i % 40 + 2) * 10000 + (i / 40 % 6 + 5) * 100 + i / 240 + 1 + (i / 40 % 3) * 1000000
// RUN: tables global=48x9
// ARG: in int[9] = i * 3
// ARG: out int[432]
// EXPECT: out = i / 48 * 9 + i % 4 * 2 + (i + 1) % 4
// RUN: one_for_all_rows global=32x8
// ARG: in int[32] = i * i
// ARG: out int[32]
// EXPECT: out = i * i + 1
// RUN: two_sides global=40x10
// ARG: width int = 40
// ARG: in int[400] = random(7, 0, 99)
// ARG: out int[400]
// EXPECT: out = (i < 40 ? 0 : in[i - 40]) + in[i] + (i >= 360 ? 0 : in[i + 40])
kernel void product(int width, int depth, global const int *a, global const int *b, global int *c)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int k = 0; k < depth; k++)
        sum += a[y * depth + k] * b[k * width + x];
    c[y * width + x] = sum;
}

// Ids of all kinds.
kernel void places(global int *out)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t row = (z - 1) * 6 + y - 5;
    out[row * 40 + x - 2] = x * 10000 + y * 100 + z + get_local_id(1) * 1000000;
}

// Private arrays: each row has its own.
kernel void tables(global const int *in, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), table[4];
    for (int k = 0; k < 4; k++)
        table[k] = in[y] + k;
    table[(x + 1) & 3] += table[x & 3];
    out[y * 48 + x] = table[x & 3] + table[(x + 1) & 3];
}

// All rows write the same.
kernel void one_for_all_rows(global const int *in, global int *out)
{
    int x = get_global_id(0);
    if (get_global_id(1) < 8)
        out[x] = in[x] + 1;
}

// What one row loads, the next one does, too; the first and the last are different.
kernel void two_sides(int width, global const int *in, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), height = get_global_size(1), sum = 0;
    for (int d = -1; d <= 1; d++) {
        if (y + d >= 0 && y + d < height)
            sum += in[(y + d) * width + x];
    }
    out[y * width + x] = sum;
}
