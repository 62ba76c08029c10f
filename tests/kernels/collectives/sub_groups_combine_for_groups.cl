// SPDX-License-Identifier: MIT
// Collective functions of work-groups combine what sub-groups made: with more sub-groups than
// one has work-items, with a last one of one work-item, and beside functions of sub-groups.
// BUILD: options="-cl-std=CL3.0"
// RUN: both global=1026 local=513
// ARG: out int4[1026]
// EXPECT: out = {sum(k, i / 513 * 513, i / 513 * 513 + 513, k), sum(k, i / 513 * 513, i + 1, k), i / 513 * 513 + 512, sum(k, i - i % 513 % 16, i % 513 == 512 ? i + 1 : i - i % 513 % 16 + 16, k), ...}
// RUN: fours global=70x3 local=35x3
// ARG: out int4[210]
// EXPECT: out = {sum(k, i / 105 * 105, i / 105 * 105 + 105, k), sum(k, i / 105 * 105, i, k), i / 105 * 105, sum(k, i - i % 105 % 4, i % 105 == 104 ? i + 1 : i - i % 105 % 4 + 4, k), ...}
// RUN: agree global=700 local=350
// ARG: in float[700] = random(5, -1e3, 1e3)
// ARG: out int[700]
// EXPECT: out = 0
kernel void both(global int4 *out)
{
    int i = get_global_id(0);
    int all = work_group_reduce_add(i), upto = work_group_scan_inclusive_add(i);
    out[i] = (int4)(all, upto, work_group_reduce_max(i), sub_group_reduce_add(i));
}

__attribute__((intel_reqd_sub_group_size(4))) kernel void fours(global int4 *out)
{
    int i = get_group_id(0) * 105 + get_local_linear_id();
    int all = work_group_reduce_add(i), before = work_group_scan_exclusive_add(i);
    out[i] = (int4)(all, before, work_group_reduce_min(i), sub_group_reduce_add(i));
}

// In whatever order reals are added, all work-items get the same sum.
kernel void agree(global const float *in, global int *out)
{
    local float first;
    float sum = work_group_reduce_add(in[get_global_id(0)]);
    if (get_local_id(0) == 0)
        first = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = as_int(sum) != as_int(first);
}
