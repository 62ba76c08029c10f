// SPDX-License-Identifier: MIT
// Each work-item walks along a row of its own, from its beginning or from its end; rows end
// where the memory does. And structs at places that lie anywhere, of whose members work-items
// load neighbours.
// RUN: sums global=37 local=37
// ARG: out int[37]
// ARG: in int[1665] = random(1, -99, 99)
// ARG: by int[45] = random(2, -9, 9)
// ARG: n int = 45
// EXPECT: out = sum(k, 0, 45, in[i * 45 + k] * by[k])
// RUN: sums global=64 local=16
// ARG: out int[64]
// ARG: in int[1024] = random(3, -99, 99)
// ARG: by int[16] = random(4, -9, 9)
// ARG: n int = 16
// EXPECT: out = sum(k, 0, 16, in[i * 16 + k] * by[k])
// RUN: sums global=20
// ARG: out int[20]
// ARG: in int[60] = random(5, -99, 99)
// ARG: by int[3] = {1, 10, 100}
// ARG: n int = 3
// EXPECT: out = in[i * 3] + 10 * in[i * 3 + 1] + 100 * in[i * 3 + 2]
// RUN: sums_of_doubles global=33
// ARG: out double[33]
// ARG: in double[1155] = random(6, -99, 99)
// ARG: n int = 35
// EXPECT: out = sum(k, 0, 35, in[i * 35 + k] * k)
// RUN: sums_of_shorts global=50
// ARG: out int[50]
// ARG: in short[2000] = random(7, -999, 999)
// ARG: n int = 40
// EXPECT: out = sum(k, 0, 40, in[i * 40 + k] * k)
// RUN: sums_of_bytes global=50
// ARG: out int[50]
// ARG: in uchar[2500] = random(8, 0, 255)
// ARG: n int = 50
// EXPECT: out = sum(k, 0, 50, in[i * 50 + k] * k)
// RUN: from_the_end global=19
// ARG: out int[19]
// ARG: in int[703] = random(9, -99, 99)
// ARG: n int = 37
// EXPECT: out = sum(k, 0, 37, in[i * 37 + k] * (37 - k))
// RUN: of_some_rows global=40
// ARG: out int[40] = -1
// ARG: in int[1320] = random(10, 0, 99)
// ARG: n int = 33
// EXPECT: out = in[i * 33] % 2 == 0 ? -1 : sum(k, 0, 33, in[i * 33 + k])
// RUN: changes_what_it_reads global=20
// ARG: out int[400] = i % 7
// ARG: n int = 20
// EXPECT: out = i % 20 == 0 ? sum(k, 0, 20, (i + k) % 7) : i % 7
// RUN: boxes global=41
// ARG: out float[41]
// ARG: in float[320] = random(11, -9, 9)
// ARG: at int[41] = random(12, 0, 39)
// EXPECT: out = in[at[i] * 8] + 2 * in[at[i] * 8 + 1] + 3 * in[at[i] * 8 + 2] + 4 * in[at[i] * 8 + 3] - in[at[i] * 8 + 5]
kernel void sums(global int *out, global const int *in, global const int *by, int n)
{
    int i = get_global_id(0), sum = 0;

    for (int k = 0; k < n; k++)
        sum += in[i * n + k] * by[k];
    out[i] = sum;
}

kernel void sums_of_doubles(global double *out, global const double *in, int n)
{
    int i = get_global_id(0);
    double sum = 0;

    for (int k = 0; k < n; k++)
        sum += in[i * n + k] * k;
    out[i] = sum;
}

kernel void sums_of_shorts(global int *out, global const short *in, int n)
{
    int i = get_global_id(0), sum = 0;

    for (int k = 0; k < n; k++)
        sum += in[i * n + k] * k;
    out[i] = sum;
}

kernel void sums_of_bytes(global int *out, global const uchar *in, int n)
{
    int i = get_global_id(0), sum = 0;

    for (int k = 0; k < n; k++)
        sum += in[i * n + k] * k;
    out[i] = sum;
}

kernel void from_the_end(global int *out, global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;

    for (int k = n - 1; k >= 0; k--)
        sum += in[i * n + k] * (n - k);
    out[i] = sum;
}

kernel void of_some_rows(global int *out, global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;

    if (in[i * n] % 2 == 0)
        return;
    for (int k = 0; k < n; k++)
        sum += in[i * n + k];
    out[i] = sum;
}

// Each round reads what the one before it has stored.
kernel void changes_what_it_reads(global int *out, int n)
{
    int i = get_global_id(0);

    for (int k = 1; k < n; k++)
        out[i * n] += out[i * n + k];
}

struct box {
    float a, b, c, d, e, f, g, h;
};

kernel void boxes(global float *out, global const struct box *in, global const int *at)
{
    int i = get_global_id(0);
    global const struct box *p = in + at[i];

    out[i] = p->a + 2 * p->b + 3 * p->c + 4 * p->d - p->f;
}
