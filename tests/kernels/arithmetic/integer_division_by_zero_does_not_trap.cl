// SPDX-License-Identifier: MIT
// The result is unspecified; the process must live, and other work-items be right.
// RUN: divide global=64
// ARG: a int[64] = i - 32
// ARG: b int[64] = i % 4
// ARG: q int[64]
// ARG: r int[64]
// EXPECT: q where i % 4 == 0 || it == a[i] / b[i]
// EXPECT: r where i % 4 == 0 || it == a[i] % b[i]
// RUN: others global=64
// ARG: zero int = 0
// ARG: out long[64]
// EXPECT: out = 1
kernel void divide(global const int *a, global const int *b, global int *q, global int *r)
{
    size_t i = get_global_id(0);
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}
kernel void others(int zero, global long *out)
{
    long l = 7;
    ulong u = 7;
    char4 c = (char4)(1, 2, 3, 4);
    ushort2 s = (ushort2)(5, 6);
    uint n = 9;
    l /= (long)zero;
    u %= (ulong)zero;
    c /= (char)zero;
    s %= (ushort)zero;
    n /= (uint)zero;
    l ^= (long)u ^ c.x ^ c.w ^ s.y ^ (long)n;
    out[get_global_id(0)] = l == l ? 1 : 0;
}
