// SPDX-License-Identifier: MIT
// 16 KiB of private memory for each of 1024 work-items, alive across a barrier.
// SKIP: unless group 1024
// RUN: keep global=2048 local=1024
// ARG: out int[2048]
// EXPECT: out = 3 * (i % 1024) + 4095 * ((i + 1) % 1024)
kernel void keep(global int *out)
{
    local int t[1024];
    int values[4096];
    int l = get_local_id(0);
    for (int i = 0; i < 4096; i++)
        values[i] = i * l;
    t[l] = values[4095 - (l & 0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = values[(t[0] & 1) + 3] + t[(l + 1) % 1024];
}
