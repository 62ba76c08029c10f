// SPDX-License-Identifier: MIT
// Accesses outside of what they are made to. A bad read gives 0, a bad write is lost.
// BUILD: options="-cl-std=CL3.0"

kernel void past_end(global int *out, int n)
{
    int i = get_global_id(0);
    out[i + n] = 7; // FAULT: memory past_end "invalid write of 4 bytes of global memory" "0 bytes past the end of the buffer of argument 0 'out' of 32 bytes" id=8
}
// RUN: past_end global=16 local=8
// ARG: out int[8] = -1
// ARG: n int = 0
// EXPECT: out = 7

kernel void before_start(global const int *in, global int *out)
{
    const global int *p = in;
    p -= 3;
    out[get_global_id(0)] = p[get_global_id(0)]; // FAULT: memory before_start "invalid read of 4 bytes of global memory" "12 bytes before the buffer of argument 0 'in' of 64 bytes" id=0
}
// RUN: before_start global=16 local=4
// ARG: in int[16] = i + 1
// ARG: out int[16] = -1
// EXPECT: out = i < 3 ? 0 : i - 2

kernel void beside_vector(global int *out)
{
    vstore4((int4)(1), 0, out + 1); // FAULT: memory beside_vector "invalid write of " "of the buffer of argument 0 'out' of 16 bytes" id=0
}
// RUN: beside_vector global=1
// ARG: out int[4]
// EXPECT: completes

kernel void local_argument(local int *tmp, global int *out)
{
    int i = get_local_id(0);
    tmp[i + 1] = i; // FAULT: memory local_argument "invalid write of 4 bytes of local memory" "0 bytes past the end of local argument 0 'tmp' of 32 bytes" id=7
    out[get_global_id(0)] = tmp[i + 1]; // FAULT: memory local_argument "invalid read of 4 bytes of local memory" "0 bytes past the end of local argument 0 'tmp' of 32 bytes" id=7
}
// RUN: local_argument global=8 local=8
// ARG: tmp local int[8]
// ARG: out int[8] = -1
// EXPECT: out = i < 7 ? i : 0

kernel void local_variable(global int *out, int n)
{
    local int tile[16];
    int i = get_local_id(0);
    tile[i * n] = i; // FAULT: memory local_variable "invalid write of 4 bytes of local memory" "4 bytes past the end of the local variable 'tile' of 64 bytes" id=1
    out[i] = 1;
}
// RUN: local_variable global=2 local=2
// ARG: out int[2]
// ARG: n int = 17
// EXPECT: out = 1

kernel void private_array(global int *out, int n)
{
    int a[4] = {1, 2, 3, 4};
    out[get_global_id(0)] = a[n + get_global_id(0)]; // FAULT: memory private_array "invalid read of 4 bytes of private memory" "0 bytes past the end of a private variable of 16 bytes" id=2
}
// RUN: private_array global=3 local=1
// ARG: out int[3]
// ARG: n int = 2
// EXPECT: out = {3, 4, 0}

constant int table[4] = {10, 20, 30, 40};
global int counter[2];

kernel void variables(global int *out, int n)
{
    out[0] = table[n]; // FAULT: memory variables "invalid read of 4 bytes of constant memory" "0 bytes past the end of the constant variable 'table' of 16 bytes" id=0
    counter[n - 2] = 1; // FAULT: memory variables "invalid write of 4 bytes of global memory" "0 bytes past the end of the global variable 'counter' of 8 bytes" id=0
}
// RUN: variables global=1
// ARG: out int[1] = 5
// ARG: n int = 4
// EXPECT: out = 0

kernel void none(global int *out, global const int *in)
{
    if (in) // not asked by everybody
        out[0] = in[0];
    out[1] = in[1]; // FAULT: memory none "invalid read of 4 bytes of global memory" "NULL, which is argument 1 'in'" id=0
}
// RUN: none global=1
// ARG: out int[2] = 9
// ARG: in null
// EXPECT: out = {9, 0}

kernel void counts(global int *out, int n)
{
    atomic_inc(out + n); // FAULT: memory counts "invalid atomic operation of 4 bytes of global memory" "8 bytes past the end of the buffer of argument 0 'out' of 8 bytes" id=0
}
// RUN: counts global=4 local=4
// ARG: out int[2] = 0
// ARG: n int = 4
// EXPECT: out = 0

struct pair {
    int a[4];
};
kernel void structs(global struct pair *out, global const struct pair *in, int n)
{
    out[0] = in[n]; // FAULT: memory structs "invalid read of 16 bytes of global memory" "0 bytes past the end of the buffer of argument 1 'in' of 32 bytes" id=0
}
// RUN: structs global=1
// ARG: out int[4] = 3
// ARG: in int[8] = 4
// ARG: n int = 2
// EXPECT: out = 3

int deep(global int *p, int n)
{
    return p[n]; // FAULT: memory calls "invalid read of 4 bytes of global memory" "0 bytes past the end of the buffer of argument 0 'out' of 4 bytes" id=0
}
kernel void calls(global int *out)
{
    out[0] = 1 + deep(out, 1);
}
// RUN: calls global=1
// ARG: out int[1] = 3
// EXPECT: out = 1

kernel void copies(global const int *in, global int *out, int n)
{
    local int tile[8];
    event_t e = async_work_group_copy(tile, in, n, 0); // FAULT: memory copies "invalid write of 4 bytes of local memory" "0 bytes past the end of the local variable 'tile' of 32 bytes" FAULT: memory copies "invalid read of 4 bytes of global memory" "0 bytes past the end of the buffer of argument 0 'in' of 32 bytes"
    wait_group_events(1, &e);
    out[get_local_id(0)] = tile[get_local_id(0)];
}
// RUN: copies global=8 local=8
// ARG: in int[8] = i
// ARG: out int[8]
// ARG: n int = 9
// EXPECT: out = i

// A list that goes round from what nobody has written.
kernel void goes_round(global int *out)
{
    void **p;
    for (int i = 0; i < out[0]; i++)
        p = (void **)*p;
    out[1] = 1;
}
// RUN: goes_round global=1
// ARG: out int[2] = 0
// EXPECT: out = {0, 1}
