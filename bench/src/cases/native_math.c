// SPDX-License-Identifier: MIT
/* Compiled once with NATIVE_MATH_SUFFIX=plain and once with =vector: see native_math.h.
 */
#include "cases/native_math.h"

#include <math.h>

#define JOIN(name, suffix) name##_##suffix
#define EXPAND(name, suffix) JOIN(name, suffix)
#define NATIVE(name) EXPAND(name, NATIVE_MATH_SUFFIX)

#define MATH_STREAM(name, expression)                                \
    void NATIVE(stream_##name)(void *data, size_t begin, size_t end) \
    {                                                                \
        struct math_stream stream = *(struct math_stream *)data;     \
        for (size_t i = begin; i < end; i++) {                       \
            float x = stream.in[i];                                  \
            stream.out[i] = expression;                              \
        }                                                            \
    }

MATH_STREAM(sin, sinf(x))
MATH_STREAM(cos, cosf(x))
MATH_STREAM(exp, expf(x))
MATH_STREAM(log, logf(x + 11.0f))
MATH_STREAM(pow, powf(x + 11.0f, 0.3f * x))
MATH_STREAM(tan, tanf(x))
MATH_STREAM(sqrt, sqrtf(fabsf(x)))
MATH_STREAM(rsqrt, 1.0f / sqrtf(fabsf(x) + 0.01f))
MATH_STREAM(tanh, tanhf(x))
MATH_STREAM(cbrt, cbrtf(x))
MATH_STREAM(mixed, sinf(x) * expf(-0.1f * x) + cosf(1.5f * x) * logf(x * x + 1.0f))

/* Of doubles, in sweeps over all: a range lies in one of them. */
#define MATH_STREAM_DOUBLE(name, expression)                                   \
    void NATIVE(stream_##name##_double)(void *data, size_t begin, size_t end)  \
    {                                                                          \
        struct math_stream_double stream = *(struct math_stream_double *)data; \
        size_t first = begin % stream.count;                                   \
        for (size_t i = first; i < first + (end - begin); i++) {               \
            double x = stream.in[i];                                           \
            stream.out[i] = expression;                                        \
        }                                                                      \
    }

MATH_STREAM_DOUBLE(pow, pow(x + 11.0, 0.3 * x))
MATH_STREAM_DOUBLE(erf, erf(0.3 * x))
MATH_STREAM_DOUBLE(erfc, erfc(0.3 * x))
MATH_STREAM_DOUBLE(fmod, fmod(x, 0.7))
MATH_STREAM_DOUBLE(rsqrt, 1.0 / sqrt(fabs(x) + 0.01))
MATH_STREAM_DOUBLE(sinpi, sin(3.141592653589793 * x))

static float normal_distribution(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

void NATIVE(black_scholes)(void *data, size_t begin, size_t end)
{
    struct black_scholes b = *(struct black_scholes *)data;
    for (size_t i = begin; i < end; i++) {
        float s = b.price[i], k = b.strike[i], t = b.years[i];
        float deviation = b.volatility * sqrtf(t);
        float d1 =
            (logf(s / k) + (b.rate + 0.5f * b.volatility * b.volatility) * t) / deviation;
        float d2 = d1 - deviation;
        float discounted = k * expf(-b.rate * t);
        float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
        b.call[i] = s * n1 - discounted * n2;
        b.put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}

static inline double uniform_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (*state + 0.5) * 0x1p-32;
}

/* Items are taken in blocks, so that the loops over a block can be vectorised. */
enum { BLOCK = 16 };

void NATIVE(monte_carlo)(void *data, size_t begin, size_t end)
{
    struct monte_carlo m = *(struct monte_carlo *)data;
    for (size_t base = begin; base < end; base += BLOCK) {
        uint32_t state[BLOCK];
        double sum[BLOCK];
        for (int lane = 0; lane < BLOCK; lane++) {
            state[lane] = m.seeds[base + lane];
            sum[lane] = 0.0;
        }
        for (uint32_t sample = 0; sample < m.samples; sample++) {
            for (int lane = 0; lane < BLOCK; lane++) {
                double radius = sqrt(-2.0 * log(uniform_random(&state[lane])));
                double angle = 6.283185307179586 * uniform_random(&state[lane]);
                double final_price = exp(m.drift + m.deviation * radius * cos(angle));
                double gain = final_price - m.strike;
                sum[lane] += gain > 0.0 ? gain : 0.0;
            }
        }
        for (int lane = 0; lane < BLOCK; lane++)
            m.mean[base + lane] = sum[lane] / m.samples;
    }
}

void NATIVE(monte_carlo_pi)(void *data, size_t begin, size_t end)
{
    struct monte_carlo m = *(struct monte_carlo *)data;
    for (size_t base = begin; base < end; base += BLOCK) {
        uint32_t state[BLOCK], hits[BLOCK];
        for (int lane = 0; lane < BLOCK; lane++) {
            state[lane] = m.seeds[base + lane];
            hits[lane] = 0;
        }
        for (uint32_t sample = 0; sample < m.samples; sample++) {
            for (int lane = 0; lane < BLOCK; lane++) {
                double x = uniform_random(&state[lane]);
                double y = uniform_random(&state[lane]);
                hits[lane] += x * x + y * y < 1.0;
            }
        }
        for (int lane = 0; lane < BLOCK; lane++)
            m.mean[base + lane] = 4.0 * hits[lane] / m.samples;
    }
}
