// SPDX-License-Identifier: MIT
// Behind a barrier all items take one branch, which begins with a loop whose count is
// another for each of them; the other branch has a barrier.
// RUN: mixed global=48 local=16
// ARG: out int[48]
// EXPECT: out = i < 16 ? 3 * (15 - i % 16) : (i + 1) % 16
kernel void mixed(global int *out)
{
    local int t[16];
    int l = get_local_id(0), sum = 0;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0) {
        for (int i = 0; i < 15 - l; i++)
            sum += t[l] >= 0 ? 3 : i;
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = t[(l + 1) % 16];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum;
}
