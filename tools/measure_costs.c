// SPDX-License-Identifier: MIT
// Measures what the target's table of costs (compiler/workgroup/target) holds for this
// processor, and prints a row of it with date and machine. All in cycles, tenths of them
// in the row: of a chain of dependent additions each takes one, so no clock rate is asked
// for.
//
//     measure_costs [repetitions]
//
// Each figure is the least of many short runs: what else the machine does only adds. What
// is measured is throughput where a kernel's lanes are independent of each other, and the
// whole way where each needs the one before (waits, wrong guesses).
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 20000, ELEMENTS = 1024, DEFAULT_REPETITIONS = 200 };

#define AVX2 __attribute__((target("avx2,fma"), noinline))
#define AVX512 __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq"), noinline))
#define PLAIN __attribute__((noinline))
// The value is made, and nobody knows what of.
#define KEEP(x) __asm__ volatile("" : "+x"(x))
#define KEEP_WORD(x) __asm__ volatile("" : "+r"(x))

static _Alignas(64) float numbers[ELEMENTS], results[ELEMENTS];
static _Alignas(64) int32_t places[ELEMENTS]; // a permutation
static volatile int64_t one = 1;
static uint64_t state = 88172645463325252ull; // of random numbers, never the same again

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- what is run: ROUNDS rounds each

// No constant is added: some processors do that while they rename registers, in no time.
PLAIN static void chain(void)
{
    int64_t x = 0, k = one;

    for (int i = 0; i < ROUNDS; i++) {
        x += k;
        KEEP_WORD(x);
        x ^= k;
        KEEP_WORD(x);
        x += k;
        KEEP_WORD(x);
        x ^= k;
        KEEP_WORD(x);
    }
}

// Four words: what the compiler's loops over elements do in registers.
PLAIN static void scalar(void)
{
    int64_t a = 1, b = 2, c = 3, d = 4;

    for (int i = 0; i < ROUNDS; i++) {
        a = a * 5 + 1;
        KEEP_WORD(a);
        b = (b ^ 3) + i;
        KEEP_WORD(b);
        c = (c << 1) - b;
        KEEP_WORD(c);
        d = d + (c >> 3);
        KEEP_WORD(d);
    }
}

PLAIN static void scalar_division(void)
{
    float a = 1e30f, b = 2e30f, c = 3e30f, d = 4e30f, by = 1.0000001f;

    for (int i = 0; i < ROUNDS; i++) {
        a /= by;
        KEEP(a);
        b /= by;
        KEEP(b);
        c /= by;
        KEEP(c);
        d /= by;
        KEEP(d);
    }
}

PLAIN static void integer_division(void)
{
    uint32_t a = 1u << 31, by = (uint32_t)one;

    for (int i = 0; i < ROUNDS; i++) {
        uint32_t q = a / by, r = (a - 1) / by, s = (a - 2) / by, t = (a - 3) / by;

        KEEP_WORD(q);
        KEEP_WORD(r);
        KEEP_WORD(s);
        KEEP_WORD(t);
        KEEP_WORD(by);
    }
}

PLAIN static void long_division(void)
{
    uint64_t a = 1ull << 62, by = (uint64_t)one;

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t q = a / by, r = (a - 1) / by, s = (a - 2) / by, t = (a - 3) / by;

        KEEP_WORD(q);
        KEEP_WORD(r);
        KEEP_WORD(s);
        KEEP_WORD(t);
        KEEP_WORD(by);
    }
}

PLAIN static void locked_add(void)
{
    static _Alignas(64) int32_t word;

    for (int i = 0; i < ROUNDS; i++)
        __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
}

// Increments at places that come out of a table: the next may be the same one.
PLAIN static void plain_add(void)
{
    static volatile int32_t words[ELEMENTS];

    for (int i = 0; i < ROUNDS; i++)
        words[places[i % ELEMENTS] & 255]++;
}

// An element of its own for each lane, by scalar instructions.
PLAIN static void element_loads(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const int at = i * 4 % ELEMENTS;
        __m128 v = _mm_set_ps(numbers[places[at]], numbers[places[at + 1]],
                              numbers[places[at + 2]], numbers[places[at + 3]]);

        KEEP(v);
    }
}

PLAIN static void element_stores(void)
{
    __m128 v = _mm_set1_ps(1);

    for (int i = 0; i < ROUNDS; i++) {
        const int at = i * 4 % ELEMENTS;

        KEEP(v);
        results[places[at]] = _mm_cvtss_f32(v);
        results[places[at + 1]] = _mm_cvtss_f32(_mm_shuffle_ps(v, v, 1));
        results[places[at + 2]] = _mm_cvtss_f32(_mm_shuffle_ps(v, v, 2));
        results[places[at + 3]] = _mm_cvtss_f32(_mm_shuffle_ps(v, v, 3));
    }
}

// xorshift64 (Marsaglia 2003).
static inline void next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
}

// A branch that nobody can guess, and the same work without one: half of the guesses are
// wrong.
PLAIN static void guesses(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < ROUNDS; i++) {
        next_random();
        if (state & 1024)
            __asm__ volatile("add $3, %0" : "+r"(sum));
    }
    KEEP_WORD(sum);
}

PLAIN static void no_guesses(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < ROUNDS; i++) {
        next_random();
        sum += (state & 1024) >> 9;
        KEEP_WORD(sum);
    }
}

// A whole vector is loaded where one element was just stored: nothing is forwarded.
PLAIN static void wait_for_element(void)
{
    __m128 v = _mm_set1_ps(1);

    for (int i = 0; i < ROUNDS; i++) {
        results[i & 3] = _mm_cvtss_f32(v);
        __asm__ volatile("" ::: "memory");
        v = _mm_load_ps(results);
        KEEP(v);
    }
}

#define VECTOR_TESTS(NAME, TARGET, V, I, WIDTH, LOAD, STORE, SET, FMA, DIV) \
    TARGET static void vector_##NAME(void)                                  \
    {                                                                       \
        V k = SET(1.5f);                                                    \
        for (int i = 0; i < ROUNDS; i++) {                                  \
            const int at = i * (WIDTH) % ELEMENTS;                          \
            V v = LOAD(numbers + at);                                       \
            v = FMA(v, k, k);                                               \
            KEEP(v);                                                        \
            STORE(results + at, v);                                         \
        }                                                                   \
    }                                                                       \
    TARGET static void division_##NAME(void)                                \
    {                                                                       \
        V a = SET(1e30f), b = SET(2e30f), by = SET(1.0000001f);             \
        for (int i = 0; i < ROUNDS; i++) {                                  \
            a = DIV(a, by);                                                 \
            KEEP(a);                                                        \
            b = DIV(b, by);                                                 \
            KEEP(b);                                                        \
        }                                                                   \
    }

VECTOR_TESTS(256, AVX2, __m256, __m256i, 8, _mm256_load_ps, _mm256_store_ps,
             _mm256_set1_ps, _mm256_fmadd_ps, _mm256_div_ps)
VECTOR_TESTS(512, AVX512, __m512, __m512i, 16, _mm512_load_ps, _mm512_store_ps,
             _mm512_set1_ps, _mm512_fmadd_ps, _mm512_div_ps)

// Registers from places that begin with a line of the cache, and from others.
#define LOAD_TESTS(NAME, TARGET, V, WIDTH, LOAD)                        \
    TARGET static void load_##NAME##_at(int from)                       \
    {                                                                   \
        for (int i = 0; i < ROUNDS; i++) {                              \
            const float *at = numbers + from + i * 4 * (WIDTH) % AHEAD; \
            V a = LOAD(at), b = LOAD(at + (WIDTH));                     \
            V c = LOAD(at + 2 * (WIDTH)), d = LOAD(at + 3 * (WIDTH));   \
                                                                        \
            __asm__ volatile("" ::"x"(a), "x"(b), "x"(c), "x"(d));      \
        }                                                               \
    }                                                                   \
    static void load_##NAME(void)                                       \
    {                                                                   \
        load_##NAME##_at(0);                                            \
    }                                                                   \
    static void load_beside_##NAME(void)                                \
    {                                                                   \
        load_##NAME##_at(1);                                            \
    }

enum { AHEAD = ELEMENTS / 2 };
LOAD_TESTS(256, AVX2, __m256, 8, _mm256_loadu_ps)
LOAD_TESTS(512, AVX512, __m512, 16, _mm512_loadu_ps)

AVX2 static void gather_256(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const __m256i at = _mm256_load_si256((__m256i *)(places + i * 8 % ELEMENTS));
        __m256 v = _mm256_i32gather_ps(numbers, at, 4);

        KEEP(v);
    }
}

AVX512 static void gather_512(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const __m512i at = _mm512_load_si512(places + i * 16 % ELEMENTS);
        __m512 v = _mm512_i32gather_ps(at, numbers, 4);

        KEEP(v);
    }
}

AVX512 static void scatter_512(void)
{
    __m512 v = _mm512_set1_ps(1);

    for (int i = 0; i < ROUNDS; i++) {
        const __m512i at = _mm512_load_si512(places + i * 16 % ELEMENTS);

        KEEP(v);
        _mm512_i32scatter_ps(results, at, v, 4);
    }
}

AVX512 static void masked_store_512(void)
{
    __m512 v = _mm512_set1_ps(1);

    for (int i = 0; i < ROUNDS; i++) {
        KEEP(v);
        _mm512_mask_store_ps(results + i * 16 % ELEMENTS, (__mmask16)(0x5a5a | i), v);
    }
}

AVX2 static void masked_store_256(void)
{
    const __m256i mask = _mm256_set_epi32(-1, 0, -1, 0, -1, -1, 0, -1);
    __m256 v = _mm256_set1_ps(1);

    for (int i = 0; i < ROUNDS; i++) {
        KEEP(v);
        _mm256_maskstore_ps(results + i * 8 % ELEMENTS, mask, v);
    }
}

// ---- the table

enum level { ANY, HAS_AVX2, HAS_AVX512 };

static const struct test {
    const char *name, *unit;
    void (*run)(void);
    void (*less)(void); // whose time is taken off, or NULL
    enum level level;
    unsigned per_round; // of the unit
} tests[] = {
    {"scalar", "instruction", scalar, NULL, ANY, 9},
    {"scalar_division", "division of floats", scalar_division, NULL, ANY, 4},
    {"integer_division", "division of 32 bits", integer_division, NULL, ANY, 4},
    {"long_division", "division of 64 bits", long_division, NULL, ANY, 4},
    {"element", "element loaded one by one", element_loads, NULL, ANY, 4},
    {"element_store", "element stored one by one", element_stores, NULL, ANY, 4},
    {"atomic", "locked addition", locked_add, NULL, ANY, 1},
    {"local_atomic", "plain addition in memory", plain_add, NULL, ANY, 1},
    {"missed", "branch, half of them guessed wrong", guesses, no_guesses, ANY, 1},
    {"wait", "vector loaded behind a store of an element", wait_for_element, NULL, ANY,
     1},
    {"vector_256", "register loaded, computed and stored", vector_256, NULL, HAS_AVX2, 1},
    {"load_256", "register loaded", load_256, NULL, HAS_AVX2, 4},
    {"load_beside_256", "register loaded, half of them from two lines", load_beside_256,
     NULL, HAS_AVX2, 4},
    {"division_256", "register of floats", division_256, NULL, HAS_AVX2, 2},
    {"gather_256", "element", gather_256, NULL, HAS_AVX2, 8},
    {"masked_store_256", "register", masked_store_256, NULL, HAS_AVX2, 1},
    {"vector_512", "register loaded, computed and stored", vector_512, NULL, HAS_AVX512,
     1},
    {"load_512", "register loaded", load_512, NULL, HAS_AVX512, 4},
    {"load_beside_512", "register loaded from two lines", load_beside_512, NULL,
     HAS_AVX512, 4},
    {"division_512", "register of floats", division_512, NULL, HAS_AVX512, 2},
    {"gather_512", "element", gather_512, NULL, HAS_AVX512, 16},
    {"scatter_512", "element", scatter_512, NULL, HAS_AVX512, 16},
    {"masked_store_512", "register", masked_store_512, NULL, HAS_AVX512, 1},
};

static double least_ns(void (*run)(void), int repetitions)
{
    uint64_t least = UINT64_MAX;

    run();
    for (int i = 0; i < repetitions; i++) {
        const uint64_t start = now_ns();
        uint64_t took;

        run();
        took = now_ns() - start;
        least = took < least ? took : least;
    }
    return (double)least / ROUNDS;
}

static enum level level_of_machine(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return HAS_AVX512;
    return __builtin_cpu_supports("avx2") ? HAS_AVX2 : ANY;
}

static void print_machine(void)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    const time_t now = time(NULL);

    strftime(line, sizeof(line), "%Y-%m-%d", gmtime(&now));
    printf("# %s", line);
    while (f && fgets(line, sizeof(line), f) && line[0] != '\n') {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "model name", 10) || !strncmp(line, "cpu family", 10) ||
            !strncmp(line, "model\t", 6))
            printf(", %s", strchr(line, ':') + 2);
    }
    printf("\n");
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    const int repetitions = argc > 1 ? atoi(argv[1]) : DEFAULT_REPETITIONS;
    const enum level level = level_of_machine();
    double cycle_ns;

    if (repetitions <= 0) {
        fprintf(stderr, "usage: measure_costs [repetitions]\n");
        return 2;
    }
    for (int i = 0; i < ELEMENTS; i++)
        places[i] = i * 389 % ELEMENTS;
    cycle_ns = least_ns(chain, repetitions) / 4;
    print_machine();
    printf("# a cycle: %.3f ns; tenths of a cycle for each\n", cycle_ns);
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        const struct test *t = &tests[i];
        double ns;

        if (t->level > level)
            continue;
        ns = least_ns(t->run, repetitions);
        if (t->less)
            ns -= least_ns(t->less, repetitions);
        printf("%-18s %5.0f  # %s\n", t->name, ns / t->per_round / cycle_ns * 10,
               t->unit);
    }
    return 0;
}
