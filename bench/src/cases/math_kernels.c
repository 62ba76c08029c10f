// SPDX-License-Identifier: MIT
/* Kernels limited by mathematical functions. */
#include <stdio.h>

#include "cases/kernel_case.h"
#include "cases/native_math.h"
#include "embedded_kernels.h"
#include "harness/report.h"

enum { GRAIN = 1 << 12 };

/* What both native variants of a kernel need: the loops, their data, and how often. */
struct native_pair {
    range_function *plain, *vector;
    void *data;
    size_t count;
};

static void run_plain(void *data)
{
    struct native_pair *pair = data;
    parallel_for(pair->count, GRAIN, pair->plain, pair->data);
}

static void run_vector(void *data)
{
    struct native_pair *pair = data;
    parallel_for(pair->count, GRAIN, pair->vector, pair->data);
}

// ---- one function over a stream of floats in [-10, 10] ----

static void run_stream(const struct options *options, const char *expression,
                       range_function *plain, range_function *vector)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 24, 1024), size = count * sizeof(float);
    struct math_stream stream = {host_array(count, sizeof(float)),
                                 host_random_floats(count, -10.0f, 10.0f)};
    struct native_pair pair = {plain, vector, &stream, count};

    char build_options[256];
    snprintf(build_options, sizeof build_options, "-DFUNCTION=%s", expression);
    cl_program program = case_build(test, math_stream_cl, build_options);
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem in = opencl_buffer(&test->cl, size, stream.in);
    cl_kernel kernel = KERNEL(program, "math_stream", ARG(out), ARG(in));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, run_plain, run_vector, &pair);
    case_measure(test, 1e-9 * (double)count, "Gitem");
    run_plain(&pair); /* the reference is the plain result */
    case_expect_floats(test, out, stream.out, count, 4e-6, 0);
}

static void stream_sin(const struct options *options)
{
    run_stream(options, "sin(x)", stream_sin_plain, stream_sin_libmvec);
}

static void stream_cos(const struct options *options)
{
    run_stream(options, "cos(x)", stream_cos_plain, stream_cos_libmvec);
}

static void stream_exp(const struct options *options)
{
    run_stream(options, "exp(x)", stream_exp_plain, stream_exp_libmvec);
}

static void stream_log(const struct options *options)
{
    run_stream(options, "log(x+11.0f)", stream_log_plain, stream_log_libmvec);
}

static void stream_pow(const struct options *options)
{
    run_stream(options, "pow(x+11.0f,0.3f*x)", stream_pow_plain, stream_pow_libmvec);
}

static void stream_tan(const struct options *options)
{
    run_stream(options, "tan(x)", stream_tan_plain, stream_tan_libmvec);
}

/* The compiler widens these without a library. */
static void stream_sqrt(const struct options *options)
{
    run_stream(options, "sqrt(fabs(x))", stream_sqrt_plain, stream_sqrt_vector);
}

static void stream_rsqrt(const struct options *options)
{
    run_stream(options, "rsqrt(fabs(x)+0.01f)", stream_rsqrt_plain, stream_rsqrt_vector);
}

static void stream_tanh(const struct options *options)
{
    run_stream(options, "tanh(x)", stream_tanh_plain, stream_tanh_vector);
}

static void stream_cbrt(const struct options *options)
{
    run_stream(options, "cbrt(x)", stream_cbrt_plain, stream_cbrt_vector);
}

static void stream_mixed(const struct options *options)
{
    run_stream(options, "sin(x)*exp(-0.1f*x)+cos(1.5f*x)*log(x*x+1.0f)",
               stream_mixed_plain, stream_mixed_vector);
}

// ---- one function over doubles in [-10, 10], in a cache ----

static struct kernel_case *open_double_case(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    if (!opencl_device_has_extension(test->cl.device, "cl_khr_fp64"))
        report_failure("unsupported", "no cl_khr_fp64");
    return test;
}

static void run_stream_double(const struct options *options, const char *expression,
                              range_function *plain, range_function *vector)
{
    struct kernel_case *test = open_double_case(options);
    size_t count = case_size(test, 1 << 15, GRAIN), size = count * sizeof(double);
    unsigned repeats = (unsigned)case_size(test, 200, 2);
    double *in = host_array(count, sizeof(double));
    struct math_stream_double stream = {host_array(count, sizeof(double)), in, count};
    struct native_pair pair = {plain, vector, &stream, count * repeats};
    char build_options[256];

    for (size_t i = 0; i < count; i++)
        in[i] = 20.0 * (random_word() * 0x1p-32) - 10.0;
    snprintf(build_options, sizeof build_options, "-DREAL=double -DFUNCTION=%s",
             expression);
    cl_program program = case_build(test, math_stream_cl, build_options);
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem in_buffer = opencl_buffer(&test->cl, size, in);
    cl_kernel kernel = KERNEL(program, "math_stream", ARG(out), ARG(in_buffer));
    for (unsigned i = 0; i < repeats; i++)
        case_launch_1d(test, kernel, count, 0);
    case_native(test, run_plain, run_vector, &pair);
    case_measure(test, 1e-9 * (double)(count * repeats), "Gitem");
    run_plain(&pair);
    case_expect_doubles(test, out, stream.out, count, 1e-13);
}

static void stream_pow_double(const struct options *options)
{
    run_stream_double(options, "pow(x+11.0,0.3*x)", stream_pow_double_plain,
                      stream_pow_double_vector);
}

static void stream_erf_double(const struct options *options)
{
    run_stream_double(options, "erf(0.3*x)", stream_erf_double_plain,
                      stream_erf_double_vector);
}

static void stream_erfc_double(const struct options *options)
{
    run_stream_double(options, "erfc(0.3*x)", stream_erfc_double_plain,
                      stream_erfc_double_vector);
}

static void stream_fmod_double(const struct options *options)
{
    run_stream_double(options, "fmod(x,0.7)", stream_fmod_double_plain,
                      stream_fmod_double_vector);
}

static void stream_rsqrt_double(const struct options *options)
{
    run_stream_double(options, "rsqrt(fabs(x)+0.01)", stream_rsqrt_double_plain,
                      stream_rsqrt_double_vector);
}

static void stream_sinpi_double(const struct options *options)
{
    run_stream_double(options, "sinpi(x)", stream_sinpi_double_plain,
                      stream_sinpi_double_vector);
}

// ---- Black-Scholes option prices ----

static void black_scholes(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 21, 512), size = count * sizeof(float);
    struct black_scholes b = {
        .call = host_array(count, sizeof(float)),
        .put = host_array(count, sizeof(float)),
        .price = host_random_floats(count, 5.0f, 30.0f),
        .strike = host_random_floats(count, 1.0f, 100.0f),
        .years = host_random_floats(count, 0.25f, 10.0f),
        .rate = 0.02f,
        .volatility = 0.3f,
    };
    struct native_pair pair = {black_scholes_plain, black_scholes_vector, &b, count};

    cl_program program = case_build(test, black_scholes_cl, "");
    cl_mem call = opencl_buffer(&test->cl, size, NULL);
    cl_mem put = opencl_buffer(&test->cl, size, NULL);
    cl_mem price = opencl_buffer(&test->cl, size, b.price);
    cl_mem strike = opencl_buffer(&test->cl, size, b.strike);
    cl_mem years = opencl_buffer(&test->cl, size, b.years);
    cl_kernel kernel = KERNEL(program, "black_scholes", ARG(call), ARG(put), ARG(price),
                              ARG(strike), ARG(years), ARG(b.rate), ARG(b.volatility));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, run_plain, run_vector, &pair);
    case_measure(test, 1e-9 * (double)count, "Goption");
    run_plain(&pair);
    case_expect_floats(test, call, b.call, count, 2e-5, 0);
    case_expect_floats(test, put, b.put, count, 2e-5, 0);
}

// ---- Monte-Carlo in double precision ----

static void monte_carlo(const struct options *options)
{
    struct kernel_case *test = open_double_case(options);
    size_t count = case_size(test, 1 << 16, 64);
    struct monte_carlo m = {
        host_array(count, sizeof(double)), host_random_words(count), 32, 0.02, 0.25, 1.1};
    struct native_pair pair = {monte_carlo_plain, monte_carlo_vector, &m, count};

    cl_program program = case_build(test, monte_carlo_cl, "");
    cl_mem mean = opencl_buffer(&test->cl, count * sizeof(double), NULL);
    cl_mem seeds = opencl_buffer(&test->cl, count * sizeof(uint32_t), m.seeds);
    cl_kernel kernel =
        KERNEL(program, "monte_carlo", ARG(mean), ARG(seeds), ARG(m.samples),
               ARG(m.drift), ARG(m.deviation), ARG(m.strike));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, run_plain, run_vector, &pair);
    case_measure(test, 1e-9 * (double)count * m.samples, "Gsample");
    run_plain(&pair);
    case_expect_doubles(test, mean, m.mean, count, 1e-9);
}

static void monte_carlo_pi(const struct options *options)
{
    struct kernel_case *test = open_double_case(options);
    size_t count = case_size(test, 1 << 16, 64);
    struct monte_carlo m = {
        .mean = host_array(count, sizeof(double)),
        .seeds = host_random_words(count),
        .samples = (uint32_t)case_size(test, 512, 32),
    };
    struct native_pair pair = {monte_carlo_pi_plain, monte_carlo_pi_vector, &m, count};

    cl_program program = case_build(test, monte_carlo_cl, "");
    cl_mem pi = opencl_buffer(&test->cl, count * sizeof(double), NULL);
    cl_mem seeds = opencl_buffer(&test->cl, count * sizeof(uint32_t), m.seeds);
    cl_kernel kernel =
        KERNEL(program, "monte_carlo_pi", ARG(pi), ARG(seeds), ARG(m.samples));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, run_plain, NULL, &pair);
    case_measure(test, 1e-9 * (double)count * m.samples, "Gsample");
    case_expect_doubles(test, pi, m.mean, count, 1e-12);
}

const struct benchmark math_kernels[] = {
    {"kernel/math_sin", "sin over a stream of floats", stream_sin, ONE_PROCESS},
    {"kernel/math_cos", "cos over a stream of floats", stream_cos, ONE_PROCESS},
    {"kernel/math_exp", "exp over a stream of floats", stream_exp, ONE_PROCESS},
    {"kernel/math_log", "log over a stream of floats", stream_log, ONE_PROCESS},
    {"kernel/math_pow", "pow over a stream of floats", stream_pow, ONE_PROCESS},
    {"kernel/math_tan", "tan over a stream of floats", stream_tan, ONE_PROCESS},
    {"kernel/math_sqrt", "sqrt over a stream of floats", stream_sqrt, ONE_PROCESS},
    {"kernel/math_rsqrt", "rsqrt over a stream of floats", stream_rsqrt, ONE_PROCESS},
    {"kernel/math_tanh", "tanh over a stream of floats", stream_tanh, ONE_PROCESS},
    {"kernel/math_cbrt", "cbrt over a stream of floats", stream_cbrt, ONE_PROCESS},
    {"kernel/math_mixed", "sin, exp, cos and log together", stream_mixed, ONE_PROCESS},
    {"kernel/math_pow_double", "pow over doubles in a cache", stream_pow_double,
     ONE_PROCESS},
    {"kernel/math_erf_double", "erf over doubles in a cache", stream_erf_double,
     ONE_PROCESS},
    {"kernel/math_erfc_double", "erfc over doubles in a cache", stream_erfc_double,
     ONE_PROCESS},
    {"kernel/math_fmod_double", "fmod over doubles in a cache", stream_fmod_double,
     ONE_PROCESS},
    {"kernel/math_rsqrt_double", "rsqrt over doubles in a cache", stream_rsqrt_double,
     ONE_PROCESS},
    {"kernel/math_sinpi_double", "sinpi over doubles in a cache", stream_sinpi_double,
     ONE_PROCESS},
    {"kernel/black_scholes", "option prices: log, exp, sqrt, erfc", black_scholes,
     ONE_PROCESS},
    {"kernel/monte_carlo_double", "option price in double: log, sqrt, cos, exp",
     monte_carlo, ONE_PROCESS},
    {"kernel/monte_carlo_pi_double", "darts in double, no function calls", monte_carlo_pi,
     ONE_PROCESS},
    {0},
};
