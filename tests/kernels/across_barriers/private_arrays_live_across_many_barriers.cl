// SPDX-License-Identifier: MIT
// Arrays with an index of each work-item, before barriers and behind them; groups that are
// no whole number of gangs.
// RUN: turn global=140 local=70
// ARG: in int[140] = random(1, 0, 100)
// ARG: out int[140]
// EXPECT: out = in[i] + sum(k, 0, 9, in[i / 70 * 70 + (i % 70 + k) % 70] * (k + 1)) + 5 * (in[i] % 9)
// RUN: narrow global=140 local=35
// ARG: in int[140] = random(2, 0, 100)
// ARG: out int[140]
// EXPECT: out = sum(k, 0, 21, (in[i / 35 * 35 + (i % 35 + k) % 35] + k) % 256)
kernel void turn(global const int *in, global int *out)
{
    local int t[70];
    int a[9] = {0};
    int l = get_local_id(0), x = in[get_global_id(0)], sum = 0;
    a[x % 9] = 5;
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 9; k++) {
        a[k] = (a[k] == 5 ? 5 * k : 0) + t[(l + k) % 70] * (k + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < 9; k++)
        sum += a[k];
    out[get_global_id(0)] = sum + x;
}

kernel void narrow(global const int *in, global int *out)
{
    local int t[35];
    uchar a[21];
    int l = get_local_id(0), sum = 0;
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 21; k++)
        a[(k + l) % 21] = t[(l + k) % 35] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 21; k++)
        sum += a[k];
    out[get_global_id(0)] = sum + t[(l + 1) % 35];
}
