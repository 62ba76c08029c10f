// SPDX-License-Identifier: MIT
// A histogram of each group, added up in global memory.
// RUN: histogram global=1024 local=128
// ARG: in uchar[1024] = random(12, 0, 15)
// ARG: out int[16] = 0
// EXPECT: out = sum(k, 0, 1024, in[k] == i)
kernel void histogram(global const uchar *in, global int *out)
{
    local int bins[16];
    size_t l = get_local_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&out[l], bins[l]);
}
