// SPDX-License-Identifier: MIT
// Work-items that nothing puts in an order, and some that something does. Which groups meet is a
// matter of chance, so that faults of several groups name none.

kernel void neighbours(global int *out)
{
    local int tile[8];
    int i = get_local_id(0);
    tile[i] = i; // FAULT: race neighbours "write of 4 bytes of local memory races with a read" "at kernel.cl:10:29 by work-item (0, 0, 0) of group (0, 0, 0)" id=1
    out[get_global_id(0)] = tile[(i + 1) % 8]; // FAULT: uninitialized neighbours "stored" "" id=0
}
// RUN: neighbours global=8 local=8
// ARG: out int[8]
// EXPECT: completes

kernel void neighbours_in_order(global int *out)
{
    local int tile[8];
    int i = get_local_id(0);
    for (int round = 0; round < 3; round++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[i] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = tile[(i + 1) % 8];
    }
}
// RUN: neighbours_in_order global=16 local=8
// ARG: out int[16]
// EXPECT: out = (i + 1) % 8

kernel void wrong_kind(global int *data, global int *out)
{
    int i = get_global_id(0);
    data[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = data[i ^ 1]; // FAULT: race wrong_kind "read of 4 bytes of global memory races with a write"
}
// RUN: wrong_kind global=8 local=8
// ARG: data int[8]
// ARG: out int[8]
// EXPECT: completes

kernel void right_kind(global int *data, global int *out)
{
    int i = get_global_id(0);
    data[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = data[i ^ 1];
}
// RUN: right_kind global=8 local=8
// ARG: data int[8]
// ARG: out int[8]
// EXPECT: out = i ^ 1

kernel void groups(global int *out)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[0] = get_group_id(0); // FAULT: race groups "write of 4 bytes of global memory races with a write" "at kernel.cl:59:16 by work-item (0, 0, 0) of group ("
}
// RUN: groups global=32 local=8
// ARG: out int[1]
// EXPECT: completes

kernel void bytes(global char *out)
{
    int i = get_global_id(0);
    out[i] = i;
    ((global short *)out)[i / 2 + 8] = i; // FAULT: race bytes "write of 2 bytes of global memory races with a write"
}
// RUN: bytes global=8 local=4
// ARG: out char[32]
// EXPECT: completes

kernel void counted(global int *count, global int *plain)
{
    atomic_add(count, 1);
    plain[0] += 1; // FAULT: race counted "of 4 bytes of global memory races with a" FAULT: race counted "of 4 bytes of global memory races with a"
}
// RUN: counted global=8 local=8
// ARG: count int[1] = 0
// ARG: plain int[1] = 0
// EXPECT: count = 8

// The last group to come sums up what all have left: fences and an atomic operation.
kernel void last_group(global int *parts, global int *count, global int *out)
{
    local bool last;
    if (get_local_id(0) == 0) {
        parts[get_group_id(0)] = get_group_id(0) + 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc(count) == (int)get_num_groups(0) - 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && get_local_id(0) == 1) {
        int sum = 0;
        for (size_t g = 0; g < get_num_groups(0); g++)
            sum += parts[g];
        out[0] = sum;
    }
}
// RUN: last_group global=32 local=8
// ARG: parts int[4]
// ARG: count int[1] = 0
// ARG: out int[1]
// EXPECT: out = 10
