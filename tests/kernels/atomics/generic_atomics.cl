// SPDX-License-Identifier: MIT
// Atomics through generic pointers.
// BUILD: options="-cl-std=CL3.0"
// RUN: add global=1024 local=64
// ARG: out int[3] = {0, 0, 0}
// EXPECT: out = {1024, 1024, 0}
void count(volatile atomic_int *p)
{
    atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_work_group);
}

kernel void add(global atomic_int *out)
{
    local atomic_int in_local;
    if (get_local_id(0) == 0)
        atomic_store_explicit(&in_local, 0, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_int *either = get_local_id(0) & 1 ? (atomic_int *)&in_local : (atomic_int *)&out[0];
    count(either);
    count(get_local_id(0) & 1 ? (atomic_int *)&out[0] : (atomic_int *)&in_local);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_fetch_add_explicit(&out[1],
                                  atomic_load_explicit(&in_local, memory_order_relaxed,
                                                       memory_scope_work_group),
                                  memory_order_relaxed, memory_scope_work_group);
}
