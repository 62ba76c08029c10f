// SPDX-License-Identifier: MIT
// Elements that an argument spaces out: side by side where it is 1, anywhere else where
// it is not, one place for all, and backwards; indices that wrap in between.
// RUN: axpy global=64 local=16
// ARG: n int = 203
// ARG: x float[203] = i
// ARG: x_inc int = 1
// ARG: y float[210] = 2 * i
// ARG: offset int = 5
// ARG: y_inc int = 1
// EXPECT: y[0..4] = 2 * i
// EXPECT: y[5..207] = 2 * i + 3 * (i - 5)
// EXPECT: y[208..209] = 2 * i
// RUN: axpy global=64 local=16
// ARG: n int = 70
// ARG: x float[210] = i
// ARG: x_inc int = 3
// ARG: y float[210] = 2 * i
// ARG: offset int = 209
// ARG: y_inc int = -2
// EXPECT: y = (209 - i) % 2 == 0 && i > 69 ? 2 * i + 9 * ((209 - i) / 2) : 2 * i
// RUN: axpy global=67
// ARG: n int = 67
// ARG: x float[67] = i
// ARG: x_inc int = 0
// ARG: y float[67] = 2 * i
// ARG: offset int = 0
// ARG: y_inc int = 1
// EXPECT: y = 2 * i
// RUN: whole_numbers global=203
// ARG: x ushort[406] = i
// ARG: by ulong = 2
// ARG: out uchar[203]
// ARG: apart uint = 1
// EXPECT: out = 2 * i % 256
// RUN: whole_numbers global=203
// ARG: x ushort[203] = i
// ARG: by ulong = 1
// ARG: out uchar[203]
// ARG: apart uint = 1
// EXPECT: out = i % 256
// RUN: wraps global=203
// ARG: x int[203] = i
// ARG: out int[203]
// ARG: begin uint = 4294967196
// ARG: by uint = 1
// EXPECT: out = i < 100 ? -1 : i - 100
// RUN: wraps global=203
// ARG: x int[203] = i
// ARG: out int[203]
// ARG: begin uint = 4294967000
// ARG: by uint = 3
// EXPECT: out = i < 99 ? -1 : 3 * i - 296 < 203 ? 3 * i - 296 : -1
// RUN: sums global=64 local=16
// ARG: n int = 200
// ARG: x float[203] = i % 7
// ARG: offset int = 3
// ARG: inc int = 1
// ARG: out float[4]
// EXPECT: out = sum(k, 0, 200, k / 16 % 4 == i ? (k + 3) % 7 : 0)
// RUN: sizes_of_the_launch global=60 local=20
// ARG: x int[180] = i
// ARG: y short = 2
// ARG: out int[180] = 0
// EXPECT: out[0..119] = i % 2 == 0 ? 3 * (i / 2) : 0
// EXPECT: out[120..179] = 0
kernel void axpy(int n, global const float *restrict x, int x_inc, global float *y, int offset, int y_inc)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        y[i * y_inc + offset] += 3 * x[i * x_inc];
}

kernel void whole_numbers(global const ushort *x, ulong by, global uchar *out, uint apart)
{
    size_t i = get_global_id(0);
    out[(uint)i * apart] = x[i * by];
}

// The first ones wrap up to the end of 32 bits, and are not there.
kernel void wraps(global const int *x, global int *out, uint begin, uint by)
{
    uint i = get_global_id(0);
    int found = -1;
    if (i * 3 >= 4294967296 - begin || by == 1) {
        uint at = i * by + begin;
        found = at < 203 ? x[at] : -1;
    }
    out[i] = found;
}

kernel void sums(int n, global const float *x, int offset, int inc, global float *out)
{
    local float part[16];
    int lid = get_local_id(0);
    float sum = 0;
    for (int i = get_group_id(0) * 16 + lid; i < n; i += 64)
        sum += x[i * inc + offset];
    part[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        for (int k = 1; k < 16; k++)
            sum += part[k];
        out[get_group_id(0)] = sum;
    }
}

// No arguments in the sense of what is looked at before a launch.
kernel void sizes_of_the_launch(global const int *x, short y, global int *out)
{
    int i = get_global_id(0);
    out[i * y] = x[i * (int)get_num_groups(0)];
}
