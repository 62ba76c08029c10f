// SPDX-License-Identifier: MIT
/* Arithmetic without memory: hashes in 32 and 64 bits, and option prices. All in cache.
 */
#include <math.h>

#include "cases/kernel_case.h"
#include "cases/lanes.h"
#include "embedded_kernels.h"

// ---- hashes ----

enum { ROUNDS = 64 };

struct hash {
    void *out;
    const void *in, *keys;
    size_t count;
    unsigned repeats;
};

/* Numbers and vectors go through the same text. */
#define HASH_UINT(x, key)                                   \
    do {                                                    \
        (x) ^= (x) << 13;                                   \
        (x) ^= (x) >> 17;                                   \
        (x) ^= (x) << 5;                                    \
        (x) = (x)*0x9e3779b1u + (((x) << 7) | ((x) >> 25)); \
        (x) ^= (key);                                       \
    } while (0)

#define HASH_ULONG(x, key)                                                   \
    do {                                                                     \
        (x) ^= (x) << 13;                                                    \
        (x) ^= (x) >> 7;                                                     \
        (x) ^= (x) << 17;                                                    \
        (x) = (x)*UINT64_C(0x9e3779b97f4a7c15) + (((x) << 7) | ((x) >> 57)); \
        (x) ^= (key);                                                        \
    } while (0)

/* `number` is the type of an item, `block` that of `width` of them. */
#define HASH_RANGE(name, number, block, width, round)      \
    static void name(void *data, size_t begin, size_t end) \
    {                                                      \
        const struct hash h = *(struct hash *)data;        \
        const number *in = h.in, *keys = h.keys;           \
        number *out = h.out;                               \
        for (size_t i = begin; i < end; i += (width)) {    \
            block x;                                       \
            memcpy(&x, &in[i], sizeof x);                  \
            for (unsigned k = 0; k < ROUNDS; k++)          \
                round(x, keys[k]);                         \
            memcpy(&out[i], &x, sizeof x);                 \
        }                                                  \
    }

HASH_RANGE(uint_range, uint32_t, uint32_t, 1, HASH_UINT)
HASH_RANGE(uint_range_in_lanes, uint32_t, uint_lanes, LANES, HASH_UINT)
HASH_RANGE(ulong_range, uint64_t, uint64_t, 1, HASH_ULONG)
HASH_RANGE(ulong_range_in_lanes, uint64_t, ulong_lanes, LANES, HASH_ULONG)

static void repeat_hash(struct hash *h, range_function *range)
{
    for (unsigned i = 0; i < h->repeats; i++)
        parallel_for(h->count, 4096, range, h);
}

static void uint_native(void *data)
{
    repeat_hash(data, uint_range);
}

static void uint_tuned(void *data)
{
    repeat_hash(data, uint_range_in_lanes);
}

static void ulong_native(void *data)
{
    repeat_hash(data, ulong_range);
}

static void ulong_tuned(void *data)
{
    repeat_hash(data, ulong_range_in_lanes);
}

static void run_hash(const struct options *options, const char *kernel_name,
                     size_t item_size, void (*native)(void *), void (*tuned)(void *))
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 14, 256), size = count * item_size;
    struct hash h = {host_array(count, item_size), host_random_words(size / 4),
                     host_random_words(ROUNDS * item_size / 4), count,
                     (unsigned)case_size(test, 50, 1)};
    cl_uint rounds = ROUNDS;

    cl_program program = case_build(test, hash_rounds_cl, "");
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem in = opencl_buffer(&test->cl, size, h.in);
    cl_mem keys = opencl_buffer(&test->cl, ROUNDS * item_size, h.keys);
    cl_kernel kernel =
        KERNEL(program, kernel_name, ARG(out), ARG(in), ARG(keys), ARG(rounds));
    for (unsigned i = 0; i < h.repeats; i++)
        case_launch_1d(test, kernel, count, 0);
    case_native(test, native, tuned, &h);
    case_measure(test, 1e-9 * (double)count * h.repeats, "Ghash");
    case_expect_words(test, out, h.out, size / 4, 0);
}

static void hash_uint(const struct options *options)
{
    run_hash(options, "hash_uint", sizeof(uint32_t), uint_native, uint_tuned);
}

static void hash_ulong(const struct options *options)
{
    run_hash(options, "hash_ulong", sizeof(uint64_t), ulong_native, ulong_tuned);
}

// ---- Black and Scholes, the normal distribution by a polynomial ----

struct prices {
    float *call, *put;
    const float *price, *strike, *years;
    float rate, volatility;
    size_t count;
    unsigned repeats;
};

static float_lanes round_lanes(float_lanes x)
{
    return x + 12582912.0f -
           12582912.0f; /* 1.5 * 2^23: no bits are left for a fraction */
}

static int_lanes integer_lanes(float_lanes x)
{
    return (int_lanes)(x + 12582912.0f) - 0x4b400000;
}

static float_lanes polynomial_lanes(float_lanes x, const float *coefficients, int count)
{
    float_lanes sum = coefficients[0] + 0.0f * x;
    for (int i = 1; i < count; i++)
        sum = sum * x + coefficients[i];
    return sum;
}

/* e^x by 2^n e^r, |r| <= ln(2)/2. */
static float_lanes exp_lanes(float_lanes x)
{
    static const float coefficients[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24,
                                         1.0f / 6,    0.5f,       1.0f,       1.0f};
    float_lanes n = round_lanes(x * 1.44269504f);
    float_lanes r = (x - n * 0.693145751953125f) - n * 1.428606765e-6f;
    float_lanes p = polynomial_lanes(r, coefficients, 8);
    int_lanes exponent = integer_lanes(n), half = exponent >> 1;
    p *= (float_lanes)((half + 127) << 23);
    p *= (float_lanes)((exponent - half + 127) << 23);
    p = select_lanes(x > 88.72284f, INFINITY + 0.0f * p, p);
    return select_lanes(x < -103.97208f, 0.0f * r, p);
}

/* ln(m 2^e) = 2 atanh((m - 1) / (m + 1)) + e ln 2, m in [sqrt(1/2), sqrt(2)). */
static float_lanes log_lanes(float_lanes x)
{
    static const float coefficients[] = {2.0f / 9, 2.0f / 7, 2.0f / 5, 2.0f / 3};
    int_lanes is_small = x < 1.17549435e-38f;
    float_lanes scaled = select_lanes(is_small, x * 8388608.0f, x);
    int_lanes bits = (int_lanes)scaled, exponent = (bits - 0x3f3504f3) >> 23;
    float_lanes m = (float_lanes)(bits - (exponent << 23));
    float_lanes e = __builtin_convertvector(exponent + (is_small & -23), float_lanes);
    float_lanes t = (m - 1.0f) / (m + 1.0f), square = t * t;
    float_lanes tail = polynomial_lanes(square, coefficients, 4) * square * t;
    float_lanes result = 2.0f * t + (tail + e * 0.693147182f);
    result = select_lanes(x == 0.0f, -INFINITY + 0.0f * tail, result);
    result = select_lanes(x < 0.0f, NAN + tail, result);
    return select_lanes((x == INFINITY) | (x != x), x, result);
}

static float normal_distribution(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    float tail = k * (0.319381530f +
                      k * (-0.356563782f +
                           k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    tail *= 0.39894228040f * expf(-0.5f * x * x);
    return x > 0.0f ? 1.0f - tail : tail;
}

static float_lanes normal_distribution_lanes(float_lanes x)
{
    float_lanes magnitude = (float_lanes)((int_lanes)x & 0x7fffffff);
    float_lanes k = 1.0f / (1.0f + 0.2316419f * magnitude);
    float_lanes tail =
        k * (0.319381530f +
             k * (-0.356563782f +
                  k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    tail *= 0.39894228040f * exp_lanes(-0.5f * x * x);
    return select_lanes(x > 0.0f, 1.0f - tail, tail);
}

static void prices_range(void *data, size_t begin, size_t end)
{
    const struct prices o = *(struct prices *)data;
    for (size_t i = begin; i < end; i++) {
        float s = o.price[i], k = o.strike[i], t = o.years[i];
        float deviation = o.volatility * sqrtf(t);
        float d1 =
            (logf(s / k) + (o.rate + 0.5f * o.volatility * o.volatility) * t) / deviation;
        float d2 = d1 - deviation;
        float discounted = k * expf(-o.rate * t);
        float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
        o.call[i] = s * n1 - discounted * n2;
        o.put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}

static void prices_range_in_lanes(void *data, size_t begin, size_t end)
{
    const struct prices o = *(struct prices *)data;
    for (size_t i = begin; i < end; i += LANES) {
        float_lanes s = load_lanes(&o.price[i]), k = load_lanes(&o.strike[i]);
        float_lanes t = load_lanes(&o.years[i]);
        float_lanes deviation = o.volatility * square_root_lanes(t);
        float_lanes d1 =
            (log_lanes(s / k) + (o.rate + 0.5f * o.volatility * o.volatility) * t) /
            deviation;
        float_lanes d2 = d1 - deviation;
        float_lanes discounted = k * exp_lanes(-o.rate * t);
        float_lanes n1 = normal_distribution_lanes(d1),
                    n2 = normal_distribution_lanes(d2);
        store_lanes(&o.call[i], s * n1 - discounted * n2);
        store_lanes(&o.put[i], discounted * (1.0f - n2) - s * (1.0f - n1));
    }
}

static void prices_native(void *data)
{
    struct prices *o = data;
    for (unsigned i = 0; i < o->repeats; i++)
        parallel_for(o->count, 4096, prices_range, data);
}

static void prices_tuned(void *data)
{
    struct prices *o = data;
    for (unsigned i = 0; i < o->repeats; i++)
        parallel_for(o->count, 4096, prices_range_in_lanes, data);
}

static void black_scholes_polynomial(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 14, 256), size = count * sizeof(float);
    struct prices o = {
        .call = host_array(count, sizeof(float)),
        .put = host_array(count, sizeof(float)),
        .price = host_random_floats(count, 5.0f, 30.0f),
        .strike = host_random_floats(count, 1.0f, 100.0f),
        .years = host_random_floats(count, 0.25f, 10.0f),
        .rate = 0.02f,
        .volatility = 0.3f,
        .count = count,
        .repeats = (unsigned)case_size(test, 200, 1),
    };

    cl_program program = case_build(test, black_scholes_polynomial_cl, "");
    cl_mem call = opencl_buffer(&test->cl, size, NULL);
    cl_mem put = opencl_buffer(&test->cl, size, NULL);
    cl_mem price = opencl_buffer(&test->cl, size, o.price);
    cl_mem strike = opencl_buffer(&test->cl, size, o.strike);
    cl_mem years = opencl_buffer(&test->cl, size, o.years);
    cl_kernel kernel =
        KERNEL(program, "black_scholes_polynomial", ARG(call), ARG(put), ARG(price),
               ARG(strike), ARG(years), ARG(o.rate), ARG(o.volatility));
    for (unsigned i = 0; i < o.repeats; i++)
        case_launch_1d(test, kernel, count, 0);
    case_native(test, prices_native, prices_tuned, &o);
    case_measure(test, 1e-9 * (double)count * o.repeats, "Goption");
    case_expect_floats(test, call, o.call, count, 2e-5, 0);
    case_expect_floats(test, put, o.put, count, 2e-5, 0);
}

const struct benchmark arithmetic_kernels[] = {
    {"kernel/hash_uint", "64 rounds: shifts, a multiplication, keys", hash_uint,
     ONE_PROCESS},
    {"kernel/hash_ulong", "the same in 64 bits", hash_ulong, ONE_PROCESS},
    {"kernel/black_scholes_polynomial", "option prices: log, exp, sqrt, in cache",
     black_scholes_polynomial, ONE_PROCESS},
    {0},
};
