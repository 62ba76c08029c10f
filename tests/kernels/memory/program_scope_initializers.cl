// SPDX-License-Identifier: MIT
// Initializers of program-scope variables of every kind of type.
// BUILD: options="-cl-std=CL3.0"
// RUN: initial global=1
// ARG: out long[24] = 7
// EXPECT: out = {16, 5, 3, 1, 7, 2, 3, 1, 0, 66, 255, 4, 6, 9, 12, 3, 8, 2, 5, -3, 1, 1, 7, 1}
global int *fixed = (global int *)16;
global int x[4] = {1, 2, 3, 4};
global ulong address = (ulong)&x[1] + 5;
union u { int i; float f; char c[8]; };
global union u un = {.c = {3, 1}};
struct bytes { uchar a; uchar b; char c; };
global struct bytes bf = {7, 2, 3};
global bool flags[3] = {true, false, true};
struct __attribute__((packed)) pk { char a; int b; short c; };
global struct pk packed = {66, 0x01ff, 4};
global uchar3 v3[2] = {{6, 7, 8}, {9, 10, 11}};
global long16 big = (long16)(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
enum e { A, B = 8 };
global enum e en = B;
global float4 f4 = (float4)(1, 2, 3, 4);
struct tree { int v; struct tree *kids[2]; };
global struct tree leaf1 = {5, {0, 0}}, leaf2 = {-3, {0, 0}}, root = {0, {&leaf1, &leaf2}};
constant struct tree ctree = {1, {(struct tree *)&root, 0}};
global int *constant cp = &x[2];
global const int gc = 7;
kernel void initial(global long *o)
{
    static int seven = 7;
    int n = 0;
    o[n++] = (long)fixed;
    o[n++] = address - (ulong)x - 4;
    o[n++] = un.c[0];
    o[n++] = un.c[1];
    o[n++] = bf.a;
    o[n++] = bf.b;
    o[n++] = bf.c;
    o[n++] = flags[0];
    o[n++] = flags[1];
    o[n++] = packed.a;
    o[n++] = packed.b & 255;
    o[n++] = packed.c;
    o[n++] = v3[0].x;
    o[n++] = v3[1].x;
    o[n++] = big.s0;
    o[n++] = big.s3;
    o[n++] = en;
    o[n++] = f4.y;
    o[n++] = root.kids[0]->v;
    o[n++] = root.kids[1]->v;
    o[n++] = ctree.v;
    o[n++] = ctree.kids[0] == &root;
    o[n++] = gc == 7 ? seven : 0;
    o[n++] = *cp == 3 && cp == &x[2];
}
