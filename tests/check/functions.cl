// SPDX-License-Identifier: MIT
// Faults in functions of kernels that are too large to have everything inlined: each level has two
// calls of the one below, and the kernels would have ten million instructions.
// BUILD: options="-cl-std=CL3.0"
#define LEVEL(NAME, N, BELOW, PARAMS, ARGS) \
    int NAME##N PARAMS { return n >> N & 1 ? NAME##BELOW ARGS : NAME##BELOW ARGS; }
#define LEVELS(NAME, PARAMS, ARGS) \
    LEVEL(NAME, 1, 0, PARAMS, ARGS) LEVEL(NAME, 2, 1, PARAMS, ARGS) LEVEL(NAME, 3, 2, PARAMS, ARGS) \
    LEVEL(NAME, 4, 3, PARAMS, ARGS) LEVEL(NAME, 5, 4, PARAMS, ARGS) LEVEL(NAME, 6, 5, PARAMS, ARGS) \
    LEVEL(NAME, 7, 6, PARAMS, ARGS) LEVEL(NAME, 8, 7, PARAMS, ARGS) LEVEL(NAME, 9, 8, PARAMS, ARGS) \
    LEVEL(NAME, 10, 9, PARAMS, ARGS) LEVEL(NAME, 11, 10, PARAMS, ARGS) LEVEL(NAME, 12, 11, PARAMS, ARGS) \
    LEVEL(NAME, 13, 12, PARAMS, ARGS) LEVEL(NAME, 14, 13, PARAMS, ARGS) LEVEL(NAME, 15, 14, PARAMS, ARGS) \
    LEVEL(NAME, 16, 15, PARAMS, ARGS) LEVEL(NAME, 17, 16, PARAMS, ARGS) LEVEL(NAME, 18, 17, PARAMS, ARGS) \
    LEVEL(NAME, 19, 18, PARAMS, ARGS)

// Global memory, by the argument that all calls hand on.
int past0(global int *p, int i, uint n)
{
    p[i] = 7; // FAULT: memory past_end "invalid write of 4 bytes of global memory" "0 bytes past the end of the buffer of argument 0 'out' of 32 bytes" id=8
    return i;
}
LEVELS(past, (global int *p, int i, uint n), (p, i, n))

kernel void past_end(global int *out)
{
    past19(out, get_global_id(0), get_global_id(0) * 0x123456);
}
// RUN: past_end global=16 local=8
// ARG: out int[8] = -1
// EXPECT: out = 7

// By one of two.
int either0(global const int *p, int i, uint n)
{
    return p[i - 1]; // FAULT: memory one_of_two "invalid read of 4 bytes of global memory" "lies in no memory of the kernel" id=0
}
LEVELS(either, (global const int *p, int i, uint n), (p, i, n))

kernel void one_of_two(global int *out, global const int *a, global const int *b)
{
    const int i = get_global_id(0);
    out[i] = either19(a, i, i) + either19(b, i + 1, i);
}
// RUN: one_of_two global=8 local=8
// ARG: out int[8]
// ARG: a int[8] = i
// ARG: b int[8] = 10 * i
// EXPECT: out = i > 0 ? i - 1 + 10 * i : 0

int null0(global const int *p, int i, uint n)
{
    return i & 1 ? p[i] : 3; // FAULT: memory null_pointer "invalid read of 4 bytes of global memory" "address 0x4 lies in NULL, which is argument 1 'p'" id=1
}
LEVELS(null, (global const int *p, int i, uint n), (p, i, n))

kernel void null_pointer(global int *out, global const int *p)
{
    out[get_global_id(0)] = null19(p, get_global_id(0), get_global_id(0) << 9);
}
// RUN: null_pointer global=4 local=2
// ARG: out int[4]
// ARG: p null
// EXPECT: out = i % 2 ? 0 : 3

// Local memory: past the end of a variable, and what another one has written.
int tile0(local int *t, int i, uint n)
{
    t[i] = i; // FAULT: memory in_local "invalid write of 4 bytes of local memory" "0 bytes past the end of the local variable 'tile' of 32 bytes" id=7
    return t[i - 1]; // FAULT: race in_local "read of 4 bytes of local memory races with a write" "at kernel.cl:" id=1
}
LEVELS(tile, (local int *t, int i, uint n), (t, i, n))

kernel void in_local(global int *out)
{
    local int tile[8];
    int t = tile19(tile, get_local_id(0) + 1, get_local_id(0) << 15);
    if (t < 0) // FAULT: uninitialized in_local "a value that was never written decides which way to go" "" id=0
        out[1] = 8;
    out[0] = 5;
}
// RUN: in_local global=8 local=8
// ARG: out int[2] = 0
// EXPECT: completes

// Local memory of an argument, in a function behind a barrier.
int given0(local const int *t, int i, uint n)
{
    if (t[i] > 3) // FAULT: uninitialized local_argument "a value that was never written decides which way to go" "" id=5
        return 1;
    return 0;
}
LEVELS(given, (local const int *t, int i, uint n), (t, i, n))

kernel void local_argument(global int *out, local int *t)
{
    const int i = get_local_id(0);
    if (i < 5)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int more = given19(t, i, i * 77777);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = more;
}
// RUN: local_argument global=6 local=6
// ARG: out int[6]
// ARG: t local int[6]
// EXPECT: out[0..4] = {0, 0, 0, 0, 1}

// Variables of the function, of whoever calls it, and values without a variable.
int vars0(int *caller, int i, int given, uint n)
{
    int own[4];
    for (int k = 0; k < i; k++)
        own[k] = k; // FAULT: memory variables "invalid write of 4 bytes of private memory" "0 bytes past the end of a private variable of 16 bytes" id=5
    caller[1] = own[1]; // of those that have none no value
    if (given > 50) // FAULT: uninitialized variables "a value that was never written decides which way to go" "" id=2
        return 1;
    return caller[0];
}
LEVELS(vars, (int *caller, int i, int given, uint n), (caller, i, given, n))

kernel void variables(global int *out)
{
    const int i = get_global_id(0);
    int mine[2], value;
    if (i != 3)
        mine[0] = i;
    if (i != 2)
        value = i + i;
    out[i] = vars19(mine, i, value, i * 999); // FAULT: uninitialized variables "a value that was never written is stored" "" id=3
    out[i] += mine[1]; // FAULT: uninitialized variables "a value that was never written is stored" "" id=0
}
// RUN: variables global=6 local=3
// ARG: out int[6]
// EXPECT: out[4] = 5

// Parameters that have an address.
int own0(int i, int given, uint n)
{
    int *p = i & 1 ? &i : &given;
    *p += 10;
    if (given > 50) // FAULT: uninitialized parameters "a value that was never written decides which way to go" "" id=3
        return 1;
    return i * 100 + given;
}
LEVELS(own, (int i, int given, uint n), (i, given, n))

kernel void parameters(global int *out)
{
    const int i = get_global_id(0);
    int value;
    if (i != 3)
        value = i + i;
    const int sum = own19(i, value, i * 999);
    out[i] = i == 3 ? 0 : sum;
}
// RUN: parameters global=6 local=3
// ARG: out int[6]
// EXPECT: out = {10, 1102, 214, 0, 418, 1510}

// Structs by value are copies: with what has no value, and with a size.
struct several {
    char c;
    int a, t[3];
};
int copy0(struct several s, int i, uint n)
{
    s.t[i] = 1; // FAULT: memory structs "invalid write of 4 bytes of private memory" "of a private variable of 20 bytes" id=3
    s.t[1] = s.a;
    return s.t[1] + s.c;
}
LEVELS(copy, (struct several s, int i, uint n), (s, i, n))

kernel void structs(global int *out)
{
    const int i = get_global_id(0);
    struct several s;
    s.c = i;
    if (i != 1)
        s.a = 10;
    const int sum = copy19(s, i, i * 4242);
    out[i] = sum; // FAULT: uninitialized structs "a value that was never written is stored" "" id=1
    s.t[1] = 4;
    out[i] += s.t[1] + s.c;
}
// RUN: structs global=4 local=4
// ARG: out int[4]
// EXPECT: out[0] = 14

struct several whole0(int i, uint n)
{
    struct several s;
    s.c = 1;
    if (i > 1)
        s.a = i;
    return s;
}
#define WHOLE(N, BELOW) \
    struct several whole##N(int i, uint n) { return n >> N & 1 ? whole##BELOW(i, n) : whole##BELOW(i, n); }
WHOLE(1, 0) WHOLE(2, 1) WHOLE(3, 2) WHOLE(4, 3) WHOLE(5, 4) WHOLE(6, 5) WHOLE(7, 6) WHOLE(8, 7) WHOLE(9, 8)
WHOLE(10, 9) WHOLE(11, 10) WHOLE(12, 11) WHOLE(13, 12) WHOLE(14, 13) WHOLE(15, 14) WHOLE(16, 15) WHOLE(17, 16)

kernel void results(global int *out)
{
    const int i = get_global_id(0);
    struct several s = whole17(i, i * 31337);
    out[i] = s.c;
    out[i] += s.a; // FAULT: uninitialized results "a value that was never written is stored" "" id=0
}
// RUN: results global=4 local=2
// ARG: out int[4]
// EXPECT: out[2..3] = {3, 4}

// Nothing is wrong with these: vectors with parts that nobody uses, constants, several calls.
constant int table[4] = {1, 2, 3, 4};
int fine0(float4 v, constant int *t, global float2 *all, int i, uint n)
{
    float4 w;
    w.xy = v.xy * t[i & 3];
    all[i] = w.xy;
    v.w = 1;
    return (int)(w.y + fmin(v.y, 3.0f));
}
LEVELS(fine, (float4 v, constant int *t, global float2 *all, int i, uint n), (v, t, all, i, n))

kernel void all_fine(global int *out, global float2 *all)
{
    const int i = get_global_id(0);
    float4 v;
    v.xy = (float2)(i, 2);
    out[i] = fine19(v, table, all, i, i * 55);
    out[i] += fine19(v.yxzw, table, all, i, i * 55);
}
// RUN: all_fine global=4 local=2
// ARG: out int[4]
// ARG: all float2[4]
// EXPECT: out = {4, 9, 16, 25}

// Images: one that all calls hand on, and one of two.
int pixel0(read_only image2d_t one, read_only image2d_t either, global const int *at, int i, uint n)
{
    const int x = read_imagei(one, (int2)(i, 0)).x; // FAULT: memory images "invalid read of an image" "at (4, 0) of the image of argument 1 'a', which has 4 x 2 pixels" id=4
    return x + read_imagei(either, (int2)(0, i)).x; // FAULT: memory images "invalid read of an image" "at (0, 2) of an image, which has 4 x 2 pixels" id=2
}
LEVELS(pixel, (read_only image2d_t one, read_only image2d_t either, global const int *at, int i, uint n), (one, either, at, i, n))

kernel void images(global int *out, read_only image2d_t a, read_only image2d_t b)
{
    const int i = get_global_id(0);
    out[i] = pixel19(a, a, out, i, i * 12345) + pixel19(a, b, out, i, i * 12345);
}
// RUN: images global=5 local=5
// ARG: out int[5]
// ARG: a image 2d R SIGNED_INT32 4x2 int[8] = i
// ARG: b image 2d R SIGNED_INT32 4x2 int[8] = 10 * i
// EXPECT: out[0..1] = {0, 46}
