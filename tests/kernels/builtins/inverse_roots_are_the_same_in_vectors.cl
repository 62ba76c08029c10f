// SPDX-License-Identifier: MIT
// Inverse roots of vectors of every length, and of their elements one by one, are the same
// bits: of numbers of all sizes, and of those that have none. A step from an estimate of
// the processor is taken where it has one, of registers of every width.
// RUN: differences global=512 local=64
// ARG: found uint[512]
// ARG: at float[512] = i * 37.5 / 8
// ARG: one float = 1
// EXPECT: found = 0
// RUN: double_differences global=96 local=32
// ARG: found uint[96]
// ARG: at float[96] = i * 37.5 / 8
// ARG: one float = 1
// EXPECT: found = 0
#define EACH16(DO) \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f)
#define DIFFERENCES(FLOAT, INT)                                                            \
    FLOAT##16 all = numbers(x) * one, roots = rsqrt(all);                                  \
    uint n = 0;                                                                            \
    EACH16(ONE)                                                                            \
    n += any(as_##INT##2(rsqrt(all.sb7)) != as_##INT##2(roots.sb7));                       \
    n += any(as_##INT##3(rsqrt(all.s01a)) != as_##INT##3(roots.s01a));                     \
    n += any(as_##INT##4(rsqrt(all.scdef)) != as_##INT##4(roots.scdef));                   \
    n += any(as_##INT##8(rsqrt(all.hi)) != as_##INT##8(roots.hi));                         \
    found[get_global_id(0)] = n;

float16 numbers(float x)
{
    return (float16)(x, 1 / (x + 1), x * 0x1p-130f, x * 0x1p+118f, 0.0f, INFINITY, 4, 2, x + 0.1f,
                     x * x, 0x1p-149f, 0x1.8p-127f, FLT_MAX, FLT_MIN, 3 * x, 1);
}
#define ONE(i) n += as_int(rsqrt(all.s##i)) != as_int(roots.s##i);
kernel void differences(global uint *found, global const float *at, float one)
{
    const float x = at[get_global_id(0)];
    DIFFERENCES(float, int)
}

#ifdef cl_khr_fp64
double16 double_numbers(double x)
{
    return (double16)(x, 1 / (x + 1), x * 0x1p-1030, x * 0x1p+1012, 0.0, INFINITY, 4, 2, x + 0.1,
                      x * x, 0x1p-1074, 0x1.8p-1023, DBL_MAX, DBL_MIN, 3 * x, 1);
}
#undef ONE
#define ONE(i) n += as_long(rsqrt(all.s##i)) != as_long(roots.s##i);
#define numbers double_numbers
kernel void double_differences(global uint *found, global const float *at, float one)
{
    const double x = at[get_global_id(0)];
    DIFFERENCES(double, long)
}
#endif

// Subnormal numbers below zero have no root; estimates take them for zeros.
// RUN: below_zero global=4
// ARG: in uint[4] = {0x80000001, 0xbf800000, 0x807fffff, 0x80000100}
// ARG: out float[4] = 0
// EXPECT: out where it != it
kernel void below_zero(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = rsqrt(in[i]);
}
// RUN: below_zero_in_vectors global=1
// ARG: in uint[4] = {0x80000001, 0xbf800000, 0x807fffff, 0x80000100}
// ARG: out float[4] = 0
// EXPECT: out where it != it
kernel void below_zero_in_vectors(global const float4 *in, global float4 *out)
{
    out[0] = rsqrt(in[0]);
}
