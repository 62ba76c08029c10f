// SPDX-License-Identifier: MIT
// Clang's extension __cl_clang_function_pointers: items call different functions through
// tables, variables of program scope, arguments of functions and members of structs.
// SKIP: unless platform Trefoil
// BUILD: options="-cl-std=CL3.0"
// RUN: table global=64 local=16
// ARG: out int[64]
// EXPECT: out = i % 3 == 0 ? i + 7 : i % 3 == 1 ? i - 7 : i * 7
// RUN: set global=1
// EXPECT: completes
// RUN: stored global=8 local=8
// ARG: out int[8]
// EXPECT: out = i * 5
// RUN: with_barrier global=32 local=16
// ARG: out int[32]
// EXPECT: out = i / 16 * 16 + 15 - i % 16
// RUN: compare global=1
// ARG: out int[6]
// EXPECT: out = {1, 0, 1, 0, 0, 4}
// RUN: by_value global=16 local=4
// ARG: out int[16]
// EXPECT: out = i % 2 ? 3 * i : i + 3
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*operation)(int, int);
int plus(int a, int b) { return a + b; }
int minus(int a, int b) { return a - b; }
int times(int a, int b) { return a * b; }
constant operation operations[3] = {plus, minus, times};

kernel void table(global int *out)
{
    int i = get_global_id(0);
    out[i] = operations[i % 3](i, 7);
}

global operation chosen;

kernel void set(void)
{
    chosen = times;
}

kernel void stored(global int *out)
{
    int i = get_global_id(0);
    out[i] = chosen(i, 5);
}

typedef int (*exchange)(local int *, int);
int mirror(local int *shared, int value)
{
    shared[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return shared[get_local_size(0) - 1 - get_local_id(0)];
}
int keep(local int *shared, int value) { return value; }

kernel void with_barrier(global int *out)
{
    local int shared[16];
    exchange f = get_global_size(0) == 32 ? mirror : keep;
    out[get_global_id(0)] = f(shared, get_global_id(0));
}

kernel void compare(global int *out)
{
    volatile operation f = plus, none = 0;
    out[0] = f == plus;
    out[1] = f == minus;
    out[2] = f != 0;
    out[3] = none != 0;
    out[4] = none ? 1 : 0;
    out[5] = (f == plus ? times : minus)(2, 2);
}

struct pair { int a, b; long c[4]; };
typedef struct pair (*change)(struct pair, int);
struct pair add(struct pair p, int n) { p.a += n; p.c[2] = p.a; return p; }
struct pair scale(struct pair p, int n) { p.a *= n; p.c[2] = p.a; return p; }
int apply(change f, struct pair p, int n) { return f(p, n).c[2]; }

kernel void by_value(global int *out)
{
    int i = get_global_id(0);
    struct pair p = {i, 0};
    out[i] = apply(i & 1 ? scale : add, p, 3);
}
