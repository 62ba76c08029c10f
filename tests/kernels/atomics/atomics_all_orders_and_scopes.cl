// SPDX-License-Identifier: MIT
// Every order and scope of the C11 atomics, in global and local memory and program scope:
// whatever they are, nothing is lost.
// BUILD: options="-cl-std=CL3.0 -DORDER=memory_order_relaxed -DSCOPE=memory_scope_device -DVALUE=1"
// RUN: orders global=640 local=64
// ARG: out int[9] = 0
// EXPECT: out = {640, 640, -640, 639, 0, 127, 640, 64, 64}
// BUILD: options="-cl-std=CL3.0 -DORDER=memory_order_acq_rel -DSCOPE=memory_scope_work_group -DVALUE=1"
// RUN: orders global=640 local=64
// ARG: out int[9] = 0
// EXPECT: out = {640, 640, -640, 639, 0, 127, 640, 64, 64}
// BUILD: options="-cl-std=CL3.0 -DORDER=memory_order_seq_cst -DSCOPE=memory_scope_all_svm_devices -DVALUE=1"
// RUN: orders global=640 local=64
// ARG: out int[9] = 0
// EXPECT: out = {640, 640, -640, 639, 0, 127, 640, 64, 64}
// BUILD: options="-cl-std=CL3.0 -DORDER=memory_order_acquire -DSCOPE=memory_scope_all_devices -DVALUE=1"
// RUN: orders global=640 local=64
// ARG: out int[9] = 0
// EXPECT: out = {640, 640, -640, 639, 0, 127, 640, 64, 64}
// BUILD: options="-cl-std=CL3.0 -DORDER=memory_order_release -DSCOPE=memory_scope_device -DVALUE=1"
// RUN: orders global=640 local=64
// ARG: out int[9] = 0
// EXPECT: out = {640, 640, -640, 639, 0, 127, 640, 64, 64}
global atomic_int counter;
kernel void orders(global atomic_int *out)
{
    local atomic_int in_local[2];
    int g = get_global_id(0), l = get_local_id(0);
    if (l < 2)
        atomic_init(&in_local[l], 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    int old = atomic_fetch_add_explicit(&counter, VALUE, ORDER, SCOPE);
    if (old == 639)
        atomic_store(&out[0], 640);
    atomic_fetch_add_explicit(&out[1], 1, ORDER, SCOPE);
    atomic_fetch_sub_explicit(&out[2], 1, ORDER, SCOPE);
    atomic_fetch_max_explicit(&out[3], g, ORDER, SCOPE);
    atomic_fetch_min_explicit(&out[4], g, ORDER, SCOPE);
    atomic_fetch_or_explicit(&out[5], g & 127, ORDER, SCOPE);
    int expected = atomic_load_explicit(&out[6], memory_order_relaxed, SCOPE);
    while (!atomic_compare_exchange_weak_explicit(&out[6], &expected, expected + 1,
                                                  memory_order_acq_rel, memory_order_relaxed, SCOPE))
        ;
    atomic_fetch_add_explicit(&in_local[0], 1, ORDER, SCOPE);
    old = atomic_exchange_explicit(&in_local[1], l + 1, ORDER, SCOPE);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, SCOPE);
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    if (g == 0) {
        atomic_store_explicit(&out[7], atomic_load(&in_local[0]), memory_order_release, SCOPE);
        int last = atomic_load_explicit(&in_local[1], memory_order_acquire, SCOPE);
        atomic_store_explicit(&out[8], last >= 1 && last <= 64 ? 64 : last, memory_order_seq_cst);
    }
}
