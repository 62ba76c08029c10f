// SPDX-License-Identifier: MIT
/* Integer arithmetic: hashes, random numbers, bytes and shorts. */
#include <stdlib.h>

#include "cases/kernel_case.h"
#include "cases/lanes.h"
#include "embedded_kernels.h"

// ---- SHA-256 ----

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

struct hash {
    uint32_t *out;
    const uint32_t *seeds;
    size_t count;
    uint32_t salt, rounds;
};

/* Both a single word and a vector of words go through the same text. */
#define ROTATE_RIGHT(x, bits) (((x) >> (bits)) | ((x) << (32 - (bits))))

#define SHA256_BLOCK(word, id, salt, result)                                             \
    do {                                                                                 \
        word w[16], s[8];                                                                \
        static const uint32_t start[8] = {                                               \
            0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,                              \
            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};                             \
        for (uint32_t i = 0; i < 8; i++)                                                 \
            s[i] = (id)*0u + start[i];                                                   \
        for (uint32_t i = 0; i < 16; i++)                                                \
            w[i] = (id) * (2 * i + 1) + (salt);                                          \
        for (uint32_t i = 0; i < 64; i++) {                                              \
            if (i >= 16) {                                                               \
                word w15 = w[(i + 1) & 15], w2 = w[(i + 14) & 15];                       \
                word s0 = ROTATE_RIGHT(w15, 7) ^ ROTATE_RIGHT(w15, 18) ^ (w15 >> 3);     \
                word s1 = ROTATE_RIGHT(w2, 17) ^ ROTATE_RIGHT(w2, 19) ^ (w2 >> 10);      \
                w[i & 15] += s0 + w[(i + 9) & 15] + s1;                                  \
            }                                                                            \
            word e1 =                                                                    \
                ROTATE_RIGHT(s[4], 6) ^ ROTATE_RIGHT(s[4], 11) ^ ROTATE_RIGHT(s[4], 25); \
            word choice = (s[4] & s[5]) | (~s[4] & s[6]);                                \
            word t1 = s[7] + e1 + choice + round_constants[i] + w[i & 15];               \
            word e0 =                                                                    \
                ROTATE_RIGHT(s[0], 2) ^ ROTATE_RIGHT(s[0], 13) ^ ROTATE_RIGHT(s[0], 22); \
            word majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);               \
            for (uint32_t k = 7; k > 0; k--)                                             \
                s[k] = s[k - 1];                                                         \
            s[4] += t1;                                                                  \
            s[0] = t1 + e0 + majority;                                                   \
        }                                                                                \
        (result) = s[0] + start[0];                                                      \
    } while (0)

static void sha256_range(void *data, size_t begin, size_t end)
{
    struct hash h = *(struct hash *)data;
    for (size_t i = begin; i < end; i++) {
        uint32_t id = (uint32_t)i, result;
        SHA256_BLOCK(uint32_t, id, h.salt, result);
        h.out[i] = result;
    }
}

static void sha256_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct hash h = *(struct hash *)data;
    uint_lanes lane_number;
    for (int lane = 0; lane < LANES; lane++)
        lane_number[lane] = (uint32_t)lane;
    for (size_t i = begin; i < end; i += LANES) {
        uint_lanes id = (uint32_t)i + lane_number, result;
        SHA256_BLOCK(uint_lanes, id, h.salt, result);
        memcpy(&h.out[i], &result, sizeof result);
    }
}

static void sha256_native(void *data)
{
    parallel_for(((struct hash *)data)->count, 4096, sha256_range, data);
}

static void sha256_tuned(void *data)
{
    parallel_for(((struct hash *)data)->count, 4096, sha256_range_in_lanes, data);
}

static void sha256(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 19, 256);
    struct hash h = {
        .out = host_array(count, sizeof(uint32_t)), .count = count, .salt = 12345};

    cl_program program = case_build(test, sha256_cl, "");
    cl_mem out = opencl_buffer(&test->cl, count * sizeof(uint32_t), NULL);
    cl_kernel kernel = KERNEL(program, "sha256", ARG(out), ARG(h.salt));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, sha256_native, sha256_tuned, &h);
    case_measure(test, 1e-9 * (double)count, "Ghash");
    case_expect_words(test, out, h.out, count, 0);
}

// ---- xorshift and 64-bit multiplications ----

static void xorshift_range(void *data, size_t begin, size_t end)
{
    struct hash h = *(struct hash *)data;
    for (size_t i = begin; i < end; i++) {
        uint32_t x = h.seeds[i];
        for (uint32_t round = 0; round < h.rounds; round++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
        }
        h.out[i] = x;
    }
}

static void xorshift_range_in_lanes(void *data, size_t begin, size_t end)
{
    struct hash h = *(struct hash *)data;
    for (size_t i = begin; i < end; i += 4 * LANES) {
        uint_lanes x[4];
        memcpy(x, &h.seeds[i], sizeof x);
        for (uint32_t round = 0; round < h.rounds; round++) {
            for (int k = 0; k < 4; k++) {
                x[k] ^= x[k] << 13;
                x[k] ^= x[k] >> 17;
                x[k] ^= x[k] << 5;
            }
        }
        memcpy(&h.out[i], x, sizeof x);
    }
}

static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
}

static void multiply_long_range(void *data, size_t begin, size_t end)
{
    struct hash h = *(struct hash *)data;
    for (size_t i = begin; i < end; i++) {
        uint64_t x = h.seeds[i] | 1;
        for (uint32_t round = 0; round < h.rounds; round++)
            x = x * 0x9e3779b97f4a7c15u + multiply_high(x, 0xd1342543de82ef95u);
        h.out[i] = (uint32_t)(x >> 32);
    }
}

static void xorshift_native(void *data)
{
    parallel_for(((struct hash *)data)->count, 4096, xorshift_range, data);
}

static void xorshift_tuned(void *data)
{
    parallel_for(((struct hash *)data)->count, 4096, xorshift_range_in_lanes, data);
}

static void multiply_long_native(void *data)
{
    parallel_for(((struct hash *)data)->count, 4096, multiply_long_range, data);
}

static void run_rounds(const struct options *options, const char *source,
                       const char *kernel_name, size_t rounds, void (*native)(void *),
                       void (*tuned)(void *))
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 18, 256), size = count * sizeof(uint32_t);
    struct hash h = {
        .out = host_array(count, sizeof(uint32_t)),
        .seeds = host_random_words(count),
        .count = count,
        .rounds = (uint32_t)case_size(test, rounds, 8),
    };

    cl_program program = case_build(test, source, "");
    cl_mem out = opencl_buffer(&test->cl, size, NULL);
    cl_mem seeds = opencl_buffer(&test->cl, size, h.seeds);
    cl_kernel kernel = KERNEL(program, kernel_name, ARG(out), ARG(seeds), ARG(h.rounds));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, native, tuned, &h);
    case_measure(test, 1e-9 * (double)count * h.rounds, "Ground");
    case_expect_words(test, out, h.out, count, 0);
}

static void xorshift(const struct options *options)
{
    run_rounds(options, xorshift_cl, "xorshift", 2000, xorshift_native, xorshift_tuned);
}

static void multiply_long(const struct options *options)
{
    run_rounds(options, multiply_long_cl, "multiply_long", 200, multiply_long_native,
               NULL);
}

// ---- bytes ----

struct blend {
    uint8_t *restrict out;
    const uint8_t *restrict a, *restrict b;
    size_t count;
    uint8_t alpha;
};

static void blend_range(void *data, size_t begin, size_t end)
{
    struct blend s = *(struct blend *)data;
    uint8_t beta = (uint8_t)(255 - s.alpha);
    for (size_t i = begin; i < end; i++) {
        uint16_t mixed = (uint16_t)(s.a[i] * s.alpha + s.b[i] * beta + 127);
        uint8_t level = (uint8_t)((mixed + (mixed >> 8)) >> 8);
        unsigned difference = (unsigned)abs(s.a[i] - s.b[i]);
        unsigned sum = level + (difference >> 2);
        s.out[i] = (uint8_t)(sum > 255 ? 255 : sum);
    }
}

static void blend_native(void *data)
{
    parallel_for(((struct blend *)data)->count, 1 << 16, blend_range, data);
}

static void blend_uchar(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 26, 1024);
    struct blend b = {host_array(count, 1), (uint8_t *)host_random_words(count / 4),
                      (uint8_t *)host_random_words(count / 4), count, 100};

    cl_program program = case_build(test, blend_uchar_cl, "");
    cl_mem out = opencl_buffer(&test->cl, count, NULL);
    cl_mem left = opencl_buffer(&test->cl, count, b.a);
    cl_mem right = opencl_buffer(&test->cl, count, b.b);
    cl_kernel kernel =
        KERNEL(program, "blend_uchar", ARG(out), ARG(left), ARG(right), ARG(b.alpha));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, blend_native, NULL, &b);
    case_measure(test, 3e-9 * (double)count, "GB");
    uint8_t *actual = host_array(count, 1);
    case_read(test, out, actual, count);
    case_expect_bytes(test, actual, b.out, count, 0, 0);
}

// ---- shorts ----

enum { TAPS = 16 };

struct filter {
    int16_t *restrict out;
    const int16_t *restrict in, *restrict taps;
    size_t count;
};

static void filter_range(void *data, size_t begin, size_t end)
{
    struct filter f = *(struct filter *)data;
    for (size_t i = begin; i < end; i++) {
        int sum = 0;
        for (int k = 0; k < TAPS; k++) {
            sum += (f.in[i + (size_t)k] * f.taps[k]) >> 16;
            sum = sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum;
        }
        f.out[i] = (int16_t)sum;
    }
}

static void filter_native(void *data)
{
    parallel_for(((struct filter *)data)->count, 1 << 14, filter_range, data);
}

static void filter_short(const struct options *options)
{
    struct kernel_case *test = case_open(options);
    size_t count = case_size(test, 1 << 24, 1024);
    size_t in_size = (count + TAPS) * sizeof(int16_t);
    struct filter f = {host_array(count, sizeof(int16_t)),
                       (int16_t *)host_random_words(in_size / 4),
                       (int16_t *)host_random_words(TAPS / 2), count};

    cl_program program = case_build(test, filter_short_cl, "");
    cl_mem out = opencl_buffer(&test->cl, count * sizeof(int16_t), NULL);
    cl_mem in = opencl_buffer(&test->cl, in_size, f.in);
    cl_mem taps = opencl_buffer(&test->cl, TAPS * sizeof(int16_t), f.taps);
    cl_kernel kernel = KERNEL(program, "filter_short", ARG(out), ARG(in), ARG(taps));
    case_launch_1d(test, kernel, count, 0);
    case_native(test, filter_native, NULL, &f);
    case_measure(test, 1e-9 * (double)(count * TAPS), "Gtap");
    case_expect_words(test, out, (const uint32_t *)f.out, count / 2, 0);
}

const struct benchmark integer_kernels[] = {
    {"kernel/sha256", "64 rounds on private arrays, rotate, bitselect", sha256,
     ONE_PROCESS},
    {"kernel/xorshift", "shifts and exclusive ors in a loop", xorshift, ONE_PROCESS},
    {"kernel/multiply_long", "64-bit multiply and mul_hi in a loop", multiply_long,
     ONE_PROCESS},
    {"kernel/blend_uchar", "bytes: multiply, add_sat, abs_diff", blend_uchar,
     ONE_PROCESS},
    {"kernel/filter_short", "shorts: mul_hi, add_sat, 16 taps", filter_short,
     ONE_PROCESS},
    {0},
};
