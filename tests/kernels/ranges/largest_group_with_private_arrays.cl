// SPDX-License-Identifier: MIT
// SKIP: unless group 4096
// RUN: keep global=4096 local=4096
// ARG: out int[4096]
// EXPECT: out = i * 7 + (i + 1) % 4096 % 500
kernel void keep(global int *out)
{
    int kept[500];
    local int t[4096];
    int l = get_local_id(0);

    for (int k = 0; k < 500; k++)
        kept[k] = l * 7 + k;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = kept[t[(l + 1) % 4096] % 500];
}
