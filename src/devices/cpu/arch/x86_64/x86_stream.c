// SPDX-License-Identifier: MIT
// Moving bytes past the caches, and filling memory with a pattern. SSE2 is there on every
// x86-64. Of copies, twice its width gains a third where the data fit the last cache just
// so, and four times the width nothing more; fills inside the caches gain up to there.
#include <immintrin.h>

#include "abi/long16.h"
#include "devices/cpu/arch/cpu_arch.h"

enum {
    AVX2_LEVEL = 2, // index into tf_arch_levels()
    AVX512_LEVEL = 3,
    PREFETCH_BYTES = 1024, // how far ahead of the loads
    LINE_BYTES = 64,
};

static void copy_sse2(char *dst, const char *src, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE_BYTES) {
        __m128i v[4];

        _mm_prefetch(src + i + PREFETCH_BYTES, _MM_HINT_T0);
        for (int k = 0; k < 4; k++)
            v[k] = _mm_loadu_si128((const __m128i *)(const void *)(src + i) + k);
        for (int k = 0; k < 4; k++)
            _mm_stream_si128((__m128i *)(void *)(dst + i) + k, v[k]);
    }
}

__attribute__((target("avx2"))) static void copy_avx2(char *dst, const char *src,
                                                      size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE_BYTES) {
        __m256i v[2];

        _mm_prefetch(src + i + PREFETCH_BYTES, _MM_HINT_T0);
        for (int k = 0; k < 2; k++)
            v[k] = _mm256_loadu_si256((const __m256i *)(const void *)(src + i) + k);
        for (int k = 0; k < 2; k++)
            _mm256_stream_si256((__m256i *)(void *)(dst + i) + k, v[k]);
    }
}

void tf_arch_stream_copy(unsigned level, void *dst, const void *src, size_t bytes)
{
    if (level >= AVX2_LEVEL)
        copy_avx2(dst, src, bytes);
    else
        copy_sse2(dst, src, bytes);
}

static void fill_sse2(char *dst, const char *block, size_t bytes, bool stream)
{
    __m128i v[8];

    for (int k = 0; k < 8; k++)
        v[k] = _mm_loadu_si128((const __m128i *)(const void *)block + k);
    for (size_t i = 0; i < bytes; i += TF_LONG16_BYTES) {
        __m128i *to = (__m128i *)(void *)(dst + i);

        if (stream) {
            for (int k = 0; k < 8; k++)
                _mm_stream_si128(to + k, v[k]);
        } else {
            for (int k = 0; k < 8; k++)
                _mm_store_si128(to + k, v[k]);
        }
    }
}

__attribute__((target("avx2"))) static void fill_avx2(char *dst, const char *block,
                                                      size_t bytes, bool stream)
{
    __m256i v[4];

    for (int k = 0; k < 4; k++)
        v[k] = _mm256_loadu_si256((const __m256i *)(const void *)block + k);
    for (size_t i = 0; i < bytes; i += TF_LONG16_BYTES) {
        __m256i *to = (__m256i *)(void *)(dst + i);

        if (stream) {
            for (int k = 0; k < 4; k++)
                _mm256_stream_si256(to + k, v[k]);
        } else {
            for (int k = 0; k < 4; k++)
                _mm256_store_si256(to + k, v[k]);
        }
    }
}

__attribute__((target("avx512f"))) static void fill_avx512(char *dst, const char *block,
                                                           size_t bytes, bool stream)
{
    const __m512i low = _mm512_loadu_si512(block);
    const __m512i high = _mm512_loadu_si512(block + LINE_BYTES);

    for (size_t i = 0; i < bytes; i += TF_LONG16_BYTES) {
        __m512i *to = (__m512i *)(void *)(dst + i);

        if (stream) {
            _mm512_stream_si512(to, low);
            _mm512_stream_si512(to + 1, high);
        } else {
            _mm512_store_si512(to, low);
            _mm512_store_si512(to + 1, high);
        }
    }
}

void tf_arch_fill(unsigned level, void *dst, const void *block, size_t bytes, bool stream)
{
    if (level >= AVX512_LEVEL)
        fill_avx512(dst, block, bytes, stream);
    else if (level >= AVX2_LEVEL)
        fill_avx2(dst, block, bytes, stream);
    else
        fill_sse2(dst, block, bytes, stream);
}

void tf_arch_stream_end(void)
{
    _mm_sfence();
}
