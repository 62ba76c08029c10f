// SPDX-License-Identifier: MIT
// Arrays of elements of all sizes, with one index for all work-items and with one each.
// Loops are too long to be unrolled.
// RUN: bytes global=83
// ARG: in int[83] = random(1, 0, 100)
// ARG: out int[83]
// EXPECT: out = (in[i] + in[i] % 40) % 256 + (in[i] + 39) % 256
// RUN: shorts global=83
// ARG: in int[83] = random(2, 0, 100)
// ARG: out int[83]
// EXPECT: out = in[i] % 40 * 300 - in[i] + 39 * 300 - in[i]
// RUN: longs global=83
// ARG: in int[83] = random(3, 0, 100)
// ARG: out long[83]
// EXPECT: out = in[i] % 40 * 5000000000 + in[i] + 39 * 5000000000 + in[i]
// RUN: vectors global=83
// ARG: in int[83] = random(4, 0, 100)
// ARG: out int4[83]
// EXPECT: out = (j == 1 ? 7 : in[i] % 40 * (j + 1)) + 39 * (j + 1)
// RUN: structs global=83
// ARG: in int[83] = random(5, 0, 100)
// ARG: out int[83]
// EXPECT: out = in[i] % 40 * 3 + 39 * 5 + in[i] % 40 + in[i]
// RUN: planes global=83
// ARG: in int[83] = random(6, 0, 100)
// ARG: out int[83]
// EXPECT: out = in[i] % 9 * 100 + in[i] % 7 + 8 * 100 + in[i]
// RUN: walk global=83
// ARG: in int[83] = random(7, 0, 100)
// ARG: out int[83]
// EXPECT: out = in[i] % 40 * in[i] + 39 * in[i]
kernel void bytes(global const int *in, global int *out)
{
    uchar a[40];
    int x = in[get_global_id(0)];
    for (int k = 0; k < 40; k++)
        a[k] = k + x;
    out[get_global_id(0)] = a[x % 40] + a[39];
}

kernel void shorts(global const int *in, global int *out)
{
    short a[40];
    int x = in[get_global_id(0)];
    for (int k = 0; k < 40; k++)
        a[k] = k * 300 - x;
    out[get_global_id(0)] = a[x % 40] + a[39];
}

kernel void longs(global const int *in, global long *out)
{
    long a[40];
    int x = in[get_global_id(0)];
    for (int k = 0; k < 40; k++)
        a[k] = k * 5000000000 + x;
    out[get_global_id(0)] = a[x % 40] + a[39];
}

// A component of one element of each work-item is changed.
kernel void vectors(global const int *in, global int4 *out)
{
    int4 a[40];
    int x = in[get_global_id(0)];
    for (int k = 0; k < 40; k++)
        a[k] = (int4)(k, 2 * k, 3 * k, 4 * k);
    int4 last = a[39];
    a[x % 40].y = 7;
    out[get_global_id(0)] = a[x % 40] + last;
}

struct pair {
    int x;
    int y;
};

kernel void structs(global const int *in, global int *out)
{
    struct pair a[40];
    int x = in[get_global_id(0)];
    for (int k = 0; k < 40; k++) {
        a[k].x = k * 3;
        a[k].y = k * 5;
    }
    int last = a[39].y;
    a[x % 40].y = x;
    a[39 - x % 40] = (struct pair){x % 40, 0};
    struct pair mine = a[x % 40];
    out[get_global_id(0)] = mine.x + last + a[39 - x % 40].x + mine.y;
}

kernel void planes(global const int *in, global int *out)
{
    int a[9][7];
    int x = in[get_global_id(0)];
    for (int r = 0; r < 9; r++)
        for (int k = 0; k < 7; k++)
            a[r][k] = r * 100 + k;
    int mine = a[x % 9][x % 7];
    a[8][x % 7] += x - x % 7;
    out[get_global_id(0)] = mine + a[8][x % 7];
}

kernel void walk(global const int *in, global int *out)
{
    int a[40];
    int x = in[get_global_id(0)], n = 0;
    int *p = a, *end = a + 40;
    while (p != end)
        *p++ = n++ * x;
    p = a;
    for (int k = 0; k < x % 40; k++)
        p++;
    out[get_global_id(0)] = *p + end[-1];
}
