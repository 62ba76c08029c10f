// SPDX-License-Identifier: MIT
/*
 * The native side of the mathematical kernels.  native_math.c is compiled twice: as
 * "plain", and as "vector", where the compiler may call the vector functions of glibc's
 * libmvec. libmvec_math.c calls those of the widest vectors by hand.
 */
#ifndef CLBENCH_NATIVE_MATH_H
#define CLBENCH_NATIVE_MATH_H

#include "harness/parallel.h"

#include <stdint.h>

struct math_stream {
    float *restrict out;
    const float *restrict in;
};

/* Short enough for a cache, several times. */
struct math_stream_double {
    double *restrict out;
    const double *restrict in;
    size_t count;
};

struct black_scholes {
    float *restrict call, *restrict put;
    const float *restrict price, *restrict strike, *restrict years;
    float rate, volatility;
};

struct monte_carlo {
    double *mean;
    const uint32_t *seeds;
    uint32_t samples;
    double drift, deviation, strike;
};

#define DECLARE_NATIVE_MATH(suffix)                                               \
    range_function stream_sin_##suffix, stream_cos_##suffix, stream_exp_##suffix, \
        stream_log_##suffix, stream_pow_##suffix, stream_tanh_##suffix,           \
        stream_cbrt_##suffix, stream_mixed_##suffix, black_scholes_##suffix,      \
        stream_tan_##suffix, stream_sqrt_##suffix, stream_rsqrt_##suffix,         \
        stream_pow_double_##suffix, stream_erf_double_##suffix,                   \
        stream_erfc_double_##suffix, stream_fmod_double_##suffix,                 \
        stream_rsqrt_double_##suffix, stream_sinpi_double_##suffix,               \
        monte_carlo_##suffix, monte_carlo_pi_##suffix

DECLARE_NATIVE_MATH(plain);
DECLARE_NATIVE_MATH(vector);
range_function stream_cos_libmvec, stream_exp_libmvec, stream_log_libmvec,
    stream_pow_libmvec, stream_sin_libmvec, stream_tan_libmvec;

#endif
