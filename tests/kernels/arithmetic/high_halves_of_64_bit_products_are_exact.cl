// SPDX-License-Identifier: MIT
// High halves of products of 64 bits against sums of 128 bits, bit by bit: at the edges
// of halves and of signs, and of numbers that look random.
// RUN: of_ulongs global=517
// ARG: out uint[517]
// ARG: n ulong = 18446744073709551615
// EXPECT: out = 0
// RUN: of_ulongs global=517
// ARG: out uint[517]
// ARG: n ulong = 4294967296
// EXPECT: out = 0
// RUN: of_longs global=517
// ARG: out uint[517]
// ARG: n long = -9223372036854775807 - 1
// EXPECT: out = 0
// RUN: of_longs global=517
// ARG: out uint[517]
// ARG: n long = 4294967295
// EXPECT: out = 0
// RUN: by_constants global=517
// ARG: out uint[517]
// EXPECT: out = 0
// RUN: of_small_numbers global=517
// ARG: out uint[517]
// EXPECT: out = 0
// RUN: some_items global=517
// ARG: in ulong[517] = i * i * 18446744073709551557
// ARG: out ulong[517]
// EXPECT: out = 0
// RUN: of_vectors global=100
// ARG: out uint[100]
// EXPECT: out = 0
// RUN: of_signed_vectors global=100
// ARG: out uint[100]
// EXPECT: out = 0

ulong mix(ulong x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ul;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ul;
}

// Zero, ones, one bit, all but one, halves, and any.
ulong edge(uint k)
{
    switch (k % 8) {
    case 0: return 0;
    case 1: return ~0ul;
    case 2: return 1ul << k % 61;
    case 3: return ~(1ul << k % 63);
    case 4: return 0xfffffffful;
    case 5: return 0xffffffff00000000ul;
    case 6: return 1ul << 63 | k % 2;
    default: return mix(k);
    }
}

// Of the sums, the low one takes bits that the high one loses.
ulong high_half(ulong a, ulong b)
{
    ulong high = 0, low = 0;
    for (int bit = 63; bit >= 0; bit--) {
        high = high << 1 | low >> 63;
        low <<= 1;
        if (b >> bit & 1) {
            low += a;
            high += low < a;
        }
    }
    return high;
}

long signed_high_half(long a, long b)
{
    ulong x = abs(a), y = abs(b), high = high_half(x, y), low = x * y;
    if ((a < 0) == (b < 0))
        return high;
    return ~high + (low == 0);
}

kernel void of_ulongs(global uint *out, ulong n)
{
    uint i = get_global_id(0), bad = 0;
    for (uint k = 0; k < 24; k++) {
        ulong a = edge(i + k), b = edge(i * 3 + k * 7);
        bad += mul_hi(a, b) != high_half(a, b);
        bad += mul_hi(a, n) != high_half(a, n);
        bad += mul_hi(n - i, a) != high_half(n - i, a);
        bad += mad_hi(a, b, n) != high_half(a, b) + n;
        bad += (mul_hi(a, b) >> 13) != high_half(a, b) >> 13;
        bad += (uint)(mul_hi(b, n) >> 32) != (uint)(high_half(b, n) >> 32);
        bad += (uchar)mul_hi(b, a) != (uchar)high_half(b, a);
    }
    out[i] = bad;
}

kernel void of_longs(global uint *out, long n)
{
    uint i = get_global_id(0), bad = 0;
    for (uint k = 0; k < 24; k++) {
        long a = edge(i + k), b = edge(i * 3 + k * 7);
        bad += mul_hi(a, b) != signed_high_half(a, b);
        bad += mul_hi(a, n) != signed_high_half(a, n);
        bad += mul_hi(n, b) != signed_high_half(n, b);
        bad += mad_hi(a, b, n) != (long)((ulong)signed_high_half(a, b) + n);
        bad += (mul_hi(a, b) >> 13) != signed_high_half(a, b) >> 13;
        bad += mul_hi(a, (long)(b & LONG_MAX)) != signed_high_half(a, b & LONG_MAX);
    }
    out[i] = bad;
}

#define BY(c)                                                                            \
    (mul_hi(a, (ulong)(c)) != high_half(a, (ulong)(c))) +                                \
        (mul_hi((long)a, (long)(c)) != signed_high_half(a, (long)(c)))

kernel void by_constants(global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    for (uint k = 0; k < 24; k++) {
        ulong a = edge(i + k);
        bad += BY(3) + BY(0xffffffff) + BY(0x100000000) + BY(0xd1342543de82ef95) +
               BY(0xffffffffffffffff) + BY(0x8000000000000000) + BY(0x7fffffff00000001) + BY(-5l);
    }
    out[i] = bad;
}

kernel void of_small_numbers(global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    for (uint k = 0; k < 24; k++) {
        uint a = edge(i + k), b = edge(i * 3 + k * 7);
        ulong c = edge(i * 5 + k);
        bad += mul_hi((ulong)a, c) != high_half(a, c);
        bad += mul_hi((long)(int)a, (long)c) != signed_high_half((int)a, c);
        bad += mul_hi((long)(short)a, (long)(int)b) != signed_high_half((short)a, (int)b);
        bad += mul_hi((long)(uchar)a, (long)c) != signed_high_half((uchar)a, c);
        bad += mul_hi((ulong)i, c) != high_half(i, c);
    }
    out[i] = bad;
}

kernel void some_items(global const ulong *in, global ulong *out)
{
    ulong i = get_global_id(0), a = 7, b = 7;
    if (i % 3 != 1) {
        a = mul_hi(in[i], in[i] ^ i << 40);
        b = high_half(in[i], in[i] ^ i << 40);
    }
    out[i] = a - b;
}

kernel void of_vectors(global uint *out)
{
    uint i = get_global_id(0);
    ulong2 a = (ulong2)(edge(i), mix(i)), b = (ulong2)(edge(i + 3), edge(i + 5));
    ulong2 h = mul_hi(a, b);
    out[i] = (h.x != high_half(a.x, b.x)) + (h.y != high_half(a.y, b.y));
}

kernel void of_signed_vectors(global uint *out)
{
    uint i = get_global_id(0);
    long2 a = (long2)(edge(i), mix(i)), b = (long2)(edge(i + 3), -(long)i);
    long2 h = mul_hi(a, b);
    out[i] = (h.x != signed_high_half(a.x, b.x)) + (h.y != signed_high_half(a.y, b.y));
}
