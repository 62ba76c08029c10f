// SPDX-License-Identifier: MIT
// RUN: add global=100 times=50
// ARG: data int[100] = i
// EXPECT: data = i + 50
// RUN: twice global=64 local=16 times=7
// ARG: data int[64] = 1
// EXPECT: data = 128
kernel void add(global int *data)
{
    data[get_global_id(0)] += 1;
}
kernel void twice(global int *data)
{
    local int t[16];
    size_t l = get_local_id(0);
    t[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = t[l] + t[(l + 1) % 16];
}
