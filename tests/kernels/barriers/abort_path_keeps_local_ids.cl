// SPDX-License-Identifier: MIT
// pocl/pocl#2113 and #1958: a path that never ends, taken by nobody, made the local id 0
// for all behind the barrier.
// RUN: pick global=72 local=36
// ARG: out int[72]
// ARG: limit int = 100
// EXPECT: out = (i % 36) % 12 + 1000 * 3
void fill(local int *data, int limit)
{
    for (int i = 0; i < 3; i++) {
        data[i] = i + 1;
        if (data[i] > limit)
            while (1) {
            }
    }
}

kernel void pick(global int *out, int limit)
{
    local int data[3];
    if (get_local_id(0) % 36 == 0)
        fill(data, limit);
    barrier(CLK_LOCAL_MEM_FENCE);
    int offset = get_local_id(0) % 12;
    if (offset > limit)
        __builtin_unreachable();
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = offset + 1000 * data[2];
}
