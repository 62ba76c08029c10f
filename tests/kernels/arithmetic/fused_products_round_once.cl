// SPDX-License-Identifier: MIT
// fma() where a sum that is rounded twice goes wrong: a little more and less than half of
// the last place, below what a double holds; results that are subnormal; what has no bits.
// RUN: near_halves global=517
// ARG: out uint[517]
// EXPECT: out = 0
// RUN: lost_parts global=517
// ARG: out uint[517]
// EXPECT: out = 0
// RUN: subnormal global=517
// ARG: out uint[517]
// EXPECT: out = 0
// RUN: without_bits global=100
// ARG: out uint[100]
// ARG: zero float = 0
// EXPECT: out = 0

// z + 2^-24 (1 + some 2^-46): up, down, or to the even neighbour, for z in [1, 2).
kernel void near_halves(global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    float above = (1 + 0x1p-23f) * 0x1p-12f, one = 0x1p-12f;
    float below = 1 - 0x1p-23f, with = (1 + 0x1p-23f) * 0x1p-24f;
    float z = 1 + (i * 7919) * 0x1p-23f, next = z + 0x1p-23f, even = i & 1 ? next : z;
    for (int s = -60; s <= 60; s += 5) {
        float k = ldexp(1.0f, s);
        bad += fma(above * k, above, z * k) != next * k;
        bad += fma(with * k, below, z * k) != z * k;
        bad += fma(one * k, one, z * k) != even * k;
        bad += fma(-above * k, above, -z * k) != -next * k;
        bad += fma(with, -below * k, -z * k) != -z * k;
        bad += fma(above * k, -above, next * k) != z * k;
        bad += fma(with * k, -below, next * k) != next * k;
    }
    float4 v = fma((float4)(above, with, one, -above), (float4)(above, below, one, above),
                   (float4)(z, z, z, -z));
    out[i] = bad + (v.x != next) + (v.y != z) + (v.z != even) + (v.w != -next);
}

// What a product loses to rounding is a float.
kernel void lost_parts(global uint *out)
{
    uint i = get_global_id(0), bad = 0, x = i * 2654435761u;
    for (int k = 0; k < 64; k++) {
        x = x * 1664525 + 1013904223;
        float a = as_float(0x3f800000 | x >> 9), b = as_float(0x40800000 | (x * 69069) >> 9);
        float product = a * b;
        long exact = (long)((as_uint(a) & 0x7fffff) | 0x800000) *
                     ((as_uint(b) & 0x7fffff) | 0x800000);
        long rounded = (long)(product * 0x1p21f) << 23;
        bad += fma(a, b, -product) != (float)(exact - rounded) * 0x1p-44f;
    }
    out[i] = bad;
}

// A quarter, half and three quarters of the least number, beside odd and even ones.
kernel void subnormal(global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    float z = as_float(i + 1), least = 0x1p-100f;
    bad += as_uint(fma(least, 0x1p-51f, z)) != i + 1;
    bad += as_uint(fma(least, 0x1p-50f, z)) != i + 1 + ((i + 1) & 1);
    bad += as_uint(fma(least, 0x1.8p-50f, z)) != i + 2;
    bad += as_uint(fma(least, 0x1.000002p-50f, z)) != i + 2;
    bad += as_uint(fma(least, 0x1.fffffep-51f, z)) != i + 1;
    out[i] = bad;
}

kernel void without_bits(global uint *out, float zero)
{
    float i = (float)get_global_id(0) + 1, inf = i / zero;
    uint bad = !isnan(fma(inf, i, -inf)) + !isnan(fma(inf, zero, i)) + !isnan(fma(i, i, nan(1u)));
    bad += fma(inf, i, i) != INFINITY || fma(i, i, -inf) != -INFINITY;
    bad += fma(0x1p127f, 2 * i, -0x1p100f) != INFINITY;
    bad += fma(0x1p127f, 4.0f, -inf) != -INFINITY;
    bad += as_uint(fma(-zero, i, -zero)) != 0x80000000 || as_uint(fma(zero, i, -zero)) != 0;
    bad += as_uint(fma(i, i, -(i * i))) != 0;
    out[get_global_id(0)] = bad;
}
