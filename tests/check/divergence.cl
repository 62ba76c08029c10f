// SPDX-License-Identifier: MIT
// Barriers that not all work-items of a group come to.
// BUILD: options="-cl-std=CL2.0"

kernel void some_leave(global int *out)
{
    if (get_local_id(0) == 3)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); // FAULT: divergence some_leave "not all work-items of the group come to the same barrier" "work-item (3, 0, 0) of the group has ended"
    out[get_global_id(0)] = 1;
}
// RUN: some_leave global=8 local=8
// ARG: out int[8] = 0
// EXPECT: out = i != 3

kernel void two_barriers(global int *out)
{
    if (get_local_id(0) < 2)
        barrier(CLK_LOCAL_MEM_FENCE); // FAULT: divergence two_barriers "not all work-items" "work-item (2, 0, 0) of the group is at the one in line 21"
    else
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
// RUN: two_barriers global=4 local=4
// ARG: out int[4] = 0
// EXPECT: out = 1

kernel void rounds(global int *out)
{
    for (size_t i = 0; i <= get_local_id(0); i++)
        barrier(CLK_LOCAL_MEM_FENCE); // FAULT: divergence rounds "not all work-items" "has ended"
    out[get_global_id(0)] = 1;
}
// RUN: rounds global=4 local=4
// ARG: out int[4] = 0
// EXPECT: out = 1

kernel void sum(global int *out)
{
    if (get_local_id(0) != 1)
        out[get_global_id(0)] = work_group_reduce_add(1); // FAULT: divergence sum "not all work-items" "work-item (1, 0, 0) of the group has not come to it"
}
// RUN: sum global=4 local=4
// ARG: out int[4] = 0
// EXPECT: completes

kernel void whole_groups(global int *out)
{
    if (get_group_id(0) == 1)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
// RUN: whole_groups global=12 local=4
// ARG: out int[12] = 0
// EXPECT: out = i / 4 != 1
