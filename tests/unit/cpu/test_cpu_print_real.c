// SPDX-License-Identifier: MIT
// Real numbers as text: the same as the C library's, on a small stack.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <check.h>

#include "devices/cpu/print/cpu_print_real.h"
#include "support/suite.h"

// The formats are made here.
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

enum { ROOM = 20000 };

static char *put(char *to, char c, size_t count)
{
    memset(to, c, count);
    return to + count;
}

static char *put_bytes(char *to, const char *from, size_t count)
{
    if (count) // from is NULL otherwise
        memcpy(to, from, count);
    return to + count;
}

// As snprintf with %<conversion>.
static void write_text(char *to, char conversion, int precision, bool alternative,
                       double x)
{
    struct tf_real_text text;
    const char *const start = to;

    tf_real_format(&text, conversion, precision, alternative, x);
    if (strchr("aA", conversion) && isfinite(x))
        to = put_bytes(to, conversion == 'a' ? "0x" : "0X", 2);
    const size_t prefix_bytes = (size_t)(to - start);
    to = put_bytes(to, text.whole, text.whole_count);
    to = put(to, '.', text.has_point);
    to = put(to, '0', text.zeros_before);
    to = put_bytes(to, text.fraction, text.fraction_count);
    to = put(to, '0', text.zeros_after);
    to = put_bytes(to, text.exponent, strlen(text.exponent));
    *to = '\0';
    ck_assert_uint_eq(tf_real_bytes(&text), (size_t)(to - start) - prefix_bytes);
}

static int library_text(char *to, char conversion, int precision, bool alternative,
                        double x)
{
    char format[8];

    snprintf(format, sizeof(format), "%%%s.*%c", alternative ? "#" : "", conversion);
    return snprintf(to, ROOM, format, precision, x);
}

// %#g by its definition in C: glibc 2.36 drops a zero where the digits carry (99.5, 2).
static int general_text(char *to, char conversion, int precision, double x)
{
    const char style = conversion == 'g' ? 'e' : 'E';
    const int digits = precision < 0 ? 6 : precision == 0 ? 1 : precision;
    const int bytes = library_text(to, style, digits - 1, true, x);
    int exponent;

    if (!isfinite(x))
        return bytes;
    exponent = atoi(strchr(to, style) + 1);
    return exponent < -4 || exponent >= digits
               ? bytes
               : library_text(to, 'f', digits - 1 - exponent, true, x);
}

static void compare(char conversion, int precision, bool alternative, double x)
{
    static char own[ROOM], library[ROOM];
    const int bytes = alternative && strchr("gG", conversion)
                          ? general_text(library, conversion, precision, x)
                          : library_text(library, conversion, precision, alternative, x);

    ck_assert_int_lt(bytes, ROOM);
    write_text(own, conversion, precision, alternative, x);
    ck_assert_msg(!strcmp(own, library), "%%%s%c of %a, precision %d: %.60s, not %.60s",
                  alternative ? "#" : "", conversion, x, precision, own, library);
}

static void compare_all(int precision, double x)
{
    for (const char *c = "fFeEgGaA"; *c; c++) {
        compare(*c, precision, false, x);
        compare(*c, precision, true, x);
    }
}

static double double_of(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11 ^ *state << 42;
}

static const double special[] = {
    0,           0.5,    1.5,       2.5,         0.05,     0.25,     0.75,      0.125,
    9.5,         99.5,   999.5,     9.9999,      0.99996,  99999.95, 999999.5,  1e5,
    1e6,         1e-4,   9.9999e-5, 1e22,        1e23,     0x1p53,   0x1p-1074, 1e300,
    0x1.fp-1023, 1e-310, 0x1p100,   0x1.999ap-4, INFINITY, NAN};

START_TEST(special_numbers_are_those_of_the_library)
{
    const size_t count = sizeof(special) / sizeof(special[0]);

    for (size_t i = 0; i < count; i++)
        for (int precision = -1; precision < 40; precision++)
            compare_all(precision, special[i]);
}
END_TEST

START_TEST(random_numbers_are_those_of_the_library)
{
    uint64_t state = 1;

    for (int i = 0; i < 4000; i++) {
        const double any = fabs(double_of(next_random(&state)));
        const double plain = (double)(next_random(&state) % 2000000) / 256;
        const int precision = (int)(next_random(&state) % 24) - 1;

        compare_all(precision, any);
        compare_all(precision, plain);
        compare_all(precision, (double)(float)plain);
    }
}
END_TEST

START_TEST(long_precisions_are_exact)
{
    static const int precisions[] = {60, 330, 766, 767, 768, 1073, 1074, 1075, 16000};
    static const double numbers[] = {0,   0x1p-1074, 0x1.fffffffffffffp-1023,
                                     0.1, 1e308,     0x1.fffffffffffffp+1023};

    for (size_t i = 0; i < sizeof(precisions) / sizeof(precisions[0]); i++)
        for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
            compare_all(precisions[i], numbers[n]);
}
END_TEST

// ---- Stack ----

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { STACK_BYTES = 64 << 10, MOST_BYTES = 4 << 10 };

static ucontext_t caller, small;

static void format_the_longest(void)
{
    static struct tf_real_text text;

    for (const char *c = "fega"; *c; c++) {
        tf_real_format(&text, *c, 1 << 20, true, 0x1.fffffffffffffp-1023);
        tf_real_format(&text, *c, 1 << 20, true, 0x1.fffffffffffffp+1023);
    }
}

static void run_on(char *stack)
{
    getcontext(&small);
    small.uc_stack.ss_sp = stack;
    small.uc_stack.ss_size = STACK_BYTES;
    small.uc_link = &caller;
    makecontext(&small, format_the_longest, 0);
    swapcontext(&caller, &small);
}

static size_t count_untouched(const char *stack)
{
    size_t count = 0;

    while (stack[count] == 0x5a)
        count++;
    return count;
}

START_TEST(little_stack_is_used)
{
    char *const stack = malloc(STACK_BYTES);

    ck_assert_ptr_nonnull(stack);
    memset(stack, 0x5a, STACK_BYTES);
    run_on(stack);
    ck_assert_uint_gt(count_untouched(stack), STACK_BYTES - MOST_BYTES);
    free(stack);
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("cpu_print_real");
    TCase *tcase = tcase_create("text");

    tcase_add_test(tcase, special_numbers_are_those_of_the_library);
    tcase_add_test(tcase, random_numbers_are_those_of_the_library);
    tcase_add_test(tcase, long_precisions_are_exact);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(tcase, little_stack_is_used);
#endif
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
