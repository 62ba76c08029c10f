// SPDX-License-Identifier: MIT
// Rows that go different ways than their neighbours: at borders, every other one, and in
// loops of which each row has its own number of rounds.
// RUN: inner global=50x11
// ARG: width int = 50
// ARG: height int = 11
// ARG: in int[550] = i
// ARG: out int[550] = -1
// EXPECT: out = i % 50 == 0 || i % 50 == 49 || i / 50 == 0 || i / 50 == 10 ? -1 : 4 * i
// RUN: guarded global=48x12
// ARG: width int = 41
// ARG: height int = 9
// ARG: out int[369]
// EXPECT: out = 2 * i
// RUN: every_other global=32x9
// ARG: out int[288]
// EXPECT: out = i / 32 % 2 ? i : -i
// RUN: triangle global=33x10
// ARG: out int[330]
// EXPECT: out = i / 33 * (i / 33 + 1) / 2 + i % 33
// RUN: behind_a_write global=32x8
// ARG: out int[256]
// EXPECT: out = i / 32 < 5 ? i + 1 : i
// RUN: in_both_directions global=37x10
// ARG: out int[370]
// EXPECT: out = i % 37 < i / 37 ? 1 : 2
kernel void inner(int width, int height, global const int *in, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        return;
    out[at] = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
}

kernel void guarded(int width, int height, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[y * width + x] = 2 * (y * width + x);
}

kernel void every_other(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y & 1)
        out[y * 32 + x] = y * 32 + x;
    else
        out[y * 32 + x] = -(y * 32 + x);
}

kernel void triangle(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), sum = x;
    for (int k = 0; k <= y; k++)
        sum += k;
    out[y * 33 + x] = sum;
}

kernel void behind_a_write(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 32 + x] = y * 32 + x;
    if (y < 5)
        out[y * 32 + x]++;
}

kernel void in_both_directions(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < y)
        out[y * 37 + x] = 1;
    else
        out[y * 37 + x] = 2;
}
