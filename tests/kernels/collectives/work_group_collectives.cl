// SPDX-License-Identifier: MIT
// Collective functions of a work-group, called one after the other, in loops and branches.
// BUILD: options="-cl-std=CL3.0"
// RUN: reduce global=198 local=33
// ARG: in int[198] = random(3, -1000, 1000)
// ARG: out int[1188] = 7
// EXPECT: out[0..197] = sum(k, i / 33 * 33, i / 33 * 33 + 33, in[k])
// EXPECT: out[198..395] = minof(k, (i - 198) / 33 * 33, (i - 198) / 33 * 33 + 33, in[k])
// EXPECT: out[396..593] = maxof(k, (i - 396) / 33 * 33, (i - 396) / 33 * 33 + 33, in[k])
// EXPECT: out[594..791] = sum(k, (i - 594) / 33 * 33, i - 594 + 1, in[k])
// EXPECT: out[792..989] = sum(k, (i - 792) / 33 * 33, i - 792, in[k])
// EXPECT: out[990..1187] = (i - 990) % 33 == 0 ? 2147483647 : minof(k, (i - 990) / 33 * 33, i - 990, in[k])
// RUN: votes global=64 local=16
// ARG: in int[64] = i == 5 ? 0 : i / 16 == 3 ? 0 : 256
// ARG: out int[128] = 7
// EXPECT: out[0..63] = i / 16 == 1 || i / 16 == 2
// EXPECT: out[64..127] = i / 16 != 7
// RUN: broadcasts global=8x4x4 local=4x2x2
// ARG: out int[512] = 7
// EXPECT: out[0..127] = (i % 8 / 4 * 4 + 3) + 8 * (i / 8 % 4 / 2 * 2 + 1) + 32 * (i / 32 / 2 * 2 + 1)
// EXPECT: out[128..255] = ((i - 128) % 8 / 4 * 4 + 2) + 8 * ((i - 128) / 8 % 4 / 2 * 2 + 0) + 32 * ((i - 128) / 32 / 2 * 2 + 0)
// EXPECT: out[256..383] = ((i - 256) % 8 / 4 * 4 + 0) + 8 * ((i - 256) / 8 % 4 / 2 * 2 + 0) + 32 * ((i - 256) / 32 / 2 * 2 + 1)
// EXPECT: out[384..511] = ((i - 384) % 8 / 4 * 4 + 3) + 8 * ((i - 384) / 8 % 4 / 2 * 2 + 0) + 32 * ((i - 384) / 32 / 2 * 2 + 0)
// RUN: longs global=100 local=25
// ARG: out long[200] = 7
// EXPECT: out[0..99] = 25
// EXPECT: out[100..199] = (i - 100) % 25
// RUN: longs global=100 local=32
// ARG: out long[200] = 7
// EXPECT: out[0..99] = i < 96 ? 32 : 4
// EXPECT: out[100..199] = (i - 100) % 32
// RUN: in_loop global=24 local=8
// ARG: out ulong[24] = 0
// EXPECT: out = 8 * (1 + 2 + 3 + 4 + 5)
// RUN: reals global=8 local=8
// ARG: f float[8] = {3, -1, 0.5, 8, 2, 2, 0.25, -4}
// ARG: d double[32] = 0
// EXPECT: d[0..7] = sum(k, 0, 8, f[k])
// EXPECT: d[8..15] = {infinity, 3, -1, -1, -1, -1, -1, -1}
// EXPECT: d[16..23] = {3, 3, 3, 8, 8, 8, 8, 8}
// EXPECT: d[24..31] = {3, 2, 2.5, 10.5, 12.5, 14.5, 14.75, 10.75}
// RUN: one_item global=5 local=1
// ARG: out int[15] = 7
// EXPECT: out[0..4] = i
// EXPECT: out[5..9] = 0
// EXPECT: out[10..14] = i - 10
kernel void reduce(global const int *in, global int *out)
{
    size_t g = get_global_id(0), n = get_global_size(0);
    out[g] = work_group_reduce_add(in[g]);
    out[n + g] = work_group_reduce_min(in[g]);
    out[2 * n + g] = work_group_reduce_max(in[g]);
    out[3 * n + g] = work_group_scan_inclusive_add(in[g]);
    out[4 * n + g] = work_group_scan_exclusive_add(in[g]);
    out[5 * n + g] = work_group_scan_exclusive_min(in[g]);
}

kernel void votes(global const int *in, global int *out)
{
    size_t g = get_global_id(0);
    out[g] = work_group_all(in[g]);
    out[64 + g] = work_group_any(in[g]);
}

kernel void broadcasts(global int *out)
{
    size_t g = get_global_linear_id();
    int a = work_group_broadcast((int)g, 3, 1, 1);
    out[g] = a;
    out[128 + g] = work_group_broadcast((uint)g, 2, 0, 0);
    out[256 + g] = work_group_broadcast(g, 0, 0, 1);
    out[384 + g] = work_group_broadcast((long)g, 3, 0, 0);
}

kernel void longs(global long *out)
{
    size_t g = get_global_id(0);
    out[g] = work_group_reduce_add(1L);
    out[100 + g] = work_group_scan_exclusive_add(1L);
}

kernel void in_loop(global ulong *out)
{
    ulong sum = 0;
    for (int i = 1; i <= 5; i++)
        if (get_group_id(0) < 100)
            sum += work_group_reduce_add((ulong)i);
    out[get_global_id(0)] = sum;
}

kernel void reals(global const float *f, global double *d)
{
    size_t g = get_global_id(0);
    d[g] = work_group_reduce_add((double)f[g]);
    d[8 + g] = work_group_scan_exclusive_min(f[g]);
    d[16 + g] = work_group_scan_inclusive_max((double)f[g]);
    d[24 + g] = work_group_scan_inclusive_add(f[g]);
}

kernel void one_item(global int *out)
{
    size_t g = get_global_id(0);
    out[g] = work_group_reduce_max((int)g);
    out[5 + g] = work_group_scan_exclusive_add((int)g);
    out[10 + g] = work_group_broadcast((int)g, 0);
}
