// SPDX-License-Identifier: MIT
// Ways that part and meet again store to one place: bytes on both sides of a condition,
// chains of conditions, many of them, ways of which one stores nothing, and what is read in between.
// RUN: sides global=203
// ARG: a uchar[203] = i * 7 % 256
// ARG: n int = 100
// ARG: out uchar[203]
// EXPECT: out = i * 7 % 256 > 100 ? i * 7 % 256 : 0
// RUN: chain global=203
// ARG: a uchar[203] = i * 7 % 256
// ARG: n int = 100
// ARG: out uchar[203] = 9
// EXPECT: out = i * 7 % 256 > 100 ? 1 : i * 7 % 256 > 50 ? 2 : i * 7 % 256 > 20 ? 3 : 9
// RUN: two_places global=203
// ARG: a uchar[203] = i * 7 % 256
// ARG: n int = 100
// ARG: low short[203]
// ARG: high short[203]
// EXPECT: low = i * 7 % 256 > 100 ? i : -1
// EXPECT: high = i * 7 % 256 > 100 ? -2 : 2 * i
// RUN: cases global=203
// ARG: a uchar[203] = i * 7 % 256
// ARG: out int[203] = -1
// EXPECT: out = (i * 7 & 3) == 0 ? i : (i * 7 & 3) == 1 ? 2 * i : (i * 7 & 3) == 2 ? 5 : -1
// RUN: many global=203
// ARG: x int[203] = i % 13
// ARG: out int[406] = -1
// EXPECT: out = i / 2 % 13 > 9 ? -1 : i & 1 ? (i / 2 % 13) * (i / 2 % 13) : i / 2 + i / 2 % 13
// RUN: read_between global=203
// ARG: a uchar[203] = i * 7 % 256
// ARG: n int = 100
// ARG: out uchar[203]
// ARG: seen uchar[203]
// EXPECT: out = i * 7 % 256 > 100 ? 3 : 4
// EXPECT: seen = i * 7 % 256 > 100 ? 3 : 0
kernel void sides(global const uchar *a, int n, global uchar *out)
{
    int i = get_global_id(0);
    if (a[i] > n)
        out[i] = a[i];
    else
        out[i] = 0;
}

kernel void chain(global const uchar *a, int n, global uchar *out)
{
    uint i = get_global_id(0);
    if (a[i] > n)
        out[i] = 1;
    else if (a[i] > n / 2)
        out[i] = 2;
    else if (a[i] > n / 5)
        out[i] = 3;
}

kernel void two_places(global const uchar *a, int n, global short *low, global short *high)
{
    size_t i = get_global_id(0);
    if (a[i] > n) {
        low[i] = i;
        high[i] = -2;
    } else {
        low[i] = -1;
        high[i] = 2 * i;
    }
}

kernel void cases(global const uchar *a, global int *out)
{
    int i = get_global_id(0);
    switch (a[i] & 3) {
    case 0:
        out[i] = i;
        break;
    case 1:
        out[i] = 2 * i;
        break;
    case 2:
        out[i] = 5;
        break;
    }
}

#define WAY(n) if (x[i] == n) { d[0] = i + n; d[1] = n * n; }
kernel void many(global const int *x, global int *out)
{
    int i = get_global_id(0);
    global int *d = out + 2 * i;
    WAY(0) else WAY(1) else WAY(2) else WAY(3) else WAY(4) else WAY(5) else WAY(6) else WAY(7) else WAY(8) else WAY(9)
}

kernel void read_between(global const uchar *a, int n, global uchar *out, global uchar *seen)
{
    int i = get_global_id(0);
    global uchar *p = out + i, *q = n == 100 ? p : seen;
    uchar s = 0;
    if (a[i] > n) {
        *p = 3;
        s = *q;
    } else {
        *p = 4;
    }
    seen[i] = s;
}
