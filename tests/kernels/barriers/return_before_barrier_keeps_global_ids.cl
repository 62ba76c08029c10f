// SPDX-License-Identifier: MIT
// pocl/pocl#2182 and #1871, JuliaGPU/OpenCL.jl#460: work-items that return before a
// barrier, or could, change nothing for the others.
// RUN: none global=8 local=8
// ARG: out int[8] = 0
// EXPECT: out = i + 1
// RUN: partly global=60 local=20
// ARG: out int[60] = -1
// ARG: n int = 47
// EXPECT: out = i >= n ? -1 : i < 40 ? 20 * 19 / 2 : 7 * 6 / 2
kernel void none(global int *out)
{
    if (get_local_id(0) > 7)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0) + 1;
}

kernel void partly(global int *out, int n)
{
    local int t[20];
    int lid = get_local_id(0), gid = get_global_id(0), sum = 0;
    t[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gid >= n)
        return;
    t[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 20; i++) {
        sum += t[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[gid] = sum;
}
