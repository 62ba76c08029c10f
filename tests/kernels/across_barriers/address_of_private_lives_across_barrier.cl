// SPDX-License-Identifier: MIT
// RUN: keep global=32 local=8
// ARG: out int[32]
// EXPECT: out = i % 2 ? i * 2 + i % 8 : i * 2
kernel void keep(global int *out)
{
    int x = get_global_id(0), y = get_local_id(0);
    int *p = x % 2 ? &x : &y;
    *p += (x % 2 ? x : y);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (p == &x)
        out[get_global_id(0)] = *p + y;
    else
        out[get_global_id(0)] = 2 * x + *p - y;
}
