// SPDX-License-Identifier: MIT
// Barriers of some sub-groups of a work-group: each half has its own, and then all have
// one; a producer and a consumer take turns by two of them; one is made anew in a loop.
// BUILD: options="-cl-std=CL3.0 -DSIZE=4"
// RUN: halves global=320 local=160
// ARG: out int[320]
// EXPECT: out = 40 + 100 * (i % 160 / 4 < 20 ? 20 : 20)
// RUN: chain global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 45
// RUN: in_a_loop global=160 local=160
// ARG: out int[160]
// EXPECT: out = 120
// BUILD: options="-cl-std=CL3.0 -DSIZE=8"
// RUN: halves global=320 local=160
// ARG: out int[320]
// EXPECT: out = 20 + 100 * (i % 160 / 8 < 10 ? 10 : 10)
// RUN: chain global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 45
// RUN: in_a_loop global=160 local=160
// ARG: out int[160]
// EXPECT: out = 60
// BUILD: options="-cl-std=CL3.0 -DSIZE=16"
// RUN: halves global=320 local=160
// ARG: out int[320]
// EXPECT: out = 10 + 100 * (i % 160 / 16 < 5 ? 5 : 5)
// RUN: chain global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 45
// RUN: in_a_loop global=160 local=160
// ARG: out int[160]
// EXPECT: out = 30
// BUILD: options="-cl-std=CL3.0 -DSIZE=32"
// RUN: halves global=320 local=160
// ARG: out int[320]
// EXPECT: out = 5 + 100 * (i % 160 / 32 < 2 ? 2 : 3)
// RUN: chain global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 45
// RUN: in_a_loop global=160 local=160
// ARG: out int[160]
// EXPECT: out = 15
// BUILD: options="-cl-std=CL3.0 -DSIZE=64"
// RUN: halves global=320 local=160
// ARG: out int[320]
// EXPECT: out = 3 + 100 * (i % 160 / 64 < 1 ? 1 : 2)
// RUN: chain global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 45
// RUN: in_a_loop global=160 local=160
// ARG: out int[160]
// EXPECT: out = 9
#define WAITS __attribute__((intel_reqd_sub_group_size(SIZE))) kernel void

WAITS halves(global int *out)
{
    uint id = get_sub_group_id(), n = get_num_sub_groups();
    local named_barrier_t *low = named_barrier_init(n / 2);
    local named_barrier_t *high = named_barrier_init(n - n / 2);
    local named_barrier_t *all = named_barrier_init(n);
    local int arrived[2];
    int here;

    if (get_local_id(0) < 2)
        arrived[get_local_id(0)] = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0)
        atomic_inc(&arrived[id >= n / 2]);
    if (id < n / 2)
        work_group_named_barrier(low, CLK_LOCAL_MEM_FENCE);
    else
        work_group_named_barrier(high, CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    here = arrived[id >= n / 2];
    work_group_named_barrier(all, CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = arrived[0] + arrived[1] + 100 * here;
}

WAITS chain(global int *out)
{
    uint id = get_sub_group_id(), last = get_num_sub_groups() - 1;
    local named_barrier_t *full = named_barrier_init(2), *empty = named_barrier_init(2);
    local int box;

    for (int k = 0; k < 10; k++) {
        if (id == last) {
            if (get_sub_group_local_id() == 0)
                box = k;
            work_group_named_barrier(full, CLK_LOCAL_MEM_FENCE);
            work_group_named_barrier(empty, CLK_LOCAL_MEM_FENCE);
        } else if (id == 0) {
            work_group_named_barrier(full, CLK_LOCAL_MEM_FENCE);
            if (get_sub_group_local_id() == 0)
                out[get_group_id(0)] += box;
            work_group_named_barrier(empty, CLK_LOCAL_MEM_FENCE);
        }
    }
}

WAITS in_a_loop(global int *out)
{
    uint n = get_num_sub_groups();
    local int count;

    if (get_local_id(0) == 0)
        count = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 3; k++) {
        local named_barrier_t *all = named_barrier_init(n);

        if (get_sub_group_local_id() == 0)
            atomic_inc(&count);
        work_group_named_barrier(all, CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = count;
}
