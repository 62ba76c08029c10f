// SPDX-License-Identifier: MIT
// Work-items that are elsewhere are not counted: in branches, in loops that work-items
// leave one after the other, after a return, and in nested ones. Groups of 40: the last
// sub-group is short.
// BUILD: options="-cl-std=CL3.0"
// RUN: branches global=80 local=40
// ARG: out int8[80]
// EXPECT: out = {sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k % 3 == i % 3 ? k : 0), sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k % 3 == i % 3 ? 1 : 0), sum(k, i - i % 40 % 16, i, k % 3 == i % 3 ? k : 0), sum(k, i - i % 40 % 16, i + 1, k % 3 == i % 3 ? k : 0), minof(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k % 3 == i % 3 ? k : 1000), minof(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k % 3 == i % 3 ? k : 1000) == i, sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k), sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k % 3 == i % 3 ? 1 << k % 40 % 16 : 0), ...}
// RUN: loops global=80 local=40
// ARG: out int2[80]
// EXPECT: out = {sum(n, 0, i % 5 + 1, sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k % 5 >= n ? 1 : 0)), i % 40 % 16 == 0 ? 5 : 0, ...}
// RUN: returns global=80 local=40
// ARG: out int[80] = -1
// EXPECT: out = i % 7 == 2 ? -1 : sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k % 7 == 2 ? 0 : k)
// RUN: nested global=80 local=40
// ARG: out int2[80]
// EXPECT: out = {i & 1 ? i & 2 ? sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), (k & 3) == 3 ? k : 0) : 7 : sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), (k & 1) == 0 ? 1 : 0), i & 1 ? sum(k, i - i % 40 % 16, i - i % 40 % 16 + (i % 40 < 32 ? 16 : 8), k & 1) : 0, ...}
// RUN: decides global=80 local=40
// ARG: in int[80] = i == 17 || i == 75
// ARG: out int[80]
// EXPECT: out = i % 40 < 16 ? 1 : i < 32 ? 2 : i < 40 ? 1 : i < 72 ? 1 : 2
// RUN: across_barriers global=160 local=80
// ARG: out int[160]
// EXPECT: out = sum(k, i - i % 80, i - i % 80 + 80, k)
// RUN: first_of_each global=24x4 local=12x4
// ARG: out int[192] = 0
// EXPECT: out[0..5] = 1
// EXPECT: out[6..191] = 0
#pragma OPENCL EXTENSION all : enable

kernel void branches(global int8 *out)
{
    int i = get_global_id(0), all = sub_group_reduce_add(i);
    int sum = 0, count = 0, before = 0, upto = 0, low = 0, first = 0, mask = 0;

    switch (i % 3) {
    case 0:
        sum = sub_group_non_uniform_reduce_add(i);
        count = sub_group_ballot_bit_count(sub_group_ballot(1));
        before = sub_group_non_uniform_scan_exclusive_add(i);
        upto = sub_group_non_uniform_scan_inclusive_add(i);
        low = sub_group_non_uniform_reduce_min(i);
        first = sub_group_elect();
        mask = sub_group_ballot(i >= 0).x;
        break;
    case 1:
        upto = sub_group_non_uniform_scan_inclusive_add(i);
        before = upto - i;
        low = sub_group_broadcast_first(i);
        first = sub_group_elect();
        mask = sub_group_ballot(5).x;
        sum = sub_group_clustered_reduce_add(i, 16);
        count = sub_group_non_uniform_reduce_add(1);
        break;
    default:
        mask = sub_group_ballot(1).x;
        count = popcount(mask);
        sum = sub_group_non_uniform_reduce_add(i);
        before = sub_group_non_uniform_scan_exclusive_add(i);
        upto = before + i;
        low = sub_group_broadcast_first(i);
        first = sub_group_elect();
    }
    out[i] = (int8)(sum, count, before, upto, low, first, all, mask);
}

kernel void loops(global int2 *out)
{
    int i = get_global_id(0), count = 0, turns = 0;

    for (int n = 0; n <= i % 5; n++)
        count += sub_group_non_uniform_reduce_add(1);
    // All go round together, as long as one has something left.
    for (int left = i % 5; sub_group_any(left >= 0); left--)
        turns += sub_group_elect();
    out[i] = (int2)(count, turns);
}

kernel void returns(global int *out)
{
    int i = get_global_id(0);

    if (i % 7 == 2)
        return;
    out[i] = sub_group_non_uniform_reduce_add(i);
}

kernel void nested(global int2 *out)
{
    int i = get_global_id(0), a = 7, b = 0;

    if (i & 1) {
        b = sub_group_non_uniform_reduce_add(1);
        if (i & 2)
            a = sub_group_non_uniform_reduce_add(i);
    } else {
        a = sub_group_non_uniform_reduce_add(1);
    }
    out[i] = (int2)(a, b);
}

kernel void decides(global const int *in, global int *out)
{
    int i = get_global_id(0);

    if (sub_group_any(in[i]))
        out[i] = 2;
    else
        out[i] = 1;
}

kernel void across_barriers(global int *out)
{
    local int sums[5];
    int i = get_global_id(0), sum = sub_group_reduce_add(i), all = 0;

    if (get_sub_group_local_id() == 0)
        sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() == 0) {
        int mine = get_sub_group_local_id() < get_num_sub_groups()
                       ? sums[get_sub_group_local_id()] : 0;
        mine = sub_group_reduce_add(mine);
        if (sub_group_elect())
            sums[0] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sums[0];
}

kernel void first_of_each(global int *out)
{
    if (sub_group_elect())
        out[(get_group_id(0) + get_group_id(1) * 2) * 3 + get_sub_group_id()] = 1;
}
