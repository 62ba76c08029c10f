// SPDX-License-Identifier: MIT
// Quotients and remainders next to the multiples of the divisor, and of the largest
// numbers, where a division that rounds would be one off.
// RUN: of_uints global=512
// ARG: out uint[512]
// EXPECT: out = 0
// RUN: of_ints global=512
// ARG: out uint[512]
// EXPECT: out = 0
// RUN: of_ushorts global=512
// ARG: out uint[512]
// EXPECT: out = 0
// RUN: of_chars global=512
// ARG: out uint[512]
// EXPECT: out = 0
// RUN: by_one_number global=512
// ARG: out uint[512]
// ARG: n uint = 4294967295
// ARG: m int = -7
// EXPECT: out = 0
// RUN: by_one_number global=512
// ARG: out uint[512]
// ARG: n uint = 1
// ARG: m int = 2147483647
// EXPECT: out = 0
// RUN: by_one_number global=512
// ARG: out uint[512]
// ARG: n uint = 65537
// ARG: m int = -2147483648
// EXPECT: out = 0
// RUN: some_items global=512
// ARG: out uint[512]
// EXPECT: out = i % 3 == 0 ? 1000000 / (i + 1) : 7

// The remainder is smaller than the divisor, and both give the dividend back.
uint wrong(uint a, uint b)
{
    uint q = a / b, r = a % b;
    return r >= b || q * b + r != a || (ulong)q * b > a;
}

kernel void of_uints(global uint *out)
{
    uint i = get_global_id(0), n = 0;
    for (uint k = 0; k < 32; k++) {
        uint b = (i * 0x9e3779b9u + k * 0x85ebca6bu) >> (i + k) % 32 | 1;
        uint q = 0xffffffffu / b;
        n += wrong(0xffffffffu - k, b) + wrong(q * b, b) + wrong(q * b - 1, b) +
             wrong(q / 2 * b + b - 1, b) + wrong(k, b) + wrong(b, 0xffffffffu - i);
    }
    out[i] = n;
}

uint wrong_signed(int a, int b)
{
    int q = a / b, r = a % b;
    return (uint)q * b + r != (uint)a || abs(r) >= abs(b) || (r != 0 && (r < 0) != (a < 0));
}

kernel void of_ints(global uint *out)
{
    uint i = get_global_id(0), n = 0;
    for (uint k = 0; k < 32; k++) {
        int b = (int)((i * 0x9e3779b9u + k * 0x85ebca6bu) | 1) >> (i + k) % 31 | 1;
        int q = b == -1 ? 1 : 0x7fffffff / b, m = b == -1 ? 5 : -0x7fffffff - 1;
        n += wrong_signed(0x7fffffff - k, b) + wrong_signed(q * b, b) +
             wrong_signed(q * b - 1, b) + wrong_signed(-q * b, b) +
             wrong_signed(-q * b + 1, b) + wrong_signed(m, b);
    }
    out[i] = n;
}

kernel void of_ushorts(global uint *out)
{
    uint i = get_global_id(0), n = 0;
    for (uint k = 0; k < 64; k++) {
        ushort b = (ushort)(i * 40503 + k * 977) >> (i + k) % 16 | 1, a = 65535 - k;
        ushort c = (ushort)(65535 / b * b), q = a / b, r = a % b;
        n += q * b + r != a || r >= b || c % b != 0 || (c - 1) / b != c / b - 1;
    }
    out[i] = n;
}

kernel void of_chars(global uint *out)
{
    uint i = get_global_id(0), n = 0;
    char b = (char)i | 1;
    for (int a = -127; a < 128; a++) {
        char q = (char)a / b, r = (char)a % b;
        n += q * b + r != a || abs(r) >= abs(b) || (r != 0 && (r < 0) != (a < 0));
    }
    out[i] = n;
}

kernel void by_one_number(global uint *out, uint n, int m)
{
    uint i = get_global_id(0), bad = 0;
    for (uint k = 0; k < 64; k++) {
        uint a = i * 0x9e3779b9u + k * 0x85ebca6bu;
        bad += wrong(a, n) + wrong(a / n * n, n) + wrong(a / n * n - 1, n) +
               wrong_signed((int)a, m) + wrong_signed(a % 2 ? m : -(m + 1), m);
    }
    out[i] = bad;
}

kernel void some_items(global uint *out)
{
    uint i = get_global_id(0), r = 7;
    if (i % 3 == 0)
        r = 1000000 / (i + 1);
    out[i] = r;
}
