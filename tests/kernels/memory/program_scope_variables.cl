// SPDX-License-Identifier: MIT
// Variables of program scope keep their values from kernel to kernel, start with their
// initializers, and are shared by all kernels of the program.
// BUILD: options="-cl-std=CL3.0"
// RUN: initial global=1
// ARG: out int[25] = 7
// EXPECT: out = {0, 5, -1, 1, 2, 3, 0, 9, 2, 3, 97, 98, 3, 4, 1, 1, 2, 100, 1, 1, 40, 50, 60, 1, 15}
// RUN: count_a global=1000 local=10
// ARG: out int[1] = 0
// EXPECT: completes
// RUN: count_b global=256x2
// ARG: out int[1] = 0
// EXPECT: completes
// RUN: read global=1
// ARG: out int[4] = 0
// EXPECT: out = {1512, 3, 1000, 512}
// RUN: static_local global=1 times=5
// ARG: out int[2] = 0
// EXPECT: out = {15, 5}
// RUN: write_pointer global=4
// EXPECT: completes
// RUN: read_pointer global=4
// ARG: out int[4] = 0
// EXPECT: out = {10, 11, 12, 13}
global int zero;
global int five = 5;
global char minus = -1;
static global int3 vector = {1, 2, 3};
struct item { char tag; int value; global int *to; struct item global *next; };
global struct item first, second = {'a', 3, &five, &first}, first = {'b', 4, &five + 1, &second};
global int array[5] = {9, 2, 3};
global int *pointer = &array[1];
global int *global *pointer_to_pointer = &pointer;
constant int table[3] = {40, 50, 60};
constant int *constant_pointer = &table[0];
global float real = 100.0f;
global double reals[2] = {0.5, 1.5};
global ulong address = (ulong)&five;
constant char *global name = "xyz";
global int *null_global;
int *null_generic = 0;
local int *null_local = (local int *)0;
struct { private int *p; constant int *q[2]; } nulls;

kernel void initial(global int *out)
{
    int n = 0;
    out[n++] = zero;
    out[n++] = five;
    out[n++] = minus;
    out[n++] = vector.x;
    out[n++] = vector.y;
    out[n++] = vector.z;
    out[n++] = array[4];
    out[n++] = array[0];
    out[n++] = *pointer;
    out[n++] = (*pointer_to_pointer)[1];
    out[n++] = second.tag;
    out[n++] = second.next->tag;
    out[n++] = second.next->next->value;
    out[n++] = first.value;
    out[n++] = second.to == &five;
    out[n++] = first.to == &five + 1;
    out[n++] = reals[0] + reals[1];
    out[n++] = real;
    out[n++] = address == (ulong)&five;
    out[n++] = (((ulong)&vector) & 15) == 0;
    out[n++] = constant_pointer[0];
    out[n++] = constant_pointer[1];
    out[n++] = constant_pointer[2];
    out[n++] = name[0] == 'x' && name[2] == 'z' && name[3] == 0;
    out[n++] = (null_global == NULL) | (null_generic == NULL) << 1 | (null_local == NULL) << 2 |
               (nulls.p == NULL && nulls.q[1] == NULL) << 3;
}

global atomic_int counter;
global int launches, of_a, of_b;

kernel void count_a(global int *out)
{
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed, memory_scope_work_group);
    atomic_inc(&of_a);
    if (get_global_id(0) == 0)
        launches++;
    out[0] = 0;
}

kernel void count_b(global int *out)
{
    local int sum;
    sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_linear_id() == 0)
        atomic_add(&of_b, sum);
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed, memory_scope_work_group);
    if (get_global_id(0) == 0 && get_global_id(1) == 0)
        launches += 2;
    out[0] = 0;
}

kernel void read(global int *out)
{
    out[0] = atomic_load_explicit(&counter, memory_order_relaxed, memory_scope_work_group);
    out[1] = launches;
    out[2] = of_a;
    out[3] = of_b;
}

int next(void)
{
    static int n = 10;
    return ++n;
}

kernel void static_local(global int *out)
{
    static global int calls;
    out[0] = next();
    out[1] = ++calls;
}

global int values[4];
global int *kept[4];

kernel void write_pointer(void)
{
    size_t i = get_global_id(0);
    values[i] = 10 + i;
    kept[i] = &values[i];
}

kernel void read_pointer(global int *out)
{
    size_t i = get_global_id(0);
    out[i] = *kept[i];
}
