// SPDX-License-Identifier: MIT
// Quotients and remainders of 64 bits, next to the multiples of the divisor: of numbers
// below 2^48, above, and of both side by side.
// RUN: of_ulongs global=517
// ARG: out uint[517]
// ARG: bits uint = 48
// EXPECT: out = 0
// RUN: of_ulongs global=517
// ARG: out uint[517]
// ARG: bits uint = 49
// EXPECT: out = 0
// RUN: of_ulongs global=517
// ARG: out uint[517]
// ARG: bits uint = 64
// EXPECT: out = 0
// RUN: of_longs global=517
// ARG: out uint[517]
// ARG: bits uint = 48
// EXPECT: out = 0
// RUN: of_longs global=517
// ARG: out uint[517]
// ARG: bits uint = 63
// EXPECT: out = 0
// RUN: by_one_number global=517
// ARG: out uint[517]
// ARG: n ulong = 1
// ARG: m long = -1
// EXPECT: out = 0
// RUN: by_one_number global=517
// ARG: out uint[517]
// ARG: n ulong = 281474976710655
// ARG: m long = -281474976710655
// EXPECT: out = 0
// RUN: by_one_number global=517
// ARG: out uint[517]
// ARG: n ulong = 281474976710656
// ARG: m long = 281474976710656
// EXPECT: out = 0
// RUN: by_one_number global=517
// ARG: out uint[517]
// ARG: n ulong = 94906267
// ARG: m long = -94906265
// EXPECT: out = 0
// RUN: by_one_number global=517
// ARG: out uint[517]
// ARG: n ulong = 18446744073709551615
// ARG: m long = -9223372036854775807 - 1
// EXPECT: out = 0
// RUN: by_zero global=517
// ARG: out ulong[517]
// ARG: n ulong = 0
// ARG: m long = 0
// EXPECT: out = i % 4 == 1 ? 7 : i / 3
// RUN: by_zero global=517
// ARG: out ulong[517]
// ARG: n ulong = 3
// ARG: m long = -3
// EXPECT: out = i / 3
// RUN: some_items global=517
// ARG: in ulong[517] = i % 3 == 0 ? i * i * i : 18446744073709551615
// ARG: out ulong[517]
// EXPECT: out = i % 3 == 0 ? in[i] / (i + 1) + in[i] % (i + 2) : 7
// RUN: of_vectors global=100
// ARG: out uint[100]
// EXPECT: out = 0

ulong mix(ulong x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ul;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ul;
}

// The remainder is smaller than the divisor, and both give the dividend back.
uint wrong(ulong a, ulong b)
{
    ulong q = a / b, r = a % b;
    return r >= b || q * b + r != a || mul_hi(q, b) != 0;
}

kernel void of_ulongs(global uint *out, uint bits)
{
    uint i = get_global_id(0), n = 0;
    ulong most = ~0ul >> (64 - bits);
    for (uint k = 0; k < 2 * bits; k++) {
        ulong b = (mix(i * 1000 + k) & most) >> (i + k) % bits | 1;
        ulong q = most / b;
        n += wrong(most - k, b) + wrong(q * b, b) + wrong(q * b - 1, b) +
             wrong(q / 2 * b + b - 1, b) + wrong(k, b) + wrong(b, most - i) +
             wrong(b - 1, b) + wrong(q, b) + wrong(q * b, q) + wrong(q * b - 1, q);
    }
    out[i] = n;
}

uint wrong_signed(long a, long b)
{
    long q = a / b, r = a % b;
    return (ulong)q * b + r != (ulong)a || abs(r) >= abs(b) || (r != 0 && (r < 0) != (a < 0)) ||
           abs(q) != abs(a) / abs(b);
}

kernel void of_longs(global uint *out, uint bits)
{
    uint i = get_global_id(0), n = 0;
    long most = ~0ul >> (64 - bits);
    for (uint k = 0; k < 2 * bits; k++) {
        long b = (long)((mix(i * 1000 + k) & most) >> (i + k) % bits | 1);
        long q = most / b;
        if ((i + k) % 3 == 0)
            b = -b;
        n += wrong_signed(most - k, b) + wrong_signed(k - most, b) + wrong_signed(q * b, b) +
             wrong_signed(q * b - 1, b) + wrong_signed(-q * b, b) + wrong_signed(-q * b + 1, b) +
             wrong_signed(b, most - i) + wrong_signed(b, -q);
    }
    out[i] = n;
}

kernel void by_one_number(global uint *out, ulong n, long m)
{
    uint i = get_global_id(0), bad = 0;
    for (uint k = 0; k < 128; k++) {
        ulong a = mix(i * 1000 + k) >> (k < 64 ? 16 : k % 64), s = a % 1000000007;
        bad += wrong(a, n) + wrong(a / n * n, n) + wrong(a / n * n - (a >= n), n) +
               wrong_signed((long)(a >> 1), m) + wrong_signed(-(long)(a >> 1), m) +
               wrong_signed((long)(s % 2 ? m : ~m), m) + (a / 1000000007 * 1000000007 + s != a) +
               ((long)a / -1000003 * -1000003 + (long)a % -1000003 != (long)a);
    }
    out[i] = bad;
}

kernel void by_zero(global ulong *out, ulong n, long m)
{
    ulong i = get_global_id(0), x = i / 3;
    if (i % 4 == 1)
        x = n ? i / n : 7;
    if (i % 4 == 2)
        x = m ? (ulong)-((long)i / m) : x;
    out[i] = x;
}

kernel void some_items(global const ulong *in, global ulong *out)
{
    ulong i = get_global_id(0), r = 7;
    if (i % 3 == 0)
        r = in[i] / (i + 1) + in[i] % (i + 2);
    out[i] = r;
}

kernel void of_vectors(global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    for (uint k = 0; k < 4; k++) {
        ulong4 a = (ulong4)(i, i * 70000ul, mix(i) >> 20, mix(i + 1) >> 10 * k);
        ulong4 b = (ulong4)(i % 5 + 1, i % 70 + 1, mix(k) >> 30 | 1, 1000003);
        ulong4 q = a / b, r = a % 1000003ul;
        bad += q.x != a.x / b.x || q.y != a.y / b.y || q.z != a.z / b.z || q.w != a.w / b.w;
        bad += r.x != a.x % b.w || r.y != a.y % b.w || r.z != a.z % b.w || r.w != a.w % b.w;
    }
    out[i] = bad;
}
