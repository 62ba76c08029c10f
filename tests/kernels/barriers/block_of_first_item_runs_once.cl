// SPDX-License-Identifier: MIT
// pocl/pocl#1977: after the rest of a kernel with barriers, a block for the work-item 0
// ran for all of them.
// RUN: first global=64 local=32
// ARG: out int[2] = 0
// ARG: data int[64]
// EXPECT: out = 1
// EXPECT: data = i % 32 == 0 ? 32 * 31 / 2 : i % 32
kernel void first(volatile global int *out, global int *data)
{
    local int t[32];
    int thread = get_local_id(0), sum = 0;
    t[thread] = thread;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 16; step > 0; step /= 2) {
        if (thread < step)
            t[thread] += t[thread + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[get_global_id(0)] = thread;
    if (thread == 0) {
        data[get_global_id(0)] = t[0];
        atomic_add(out + get_group_id(0), 1);
    }
}
