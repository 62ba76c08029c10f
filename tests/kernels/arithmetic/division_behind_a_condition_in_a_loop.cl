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

// The same for eight rounds, and others then: one work-item alone.
// RUN: of_rounds global=1 local=1
// ARG: in uint[2048] = i * 2654435761 % 1000003
// ARG: out uint[1]
// ARG: n uint = 5
// EXPECT: out = uint(sum(k, 0, 1024, in[k] & 8 ? in[k] % 100 * (in[1024 + (k / 64) % 5] % 100) : 0))
kernel void of_rounds(global const uint *in, global uint *out, uint n)
{
    uint x = 0;
    for (uint i = 0; i < 1024; i++) {
        if (in[i] & 8)
            x += in[i] % 100 * (in[1024 + (i / 64) % n] % 100);
    }
    out[0] = x;
}

// Of a quotient that the loop makes, and stores.
// RUN: of_a_quotient global=16 local=16
// ARG: in uint[256] = i * 7
// ARG: out uint[1024] = 0
// ARG: n uint = 4
// EXPECT: out = i / 64 < 16 && i % 64 < 32 ? in[((i / 64 * 12 % 20) * 7 + 100) / 7] : 0
kernel void of_a_quotient(global const uint *in, global uint *out, uint n)
{
    const uint lx = get_local_id(0);
    for (uint i = 0; i < 64; i++) {
        if (!(i & 32))
            out[lx * 64 + i] = in[((lx * 12 % (n | 16u)) * 7 + 100) / (n | 3u)];
    }
}
