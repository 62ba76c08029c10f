// SPDX-License-Identifier: MIT
// SKIP: unless group 1024
// RUN: rotate_ids global=2048 local=1024
// ARG: out int[2048]
// EXPECT: out = (i % 1024 + 1) % 1024
kernel void rotate_ids(global int *out)
{
    local int t[1024];
    size_t l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[(l + 1) % 1024];
}
