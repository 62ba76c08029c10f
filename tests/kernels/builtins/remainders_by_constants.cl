// SPDX-License-Identifier: MIT
// fmod by a constant multiplies by its reciprocal (lib/remainder.h), and is exact all the
// same: near halves and multiples of the divisor, for large quotients, and for divisors
// whose reciprocals are no normal numbers.
// SKIP: unless extension cl_khr_fp64
// RUN: doubles global=20000
// ARG: out int[20000]
// ARG: by double[6] = {0.7, 3, 1, 0.1, 0, 0}
// EXPECT: out = 63
// RUN: floats global=20000
// ARG: out int[20000]
// ARG: by float[6] = {0.7, 3, 1, 0.1, 0, 0}
// EXPECT: out = 63
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FAR 0x1.8p1023
#define NEAR 0x1.8p-1060
#define FAR_FLOAT 0x1.8p127f
#define NEAR_FLOAT 0x1.8p-140f

// Halves of multiples of y, and what lies beside them; or numbers of any exponent.
double number(int i, double y)
{
    const ulong mixed = (ulong)(i + 1) * 0x9e3779b97f4a7c15ul;
    const double middle = (i / 7) * (y / 2);

    return i & 1 ? as_double(mixed) : as_double(as_ulong(middle) + (ulong)(i % 7 - 3));
}

float number_float(int i, float y)
{
    const uint mixed = (uint)(i + 1) * 0x9e3779b9u;
    const float middle = (i / 7) * (y / 2);

    return i & 1 ? as_float(mixed) : as_float(as_uint(middle) + (uint)(i % 7 - 3));
}

int same(double a, double b)
{
    return isnan(a) ? isnan(b) : as_ulong(a) == as_ulong(b);
}

int same_float(float a, float b)
{
    return isnan(a) ? isnan(b) : as_uint(a) == as_uint(b);
}

kernel void doubles(global int *out, volatile global const double *by)
{
    const int i = get_global_id(0);
    const double far = by[4] + FAR, near = by[5] + NEAR;

    out[i] = same(fmod(number(i, 0.7), 0.7), fmod(number(i, 0.7), by[0])) |
             same(fmod(number(i, 3), 3.0), fmod(number(i, 3), by[1])) << 1 |
             same(fmod(number(i, 1), 1.0), fmod(number(i, 1), by[2])) << 2 |
             same(fmod(number(i, 0.1), 0.1), fmod(number(i, 0.1), by[3])) << 3 |
             same(fmod(number(i, FAR), FAR), fmod(number(i, FAR), far)) << 4 |
             same(fmod(number(i, NEAR), NEAR), fmod(number(i, NEAR), near)) << 5;
}

kernel void floats(global int *out, volatile global const float *by)
{
    const int i = get_global_id(0);
    const float far = by[4] + FAR_FLOAT, near = by[5] + NEAR_FLOAT;

    out[i] =
        same_float(fmod(number_float(i, 0.7f), 0.7f), fmod(number_float(i, 0.7f), by[0])) |
        same_float(fmod(number_float(i, 3), 3.0f), fmod(number_float(i, 3), by[1])) << 1 |
        same_float(fmod(number_float(i, 1), 1.0f), fmod(number_float(i, 1), by[2])) << 2 |
        same_float(fmod(number_float(i, 0.1f), 0.1f), fmod(number_float(i, 0.1f), by[3]))
            << 3 |
        same_float(fmod(number_float(i, FAR_FLOAT), FAR_FLOAT),
                   fmod(number_float(i, FAR_FLOAT), far))
            << 4 |
        same_float(fmod(number_float(i, NEAR_FLOAT), NEAR_FLOAT),
                   fmod(number_float(i, NEAR_FLOAT), near))
            << 5;
}
