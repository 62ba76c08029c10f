// SPDX-License-Identifier: MIT
// The remainder is the same in each round, and made in some of them: what it is an index
// of is loaded by those alone.
// RUN: remainder global=64 local=16
// ARG: in uint[256] = i * 2654435761
// ARG: out uint[64]
// ARG: n uint = 5
// EXPECT: out = sum(k, 0, 8, (i % 16 + 16 * k) % 31 & 8 ? 1 : 0) % 2 ? in[i % 16 * 12 % 21] : 0
kernel void remainder(global const uint *restrict in, global uint *restrict out, uint n)
{
    const uint lx = get_local_id(0);
    uint x = 0;
    for (uint i = lx; i < 128; i += 16) {
        if ((i % 31u) & 8)
            x ^= in[(lx * 12) % (n | 16u)];
    }
    out[get_global_id(0)] = x;
}

// RUN: quotient global=64 local=16
// ARG: in int[256] = i * 7 - 300
// ARG: out int[64]
// ARG: n int = 0
// EXPECT: out = 3 * in[i % 16 * 12 / 4]
kernel void quotient(global const int *restrict in, global int *restrict out, int n)
{
    const int lx = get_local_id(0);
    int x = 0;
    for (int i = lx & 8; i < 16 + (lx & 8); i++) {
        if ((i & 4) && n < 5 && (i & 3))
            x += in[(lx * 12) / (n + 4)];
        else if (n > 5)
            x += in[lx / (n - 6)];
    }
    out[get_global_id(0)] = x / 2;
}
