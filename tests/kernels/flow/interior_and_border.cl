// SPDX-License-Identifier: MIT
// Neighbours that are asked for one by one: gangs in the interior take a copy of the code
// without the questions, others do not, at all sizes of the picture; and positions that
// wrap, unsigned ones, sizes past what 31 bits hold, and sides that are not there.
// RUN: weighted global=203x37
// ARG: out int[7511]
// ARG: in int[7511] = i % 1000
// ARG: width int = 203
// ARG: height int = 37
// EXPECT: out = sum(k, 0, 25, i % 203 + k % 5 - 2 >= 0 && i % 203 + k % 5 - 2 < 203 && i / 203 + k / 5 - 2 >= 0 && i / 203 + k / 5 - 2 < 37 ? (k + 1) * ((i + k % 5 - 2 + (k / 5 - 2) * 203) % 1000) : 0)
// RUN: weighted global=203x37
// ARG: out int[7511] = -1
// ARG: in int[7511] = i % 1000
// ARG: width int = 203
// ARG: height int = 0
// EXPECT: out = i < 203 ? 0 : -1
// RUN: wide global=61x45
// ARG: out int[2745]
// ARG: in int[2745] = i % 1000
// ARG: width int = 61
// ARG: height int = 45
// EXPECT: out = sum(k, 0, 169, i % 61 + k % 13 - 6 >= 0 && i % 61 + k % 13 - 6 < 61 && i / 61 + k / 13 - 6 >= 0 && i / 61 + k / 13 - 6 < 45 ? (k + 1) * ((i + k % 13 - 6 + (k / 13 - 6) * 61) % 1000) : 0)
// RUN: unsigned_ids global=100x20
// ARG: out int[2000]
// ARG: in int[2000] = i
// ARG: width uint = 100
// ARG: height uint = 20
// EXPECT: out = sum(k, 0, 9, i % 100 + k % 3 - 1 >= 0 && i % 100 + k % 3 - 1 < 100 && i / 100 + k / 3 - 1 >= 0 && i / 100 + k / 3 - 1 < 20 ? (k + 1) * (i + k % 3 - 1 + (k / 3 - 1) * 100) : 0)
// RUN: unsigned_ids global=100x20
// ARG: out int[2000]
// ARG: in int[2000] = i
// ARG: width uint = 4294967295
// ARG: height uint = 1
// EXPECT: out = i < 99 ? (i ? 4 * (i - 1) : 0) + 5 * i + 6 * (i + 1) : it
// RUN: long_ids global=100x20
// ARG: out int[2000]
// ARG: in int[2000] = i
// ARG: width ulong = 100
// ARG: height ulong = 20
// EXPECT: out = sum(k, 0, 9, i % 100 + k % 3 - 1 >= 0 && i % 100 + k % 3 - 1 < 100 && i / 100 + k / 3 - 1 >= 0 && i / 100 + k / 3 - 1 < 20 ? (k + 1) * (i + k % 3 - 1 + (k / 3 - 1) * 100) : 0)
// RUN: clamped global=100x20
// ARG: out int[2000]
// ARG: in int[2000] = i
// ARG: width int = 100
// ARG: height int = 20
// EXPECT: out = sum(k, 0, 25, (k + 1) * ((i % 100 + k % 5 - 2 > 99 ? 99 : i % 100 + k % 5 - 2 < 0 ? 0 : i % 100 + k % 5 - 2) + 100 * (i / 100 + k / 5 - 2 > 19 ? 19 : i / 100 + k / 5 - 2 < 0 ? 0 : i / 100 + k / 5 - 2)))
// RUN: mirrored global=200
// ARG: out int[200]
// ARG: in int[200] = i
// ARG: n int = 200
// EXPECT: out = sum(k, 0, 7, (k + 1) * (i + k - 3 < 0 ? 3 - i - k : i + k - 3 >= 200 ? 398 - (i + k - 3) : i + k - 3))
// RUN: wraps global=200
// ARG: out int[200]
// ARG: begin int = 2147483547
// ARG: end int = 2147483647
// EXPECT: out = sum(k, 0, 5, i + k < 103 ? 1 << k : 0)
// RUN: wraps global=200
// ARG: out int[200]
// ARG: begin int = -2147483648
// ARG: end int = -2147483548
// EXPECT: out = sum(k, 0, 5, i + k >= 2 && i + k < 103 ? 1 << k : 0)
// RUN: one_dimension global=2000
// ARG: out int[2000]
// ARG: in int[2000] = i
// ARG: width int = 100
// EXPECT: out = (i % 100 > 0 ? i - 1 : 0) + (i % 100 < 99 ? 2 * (i + 1) : 0) + (i >= 100 ? 3 * (i - 100) : 0) + (i < 1900 ? 4 * (i + 100) : 0)
// RUN: backwards global=200
// ARG: out int[200]
// ARG: in int[200] = i
// ARG: n int = 200
// EXPECT: out = sum(k, 0, 5, 199 - i + k - 2 >= 0 && 199 - i + k - 2 < 200 ? (k + 1) * (199 - i + k - 2) : 0)

kernel void weighted(global int *out, global const int *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    if (y > height)
        return;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int nx = x + dx, ny = y + dy;
            if (nx >= 0 && nx < width && ny >= 0 && ny < height)
                sum += ((dy + 2) * 5 + dx + 3) * in[ny * width + nx];
        }
    }
    out[y * width + x] = sum;
}

// Too many neighbours to be there one by one.
kernel void wide(global int *out, global const int *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (int dy = -6; dy <= 6; dy++) {
        for (int dx = -6; dx <= 6; dx++) {
            int nx = x + dx, ny = y + dy;
            if (nx >= 0 && nx < width && ny >= 0 && ny < height)
                sum += ((dy + 6) * 13 + dx + 7) * in[ny * width + nx];
        }
    }
    out[y * width + x] = sum;
}

kernel void unsigned_ids(global int *out, global const int *in, uint width, uint height)
{
    uint x = get_global_id(0), y = get_global_id(1);
    int sum = 0;

    for (uint k = 0; k < 9; k++) {
        uint nx = x + k % 3 - 1, ny = y + k / 3 - 1;
        if (nx < width && ny < height)
            sum += (k + 1) * in[ny * 100 + nx];
    }
    out[y * 100 + x] = sum;
}

kernel void long_ids(global int *out, global const int *in, ulong width, ulong height)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    int sum = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (x + dx < width && y + dy < height)
                sum += ((dy + 1) * 3 + dx + 2) * in[(y + dy) * width + x + dx];
    out[y * width + x] = sum;
}

kernel void clamped(global int *out, global const int *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += ((dy + 2) * 5 + dx + 3) * in[clamp(y + dy, 0, height - 1) * width +
                                                clamp(x + dx, 0, width - 1)];
    out[y * width + x] = sum;
}

kernel void mirrored(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), sum = 0;

    for (int d = -3; d <= 3; d++) {
        int at = x + d;
        at = at < 0 ? -at : at;
        at = at >= n ? 2 * n - 2 - at : at;
        sum += (d + 4) * in[at];
    }
    out[x] = sum;
}

// In numbers that wrap where the program says that they may.
kernel void wraps(global int *out, int begin, int end)
{
    uint x = (uint)begin + (uint)get_global_id(0);
    int bits = 0;

    for (int d = -2; d <= 2; d++) {
        int at = (int)(x + (uint)d);
        if (at <= end && at >= begin / 8 * 8)
            bits |= 1 << (d + 2);
    }
    out[get_global_id(0)] = bits;
}

kernel void one_dimension(global int *out, global const int *in, int width)
{
    int i = get_global_id(0), x = i % width, y = i / width, sum = 0;

    if (x > 0)
        sum += in[i - 1];
    if (x < width - 1)
        sum += 2 * in[i + 1];
    if (y > 0)
        sum += 3 * in[i - width];
    if (y < (int)get_global_size(0) / width - 1)
        sum += 4 * in[i + width];
    out[i] = sum;
}

kernel void backwards(global int *out, global const int *in, int n)
{
    int x = n - 1 - (int)get_global_id(0), sum = 0;

    for (int d = -2; d <= 2; d++)
        if (x + d >= 0 && x + d < n)
            sum += (d + 3) * in[x + d];
    out[get_global_id(0)] = sum;
}
