// SPDX-License-Identifier: MIT
// JuliaGPU/OpenCL.jl#388: a running sum whose steps are a loop with two barriers, entered
// only by the work-items that have an element, never ended. Also pocl/pocl#1711.
// RUN: sums global=64 local=32
// ARG: in int[64] = i * 3 + 1
// ARG: out int[64]
// ARG: n int = 64
// EXPECT: out = sum(k, i / 32 * 32, i + 1, in[k])
// RUN: sums global=64 local=32
// ARG: in int[64] = i
// ARG: out int[64] = 7
// ARG: n int = 40
// EXPECT: out[0..31] = sum(k, 0, i + 1, in[k])
// EXPECT: out[40..63] = 7
kernel void sums(global const int *in, global int *out, int n)
{
    local int t[2][32];
    int lid = get_local_id(0), gid = get_global_id(0), size = get_local_size(0), from = 0;
    t[0][lid] = gid < n ? in[gid] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < size; step *= 2) {
        int sum = t[from][lid];
        if (lid >= step)
            sum += t[from][lid - step];
        t[1 - from][lid] = sum;
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (gid < n)
        out[gid] = t[from][lid];
}
