// SPDX-License-Identifier: MIT
// Work-items that walk along rows of their own and store there: sums, numbers that the
// next round loads again, up and down, in buffers of their own and in one. Counters of 8
// bits begin again on their way, and vectors overlap those of the round before.
// RUN: sums global=37
// ARG: in int[1480] = i % 7
// ARG: out int[1480]
// ARG: n int = 40
// EXPECT: out = sum(k, 0, 40, k <= i % 40 ? (i - i % 40 + k) % 7 : 0)
// RUN: sums global=37
// ARG: in int[1480] = i % 7
// ARG: out same in
// ARG: n int = 40
// EXPECT: in = sum(k, 0, 40, k <= i % 40 ? (i - i % 40 + k) % 7 : 0)
// RUN: chain global=37
// ARG: x int[1480] = i % 40 == 0
// ARG: y int[1480] = i % 5
// ARG: n int = 40
// EXPECT: x = 1 + sum(k, 1, 40, k <= i % 40 ? (i - i % 40 + k) % 5 : 0)
// RUN: down global=37
// ARG: x int[1480] = i % 40 == 39
// ARG: y int[1480] = i % 5
// ARG: n int = 40
// EXPECT: x = 1 + sum(k, 0, 39, k >= i % 40 ? (i - i % 40 + k) % 5 : 0)
// RUN: ahead global=37
// ARG: x int[1480] = 7
// ARG: y int[1480] = 0
// ARG: n int = 40
// EXPECT: x = i % 40 == 0 ? 7 : 1
// EXPECT: y = i % 40 == 39 ? 0 : i % 40 == 0 ? 7 : 1
// RUN: ahead global=37
// ARG: x int[1480] = 7
// ARG: y same x
// ARG: n int = 40
// EXPECT: x = i % 40 == 39 ? 1 : i % 40 == 0 ? 7 : 1
// RUN: bytes global=100
// ARG: x uchar[9900] = i % 9
// ARG: out ushort[9900]
// ARG: n int = 99
// EXPECT: out = sum(k, 0, 99, k <= i % 99 ? (i - i % 99 + k) % 9 : 0)
// RUN: half_of_them global=64
// ARG: x float[2112] = i % 3
// ARG: out double[2112] = 0
// ARG: n int = 33
// EXPECT: out = i / 33 % 2 ? sum(k, 0, 33, k <= i % 33 ? (i - i % 33 + k) % 3 : 0) : 0
// RUN: begins_again global=32
// ARG: in int[8192] = 1
// ARG: out int[8192] = -1
// ARG: first uchar = 250
// ARG: last uchar = 8
// EXPECT: out = i % 256 >= 250 ? i % 256 - 249 : i % 256 < 8 ? i % 256 + 7 : -1
// RUN: neighbours_begin_again global=32
// ARG: in int[9600] = i % 300
// ARG: out int[32]
// ARG: first uchar = 250
// ARG: last uchar = 8
// EXPECT: out = sum(k, 250, 256, 3 * k + 1) + sum(k, 0, 8, 3 * k + 1)
// RUN: overlapping global=32
// ARG: x uchar[3200] = 7
// ARG: sums uint[32]
// ARG: n int = 80
// EXPECT: x = i % 100 % 2 && i % 100 <= 83 ? 1 : 7
// EXPECT: sums = 560
kernel void sums(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), sum = 0;

    for (int k = 0; k < n; k++) {
        sum += in[i * n + k];
        out[i * n + k] = sum;
    }
}

kernel void chain(global int *x, global const int *y, int n)
{
    int i = get_global_id(0);

    for (int k = 1; k < n; k++)
        x[i * n + k] = x[i * n + k - 1] + y[i * n + k];
}

kernel void down(global int *x, global const int *y, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < n - 1; k++)
        x[i * n + n - k - 2] = x[i * n + n - k - 1] + y[i * n + n - k - 2];
}

// Stores of one buffer stand between loads of the other.
kernel void ahead(global int *x, global int *y, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < n - 1; k++) {
        int was = x[i * n + k];

        x[i * n + k + 1] = 1;
        y[i * n + k] = was;
    }
}

kernel void bytes(global const uchar *x, global ushort *out, int n)
{
    int i = get_global_id(0);
    ushort sum = 0;

    for (int k = 0; k < n; k++) {
        sum += x[i * n + k];
        out[i * n + k] = sum;
    }
}

kernel void half_of_them(global const float *x, global double *out, int n)
{
    int i = get_global_id(0);
    double sum = 0;

    if (i % 2) {
        for (int k = 0; k < n; k++) {
            sum += x[i * n + k];
            out[i * n + k] = sum;
        }
    }
}

kernel void begins_again(global const int *in, global int *out, uchar first, uchar last)
{
    global const int *from = in + get_global_id(0) * 256;
    global int *to = out + get_global_id(0) * 256;
    int sum = 0;
    uchar k = first;

    do {
        sum += from[k];
        to[k] = sum;
    } while (++k != last);
}

kernel void neighbours_begin_again(global const int *in, global int *out, uchar first,
                                   uchar last)
{
    global const int *row = in + get_global_id(0) * 300;
    int sum = 0;
    uchar k = first;

    do {
        sum += 2 * row[k] + row[k + 1];
    } while (++k != last);
    out[get_global_id(0)] = sum;
}

kernel void overlapping(global uchar *x, global uint *sums, int n)
{
    global uchar *row = x + get_global_id(0) * 100;
    uchar4 v = 1;
    uint sum = 0;

    for (int k = 0; k < n; k++) {
        vstore4(v, 0, row + k + 1);
        v = vload4(0, row + k);
        sum += row[k + 9];
    }
    sums[get_global_id(0)] = sum;
}
