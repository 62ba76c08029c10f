// SPDX-License-Identifier: MIT
// Arrays, structs and variables whose address is taken, byte by byte: what was not
// written, where it is used; and what looks like it.
// BUILD: options="-cl-std=CL3.0"

kernel void array(global int *out)
{
    int a[8];
    int i = get_global_id(0);
    for (int k = 0; k < 7; k++)
        a[k] = k;
    out[i] = a[i]; // FAULT: uninitialized array "a value that was never written is stored" "" id=7
}
// RUN: array global=8 local=4
// ARG: out int[8]
// EXPECT: out[0..6] = i

kernel void decides(global int *out, int n)
{
    int a[4];
    a[n] = 1;
    if (a[2] > 0) // FAULT: uninitialized decides "a value that was never written decides which way to go" "" id=0
        out[0] = 1;
    if (a[n] > 0)
        out[1] = 1;
}
// RUN: decides global=1
// ARG: out int[2] = 0
// ARG: n int = 3
// EXPECT: out[1] = 1

kernel void address(global int *out)
{
    int at[2];
    at[1] = 1;
    out[at[1]] = 5;
    out[at[0]] = 6; // FAULT: uninitialized address "a value that was never written is part of an address" "" id=0
}
// RUN: address global=1
// ARG: out int[2] = 0
// EXPECT: out = {6, 5}

// One byte of four.
kernel void bytes(global uint *out)
{
    uint x;
    uchar *p = (uchar *)&x;
    p[0] = 1;
    p[1] = 2;
    p[3] = 4;
    out[0] = p[1];
    out[1] = p[2]; // FAULT: uninitialized bytes "a value that was never written is stored" "" id=0
    out[2] = x; // FAULT: uninitialized bytes "a value that was never written is stored" "" id=0
    p[2] = 3;
    out[3] = x;
}
// RUN: bytes global=1
// ARG: out uint[4]
// EXPECT: out[3] = 0x04030201

struct pair {
    char c;
    int a, b;
};

kernel void members(global int *out, int n)
{
    struct pair p;
    p.c = 1;
    p.a = n;
    out[0] = p.a + p.c;
    out[1] = p.b; // FAULT: uninitialized members "a value that was never written is stored" "" id=0
}
// RUN: members global=1
// ARG: out int[2]
// ARG: n int = 7
// EXPECT: out[0] = 8

// A copy is no use: not of padding, and not of members without a value.
kernel void copies(global int *out, global struct pair *all, int n)
{
    struct pair p, q, r;
    p.c = 1;
    p.b = n;
    q = p;
    r = q;
    all[0] = q;
    local struct pair l;
    l = r;
    out[0] = r.b + l.b;
    out[1] = l.a; // FAULT: uninitialized copies "a value that was never written is stored" "" id=0
    out[2] = all[0].a; // FAULT: uninitialized copies "a value that was never written is stored" "" id=0
    r.a = 4;
    all[0] = r;
    out[3] = all[0].a;
}
// RUN: copies global=1
// ARG: out int[4]
// ARG: all int[3] = 0
// ARG: n int = 7
// EXPECT: out[3] = 4

// Elements of arrays that are handed on without a value, and given one.
kernel void moved(global int *out)
{
    int a[4], b[4];
    a[0] = 1;
    for (int k = 0; k < 4; k++)
        b[k] = a[k];
    b[2] = 3;
    out[0] = b[0] + b[2];
    out[1] = b[0] + b[1]; // FAULT: uninitialized moved "a value that was never written is stored" "" id=0
}
// RUN: moved global=1
// ARG: out int[2]
// EXPECT: out[0] = 4

kernel void vectors(global float *out, int n)
{
    float4 v, w[2];
    v.x = 1;
    v.z = 3;
    out[0] = v.x + v.z;
    out[1] = v.y; // FAULT: uninitialized vectors "a value that was never written is stored" "" id=0
    w[n].xy = v.zx;
    out[2] = w[n].x + w[n].y;
    float4 s = v + w[n];
    out[3] = s.x;
    out[4] = s.w; // FAULT: uninitialized vectors "a value that was never written is stored" "" id=0
    vstore2(v.xz, 0, out + 5);
    vstore4(v, 0, out + 7); // FAULT: uninitialized vectors "a value that was never written is stored" "" id=0
}
// RUN: vectors global=1
// ARG: out float[12]
// ARG: n int = 1
// EXPECT: out[0] = 4
// EXPECT: out[2..3] = {4, 4}
// EXPECT: out[5..6] = {1, 3}

kernel void three(global float *out, global float3 *all)
{
    float3 v[2];
    v[0] = (float3)(1, 2, 3);
    v[1] = v[0];
    v[1].y = 5;
    all[0] = v[1];
    out[0] = v[1].x + v[1].y + v[1].z;
    out[1] = dot(v[0], v[1]) + length(all[0] - v[1]);
}
// RUN: three global=1
// ARG: out float[2]
// ARG: all float4[1] = 0
// EXPECT: out = {9, 20}

int sum(const int *p, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++)
        s += p[k];
    return s;
}
void fill(int *p, int n)
{
    for (int k = 0; k < n; k++)
        p[k] = k;
}
kernel void called(global int *out)
{
    int a[6];
    fill(a, 5);
    out[0] = sum(a, 5);
    out[1] = sum(a, 6); // FAULT: uninitialized called "a value that was never written is stored" "" id=0
}
// RUN: called global=1
// ARG: out int[2]
// EXPECT: out[0] = 10

// Each call has variables of its own.
int partial(int n)
{
    int a[2];
    if (n == 0)
        a[0] = 1;
    return a[0];
}
kernel void calls(global int *out)
{
    for (int k = 0; k < 2; k++)
        out[k] = partial(k); // FAULT: uninitialized calls "a value that was never written is stored" "" id=0
}
// RUN: calls global=1
// ARG: out int[2]
// EXPECT: out[0] = 1

kernel void conditions(global int *out, int n)
{
    int x[2];
    x[0] = 1;
    if (n > 0 && x[1] > 3) // FAULT: uninitialized conditions "a value that was never written decides which way to go" "" id=0
        out[0] = 1;
    if (n < 0 && x[1] > 3)
        out[0] = 2;
    if (!(x[0] & 1) || x[0] ^ 1)
        out[0] = 3;
    out[1] = n > 0 ? x[0] : x[1];
    out[2] = n > 0 ? x[1] : x[0]; // FAULT: uninitialized conditions "a value that was never written is stored" "" id=0
}
// RUN: conditions global=1
// ARG: out int[3] = 0
// ARG: n int = 1
// EXPECT: out[0..1] = {0, 1}

// What the library writes, and what it reads of an array that was written.
kernel void library(global float *out, float x)
{
    float whole, c[2];
    int e, n;
    float s = sincos(x, &c[1]);
    out[0] = fract(x, &whole) + whole;
    out[1] = frexp(x, &e) + e + lgamma_r(x, &n) * 0 + n * 0;
    out[2] = s * s + c[1] * c[1];
    float a[8] = {0};
    out[3] = vload4(1, a).z;
    out[4] = modf(x, c) + c[0];
}
// RUN: library global=1
// ARG: out float[5]
// ARG: x float = 2.5
// EXPECT: out abs 0.001 = {2.5, 2.625, 1, 0, 2.5}

// Barriers keep variables and what is known of them.
kernel void across(global int *out, local int *tile)
{
    int i = get_local_id(0), a[4];
    a[i & 1] = i;
    tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[2] = tile[i ^ 1];
    out[get_global_id(0)] = a[i & 1] + a[2];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 1)
        out[get_global_id(0)] = a[0]; // FAULT: uninitialized across "a value that was never written is stored" "" id=1
}
// RUN: across global=4 local=4
// ARG: out int[4]
// ARG: tile local int[4]
// EXPECT: out[2..3] = {5, 5}

kernel void sub_groups(global int *out)
{
    int a[2];
    a[0] = sub_group_broadcast((int)get_global_id(0), 0);
    if (get_global_id(0) != 5)
        a[1] = 1;
    out[get_global_id(0)] = sub_group_reduce_add(a[0]) + a[1]; // FAULT: uninitialized sub_groups "a value that was never written is stored" "" id=5
}
// RUN: sub_groups global=16 local=8
// ARG: out int[16]
// EXPECT: completes

// A value that has none reaches local memory, and is used from there.
kernel void through_local(global int *out, local int *tile)
{
    int a[2];
    a[1] = 1;
    tile[0] = a[0];
    tile[1] = a[1];
    out[0] = tile[1];
    out[1] = tile[0]; // FAULT: uninitialized through_local "a value that was never written is stored" "" id=0
}
// RUN: through_local global=1
// ARG: out int[2]
// ARG: tile local int[2]
// EXPECT: out[0] = 1

// Pointers to one of two variables.
kernel void either(global int *out, int n)
{
    int a[2], b[2];
    int *p = n > 0 ? a : b;
    p[0] = 1;
    p[1] = 2;
    out[0] = a[0] + a[1];
    out[1] = b[0]; // FAULT: uninitialized either "a value that was never written is stored" "" id=0
}
// RUN: either global=1
// ARG: out int[2]
// ARG: n int = 1
// EXPECT: out[0] = 3
