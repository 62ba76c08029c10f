// SPDX-License-Identifier: MIT
// Sub-groups of one work-group that wait for each other without barriers: in both orders,
// by turns, for tickets and locks, as producer and consumer, beside others that have
// come to a barrier, all work-items of a sub-group or one. Sub-groups make progress whatever the others do.
// BUILD: options="-cl-std=CL3.0 -DSIZE=4"
// RUN: up global=320 local=160
// ARG: out int[320]
// EXPECT: out = i % 160 / 4
// RUN: down global=320 local=160
// ARG: out int[320]
// EXPECT: out = 39 - i % 160 / 4
// RUN: by_turns global=320 local=160
// ARG: turn int[2] = 0
// EXPECT: turn = 40
// RUN: tickets global=320 local=160
// ARG: tickets int[2] = 0
// ARG: serving int[2] = 0
// ARG: sum int[2] = 0
// EXPECT: sum = 120
// EXPECT: serving = 120
// RUN: lock global=640 local=160
// ARG: lock int[1] = 0
// ARG: sum int[1] = 0
// EXPECT: sum = 160
// RUN: produce global=320 local=160
// ARG: sum int[2] = 0
// EXPECT: sum = 780
// RUN: beside_barriers global=320 local=160
// ARG: out int[320]
// EXPECT: out = 7 + 40
// RUN: votes global=40x4 local=40x4
// ARG: out int[160]
// EXPECT: out = 1
// RUN: items global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 3
// RUN: fences global=160 local=160
// ARG: flag int[1] = 0
// ARG: out int[1] = 0
// EXPECT: out = 5
// BUILD: options="-cl-std=CL3.0 -DSIZE=8"
// RUN: up global=320 local=160
// ARG: out int[320]
// EXPECT: out = i % 160 / 8
// RUN: down global=320 local=160
// ARG: out int[320]
// EXPECT: out = 19 - i % 160 / 8
// RUN: by_turns global=320 local=160
// ARG: turn int[2] = 0
// EXPECT: turn = 40
// RUN: tickets global=320 local=160
// ARG: tickets int[2] = 0
// ARG: serving int[2] = 0
// ARG: sum int[2] = 0
// EXPECT: sum = 60
// EXPECT: serving = 60
// RUN: lock global=640 local=160
// ARG: lock int[1] = 0
// ARG: sum int[1] = 0
// EXPECT: sum = 80
// RUN: produce global=320 local=160
// ARG: sum int[2] = 0
// EXPECT: sum = 780
// RUN: beside_barriers global=320 local=160
// ARG: out int[320]
// EXPECT: out = 7 + 20
// RUN: votes global=40x4 local=40x4
// ARG: out int[160]
// EXPECT: out = 1
// RUN: items global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 3
// RUN: fences global=160 local=160
// ARG: flag int[1] = 0
// ARG: out int[1] = 0
// EXPECT: out = 5
// BUILD: options="-cl-std=CL3.0 -DSIZE=16"
// RUN: up global=320 local=160
// ARG: out int[320]
// EXPECT: out = i % 160 / 16
// RUN: down global=320 local=160
// ARG: out int[320]
// EXPECT: out = 9 - i % 160 / 16
// RUN: by_turns global=320 local=160
// ARG: turn int[2] = 0
// EXPECT: turn = 40
// RUN: tickets global=320 local=160
// ARG: tickets int[2] = 0
// ARG: serving int[2] = 0
// ARG: sum int[2] = 0
// EXPECT: sum = 30
// EXPECT: serving = 30
// RUN: lock global=640 local=160
// ARG: lock int[1] = 0
// ARG: sum int[1] = 0
// EXPECT: sum = 40
// RUN: produce global=320 local=160
// ARG: sum int[2] = 0
// EXPECT: sum = 780
// RUN: beside_barriers global=320 local=160
// ARG: out int[320]
// EXPECT: out = 7 + 10
// RUN: votes global=40x4 local=40x4
// ARG: out int[160]
// EXPECT: out = 1
// RUN: items global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 3
// RUN: fences global=160 local=160
// ARG: flag int[1] = 0
// ARG: out int[1] = 0
// EXPECT: out = 5
// BUILD: options="-cl-std=CL3.0 -DSIZE=32"
// RUN: up global=320 local=160
// ARG: out int[320]
// EXPECT: out = i % 160 / 32
// RUN: down global=320 local=160
// ARG: out int[320]
// EXPECT: out = 4 - i % 160 / 32
// RUN: by_turns global=320 local=160
// ARG: turn int[2] = 0
// EXPECT: turn = 40
// RUN: tickets global=320 local=160
// ARG: tickets int[2] = 0
// ARG: serving int[2] = 0
// ARG: sum int[2] = 0
// EXPECT: sum = 15
// EXPECT: serving = 15
// RUN: lock global=640 local=160
// ARG: lock int[1] = 0
// ARG: sum int[1] = 0
// EXPECT: sum = 20
// RUN: produce global=320 local=160
// ARG: sum int[2] = 0
// EXPECT: sum = 780
// RUN: beside_barriers global=320 local=160
// ARG: out int[320]
// EXPECT: out = 7 + 5
// RUN: votes global=40x4 local=40x4
// ARG: out int[160]
// EXPECT: out = 1
// RUN: items global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 3
// RUN: fences global=160 local=160
// ARG: flag int[1] = 0
// ARG: out int[1] = 0
// EXPECT: out = 5
// BUILD: options="-cl-std=CL3.0 -DSIZE=64"
// RUN: up global=320 local=160
// ARG: out int[320]
// EXPECT: out = i % 160 / 64
// RUN: down global=320 local=160
// ARG: out int[320]
// EXPECT: out = 2 - i % 160 / 64
// RUN: by_turns global=320 local=160
// ARG: turn int[2] = 0
// EXPECT: turn = 40
// RUN: tickets global=320 local=160
// ARG: tickets int[2] = 0
// ARG: serving int[2] = 0
// ARG: sum int[2] = 0
// EXPECT: sum = 9
// EXPECT: serving = 9
// RUN: lock global=640 local=160
// ARG: lock int[1] = 0
// ARG: sum int[1] = 0
// EXPECT: sum = 12
// RUN: produce global=320 local=160
// ARG: sum int[2] = 0
// EXPECT: sum = 780
// RUN: beside_barriers global=320 local=160
// ARG: out int[320]
// EXPECT: out = 7 + 3
// RUN: votes global=40x4 local=40x4
// ARG: out int[160]
// EXPECT: out = 1
// RUN: items global=320 local=160
// ARG: out int[2] = 0
// EXPECT: out = 3
// RUN: fences global=160 local=160
// ARG: flag int[1] = 0
// ARG: out int[1] = 0
// EXPECT: out = 5
#define WAITS __attribute__((intel_reqd_sub_group_size(SIZE))) kernel void

// One work-item waits for its sub-group.
static void wait_until(volatile local atomic_int *p, int value)
{
    if (get_sub_group_local_id() == 0)
        while (atomic_load_explicit(p, memory_order_acquire, memory_scope_work_group) != value)
            ;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static int in_order(local atomic_int *next, local int *count, int turn)
{
    int mine;

    wait_until(next, turn);
    mine = *count;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0) {
        *count = mine + 1;
        atomic_store_explicit(next, turn + 1, memory_order_release, memory_scope_work_group);
    }
    return mine;
}

WAITS up(global int *out)
{
    local atomic_int next;
    local int count;

    if (get_local_id(0) == 0) {
        atomic_init(&next, 0);
        count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = in_order(&next, &count, (int)get_sub_group_id());
}

WAITS down(global int *out)
{
    local atomic_int next;
    local int count;

    if (get_local_id(0) == 0) {
        atomic_init(&next, 0);
        count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] =
        in_order(&next, &count, (int)(get_num_sub_groups() - 1 - get_sub_group_id()));
}

// All work-items of a sub-group wait, in global memory.
WAITS by_turns(global atomic_int *turn)
{
    uint id = get_sub_group_id(), last = get_num_sub_groups() - 1;
    bool first = get_sub_group_local_id() == 0;

    turn += get_group_id(0);
    for (int k = 0; k < 20; k++) {
        if (id == 0) {
            while (atomic_load(turn) != 2 * k)
                ;
            sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
            if (first)
                atomic_store(turn, 2 * k + 1);
        } else if (id == last) {
            while (atomic_load(turn) != 2 * k + 1)
                ;
            sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
            if (first)
                atomic_store(turn, 2 * k + 2);
        }
    }
}

WAITS tickets(global int *tickets, volatile global int *serving, volatile global int *sum)
{
    size_t g = get_group_id(0);

    for (int k = 0; k < 3; k++) {
        if (get_sub_group_local_id() == 0) {
            int mine = atomic_inc(tickets + g);

            while (atomic_add(serving + g, 0) != mine)
                ;
            sum[g] += 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_inc(serving + g);
        }
    }
}

WAITS lock(volatile global int *lock, volatile global int *sum)
{
    if (get_sub_group_local_id() == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
}

// A ring of four numbers between the first and the last sub-group.
WAITS produce(global int *sum)
{
    local atomic_int put, taken;
    local int ring[4];
    uint id = get_sub_group_id(), last = get_num_sub_groups() - 1;

    if (get_local_id(0) == 0) {
        atomic_init(&put, 0);
        atomic_init(&taken, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() != 0)
        return;
    if (id == last) {
        for (int k = 0; k < 40; k++) {
            while (k - atomic_load(&taken) >= 4)
                ;
            ring[k % 4] = k;
            atomic_store(&put, k + 1);
        }
    } else if (id == 0) {
        for (int k = 0; k < 40; k++) {
            while (atomic_load(&put) <= k)
                ;
            sum[get_group_id(0)] += ring[k % 4];
            atomic_store(&taken, k + 1);
        }
    }
}

// The first sub-groups are at the barrier while the one before the last waits for the last.
WAITS beside_barriers(global int *out)
{
    local atomic_int flag, seen;
    uint id = get_sub_group_id(), n = get_num_sub_groups();

    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
        atomic_init(&seen, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == n - 2)
        wait_until(&flag, 7);
    if (id == n - 1 && get_sub_group_local_id() == 0)
        atomic_store(&flag, 7);
    if (get_sub_group_local_id() == 0)
        atomic_fetch_add(&seen, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load(&flag) + atomic_load(&seen);
}

// Sub-groups reach across rows; the whole one asks together.
WAITS votes(global int *out)
{
    local atomic_int flags[64];
    uint id = get_sub_group_id(), n = get_num_sub_groups();
    size_t linear = get_local_linear_id();

    for (size_t k = linear; k < 64; k += get_local_size(0) * get_local_size(1))
        atomic_init(&flags[k], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    while (id + 1 < n && !sub_group_any(atomic_load(&flags[id + 1])))
        ;
    if (sub_group_elect())
        atomic_store(&flags[id], 1);
    while (!sub_group_all(atomic_load(&flags[0]) == 1))
        ;
    out[linear] = atomic_load(&flags[id]);
}

WAITS items(global int *out)
{
    local atomic_int a, b;
    size_t i = get_local_id(0), last = get_local_size(0) - 1;

    if (i == 0) {
        atomic_init(&a, 0);
        atomic_init(&b, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0 && get_sub_group_id() == 0) {
        atomic_store(&a, 1);
        while (atomic_load(&b) == 0)
            ;
        out[get_group_id(0)] = atomic_load(&a) + atomic_load(&b);
    } else if (i == last) {
        while (atomic_load(&a) == 0)
            ;
        atomic_store(&b, 2);
    }
}

WAITS fences(global int *flag, global int *out)
{
    size_t i = get_local_id(0);

    if (i == 0 && get_sub_group_id() == 0) {
        while (*flag == 0)
            mem_fence(CLK_GLOBAL_MEM_FENCE);
        *out = *flag;
    } else if (i == get_local_size(0) - 1) {
        *flag = 5;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
}
