// SPDX-License-Identifier: MIT
// What was there is read before it is written, where a condition says so; others take
// another number. LLVM's instcombine moved the load behind the store.
// RUN: lanes global=77 local=77
// ARG: a int[77] = 1000 + i
// ARG: out int[77] = 0
// ARG: y int[77] = 5 * i
// EXPECT: a = (i % 7 > 3 ? 3 * i : 1000 + i)
// EXPECT: out = (i % 7 > 3 ? 1000 + i : 5 * i)
kernel void lanes(global int *restrict a, global int *restrict out, global const int *restrict y)
{
    int i = get_global_id(0), t;

    if (i % 7 > 3) {
        t = a[i];
        a[i] = 3 * i;
    } else {
        t = y[i];
    }
    out[i] = t;
}
// RUN: rounds global=1
// ARG: a int[1000] = 1000 + i
// ARG: out int[1000] = 0
// ARG: y int[1000] = 5 * i
// ARG: c int[1000] = i % 7
// ARG: n int = 1000
// EXPECT: a = (i % 7 > 3 ? i : 1000 + i)
// EXPECT: out = (i % 7 > 3 ? 1000 + i : 5 * i)
kernel void rounds(global int *restrict a, global int *restrict out, global const int *restrict y,
                   global const int *restrict c, int n)
{
    for (int i = 0; i < n; i++) {
        int t;

        if (c[i] > 3) {
            t = a[i];
            a[i] = i;
        } else {
            t = y[i];
        }
        out[i] = t;
    }
}
// Of bytes, which are widened.
// RUN: bytes global=77 local=77
// ARG: a uchar[77] = 100 + i
// ARG: out int[77] = 0
// ARG: y uchar[77] = 2 * i
// EXPECT: a = (i % 7 > 3 ? 3 : 100 + i)
// EXPECT: out = (i % 7 > 3 ? 100 + i : 2 * i)
kernel void bytes(global uchar *restrict a, global int *restrict out, global const uchar *restrict y)
{
    int i = get_global_id(0), t;

    if (i % 7 > 3) {
        t = a[i];
        a[i] = 3;
    } else {
        t = y[i];
    }
    out[i] = t;
}
// Private memory between barriers, by indices of the run.
// RUN: rows global=192 local=64
// ARG: in uint[192] = (i * 265443 + 12345)
// ARG: out uint[192] = 0
// EXPECT: out[0] = 1572497954
// EXPECT: out[1] = 1124099332
// EXPECT: out[2] = 689899566
// EXPECT: out[3] = 262668692
kernel void rows(global const uint *in, global uint *out)
{
    uint g = get_global_id(0), x = in[g], y = g;
    ushort a[16];

    for (uint k = 0; k < 16; k++)
        a[k] = k * 5;
    for (uint i = 0; i < 4; i++) {
        y ^= a[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 2; i < 9; i++) {
        uint was;

        if (y % 3 == 1) {
            was = a[5];
            a[5] = (ushort)x;
        } else {
            was = a[i];
            a[i] = (ushort)x;
        }
        x ^= was;
        if (y < a[0]) {
            a[i] += (ushort)y;
            x = x * 7 + a[3];
        }
        x = x * 7 + y;
        if (x == 9)
            break;
    }
    out[g] = x;
}
// Others keep what they had: r * a[i] or r is r * (a[i] or 1).
// RUN: products global=77 local=77
// ARG: a int[77] = 1000 + i
// ARG: out int[77] = i
// EXPECT: a = (i % 7 > 3 ? 3 * i : 1000 + i)
// EXPECT: out = (i % 7 > 3 ? i * (1000 + i) : i)
kernel void products(global int *a, global int *out)
{
    int i = get_global_id(0), r = out[i];

    if (i % 7 > 3) {
        r *= a[i];
        a[i] = 3 * i;
    }
    out[i] = r;
}
// RUN: masks global=1
// ARG: a uint[1000] = 1000 + i
// ARG: out uint[1000] = 3 * i
// ARG: c int[1000] = i % 7
// ARG: n int = 1000
// EXPECT: a = (i % 7 > 3 ? i : 1000 + i)
// EXPECT: out = (i % 7 > 3 ? (3 * i) & (1000 + i) : 3 * i)
kernel void masks(global uint *restrict a, global uint *restrict out, global const int *restrict c, int n)
{
    for (int i = 0; i < n; i++) {
        uint r = out[i];

        if (c[i] > 3) {
            r &= a[i];
            a[i] = i;
        }
        out[i] = r;
    }
}
