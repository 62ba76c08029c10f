// SPDX-License-Identifier: MIT
// A range that a number of 64 bits is not to lie in, beside neighbours that lie inside: LLVM writes it as one below a
// number near 2^64.
// BUILD: options="-cl-std=CL3.0"
// RUN: ids global=256 local=64
// ARG: in uint[4096] = i * 7 + 1
// ARG: out uint[256]
// EXPECT: out = (i > 0 ? in[i - 1] * in[i * 3] : 0) + (i < 199 ? in[i + 1] * in[i * 5] : 0) + in[i + 15] * 3
kernel void ids(global const uint *in, global uint *out)
{
    const int x = (int)get_global_linear_id();
    uint sum = 0;
    if (x - 1 >= 0)
        sum += in[(x - 1) & 4095] * in[(x * 3) & 4095];
    if (x + 1 < 200)
        sum += in[(x + 1) & 4095] * in[(x * 5) & 4095];
    if ((ulong)((long)x + 100) > 64ul)
        sum += in[(x + 15) & 4095] * 3;
    out[x] = sum;
}

// RUN: rows global=32x16 local=16x8
// ARG: in uint[4096] = i * 7 + 1
// ARG: out uint[512]
// EXPECT: out = (i / 16 > 0 ? in[i / 16 - 1] * in[i / 16 * 3] : 0) + (i / 16 < 19 ? in[i / 16 + 1] * in[i / 16 * 5] : 0) + in[i / 16 + 15] * 3
kernel void rows(global const uint *in, global uint *out)
{
    const uint g = get_global_linear_id();
    const int x = (int)g >> 4;
    uint sum = 0;
    if (x - 1 >= 0)
        sum += in[(x - 1) & 4095] * in[(x * 3) & 4095];
    if (x + 1 < 20)
        sum += in[(x + 1) & 4095] * in[(x * 5) & 4095];
    if ((ulong)((long)x + 100) > 64ul)
        sum += in[(x + 15) & 4095] * 3;
    out[g] = sum;
}
