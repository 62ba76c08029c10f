// SPDX-License-Identifier: MIT
/*
 * libmvec's widest functions, called by hand: compilers know only some of them, and those
 * in 8 lanes. 16 floats with AVX-512, 8 with AVX2; elsewhere the plain loops stand in.
 */
#include <immintrin.h>
#include <math.h>

#include "cases/native_math.h"

#ifdef __AVX512F__
typedef __m512 vector;
enum { WIDTH = 16 };
#define MVEC(name, args) _ZGVeN16##args##_##name##f
#elif defined(__AVX2__)
typedef __m256 vector;
enum { WIDTH = 8 };
#define MVEC(name, args) _ZGVdN8##args##_##name##f
#else
enum { WIDTH = 0 };
#endif

#if defined(__AVX512F__) || defined(__AVX2__)
vector MVEC(cos, v)(vector);
vector MVEC(exp, v)(vector);
vector MVEC(log, v)(vector);
vector MVEC(pow, vv)(vector, vector);
vector MVEC(sin, v)(vector);
vector MVEC(tan, v)(vector);
/* Whole vectors: every range is a multiple of 16 long. The operators are those of
 * vectors. */
#define MATH_STREAM(name, expression)                                  \
    void stream_##name##_libmvec(void *data, size_t begin, size_t end) \
    {                                                                  \
        const struct math_stream stream = *(struct math_stream *)data; \
        for (size_t i = begin; i < end; i += WIDTH) {                  \
            const vector x = *(const vector *)(stream.in + i);         \
            *(vector *)(stream.out + i) = expression;                  \
        }                                                              \
    }
MATH_STREAM(cos, MVEC(cos, v)(x))
MATH_STREAM(exp, MVEC(exp, v)(x))
MATH_STREAM(log, MVEC(log, v)(x + 11.0f))
MATH_STREAM(pow, MVEC(pow, vv)(x + 11.0f, 0.3f * x))
MATH_STREAM(sin, MVEC(sin, v)(x))
MATH_STREAM(tan, MVEC(tan, v)(x))
#else
#define MATH_STREAM(name)                                              \
    void stream_##name##_libmvec(void *data, size_t begin, size_t end) \
    {                                                                  \
        stream_##name##_plain(data, begin, end);                       \
    }
MATH_STREAM(cos)
MATH_STREAM(exp)
MATH_STREAM(log)
MATH_STREAM(pow)
MATH_STREAM(sin)
MATH_STREAM(tan)
#endif
