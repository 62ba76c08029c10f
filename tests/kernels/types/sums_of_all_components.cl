// SPDX-License-Identifier: MIT
// Sums over rounds of all components of a vector, of integers, which wrap: of two, three and
// four, with other numbers, from a start, of two vectors, where one component counts twice or
// the sum is looked at in each round, and of rows that end at once.
// RUN: of_bytes global=70
// ARG: in char[560] = random(1, -128, 127)
// ARG: out int[70]
// ARG: n int = 2
// EXPECT: out = sum(m, 0, 4 * n, in[i * 8 + m] * in[m])
// RUN: of_bytes global=70
// ARG: in char[560] = random(1, -128, 127)
// ARG: out int[70]
// ARG: n int = 0
// EXPECT: out = 0
// RUN: with_others global=70
// ARG: in int[420] = random(2, -100000, 100000)
// ARG: out int[70]
// ARG: n int = 3
// EXPECT: out = i + sum(m, 0, 2 * n, in[i * 6 + m]) + sum(k, 0, n, in[2 * k] - k * 7)
// RUN: of_three global=70
// ARG: in uint[840] = random(3, 0, 1000000)
// ARG: out uint[70]
// ARG: n int = 3
// EXPECT: out = 5 + sum(k, 0, n, in[i * 12 + 4 * k] + in[i * 12 + 4 * k + 1] + in[i * 12 + 4 * k + 2])
// RUN: of_two_vectors global=70
// ARG: in int[420] = random(4, -1000, 1000)
// ARG: out int[70]
// ARG: n int = 3
// EXPECT: out = sum(m, 0, 2 * n, in[i * 6 + m] + in[m] * in[m])
// RUN: of_one_twice global=70
// ARG: in int[420] = random(5, -1000, 1000)
// ARG: out int[70]
// ARG: n int = 3
// EXPECT: out = sum(k, 0, n, in[i * 6 + 2 * k] * 2 + in[i * 6 + 2 * k + 1])
// RUN: looked_at global=70
// ARG: in int[420] = random(6, 0, 1000)
// ARG: out int[70]
// ARG: most int[70]
// ARG: n int = 3
// EXPECT: out = sum(m, 0, 2 * n, in[i * 6 + m])
// EXPECT: most = sum(m, 0, 2 * n - 2, in[i * 6 + m])
// RUN: of_shorts global=70
// ARG: in short[840] = random(7, -32768, 32767)
// ARG: out ushort[70]
// ARG: n int = 3
// EXPECT: out = (sum(m, 0, 4 * n, in[i * 12 + m]) + 1000000 * 65536) % 65536
kernel void of_bytes(global const char *in, global int *out, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < n; k++) {
        int4 p = convert_int4(vload4(i * 2 + k, in)) * convert_int4(vload4(k, in));
        s += p.x + p.y + p.z + p.w;
    }
    out[i] = s;
}

kernel void with_others(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), s = i;
    for (int k = 0; k < n; k++) {
        int2 p = vload2(i * 3 + k, in);
        s += p.y - k * 7;
        s += in[2 * k] + p.x;
    }
    out[i] = s;
}

kernel void of_three(global const uint *in, global uint *out, int n)
{
    uint i = get_global_id(0), s = 5;
    for (int k = 0; k < n; k++) {
        uint3 p = vload4(i * 3 + k, in).xyz;
        s += p.x + p.y + p.z;
    }
    out[i] = s;
}

kernel void of_two_vectors(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < n; k++) {
        int2 p = vload2(i * 3 + k, in), q = vload2(k, in);
        q *= q;
        s += p.x + q.y + p.y + q.x;
    }
    out[i] = s;
}

kernel void of_one_twice(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < n; k++) {
        int2 p = vload2(i * 3 + k, in);
        s += p.x;
        s += p.y + p.x;
    }
    out[i] = s;
}

kernel void looked_at(global const int *in, global int *out, global int *most, int n)
{
    int i = get_global_id(0), s = 0, before = 0;
    for (int k = 0; k < n; k++) {
        int2 p = vload2(i * 3 + k, in);
        before = max(before, s);
        s += p.x + p.y;
    }
    out[i] = s;
    most[i] = before;
}

kernel void of_shorts(global const short *in, global ushort *out, int n)
{
    int i = get_global_id(0);
    ushort s = 0;
    for (int k = 0; k < n; k++) {
        short4 p = vload4(i * 3 + k, in);
        s += p.x + p.y + p.z + p.w;
    }
    out[i] = s;
}
