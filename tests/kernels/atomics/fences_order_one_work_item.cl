// SPDX-License-Identifier: MIT
// RUN: run global=64 local=16
// ARG: data int[64] = i
// ARG: out int[64]
// EXPECT: out = i + 7
kernel void run(global volatile int *data, global int *out)
{
    size_t g = get_global_id(0);
    data[g] += 7;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    int x = data[g];
    read_mem_fence(CLK_LOCAL_MEM_FENCE);
    out[g] = x;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
}
