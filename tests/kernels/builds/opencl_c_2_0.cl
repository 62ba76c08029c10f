// SPDX-License-Identifier: MIT
// What OpenCL C 2.0 has beyond 1.2, without a macro, an extension or a pragma: generic
// pointers, variables of program scope, atomics, collective functions, groups of unequal
// size, blocks.
// SKIP: unless c 2.0
// BUILD: options="-cl-std=CL2.0 -Werror"
// RUN: use global=20 local=8
// ARG: out int[20]
// EXPECT: out = (i < 16 ? 28 : 6) + (i < 16 ? 8 : 4) + 8 + 200 + 190 + 5
// RUN: look_up global=1
// ARG: out int[1]
// EXPECT: out = 20
#if __OPENCL_C_VERSION__ != 200
#error not OpenCL C 2.0
#endif
global atomic_int total = ATOMIC_VAR_INIT(0);
global int version = CL_VERSION_2_0;
constant int five = 5;

int read(int *anywhere)
{
    return *anywhere;
}

kernel void use(global int *out)
{
    local int shared[8];
    int own = get_local_id(0);
    int (^twice)(int) = ^(int x) { return 2 * x; };

    atomic_fetch_add_explicit(&total, 1, memory_order_relaxed, memory_scope_device);
    shared[own] = own;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    out[get_global_id(0)] = work_group_reduce_add(read(&own)) + get_local_size(0) +
                            get_enqueued_local_size(0) + read(&version) +
                            (int)work_group_broadcast(190, 0) +
                            (twice(read(&shared[own])) == 2 * own ? five : 0) +
                            (to_local(&shared[0]) ? 0 : 1);
}

kernel void look_up(global int *out)
{
    *out = atomic_load(&total);
}
