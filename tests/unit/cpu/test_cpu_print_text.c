// SPDX-License-Identifier: MIT
// printf on the side of the run-time: records to text. (tests/kernels/printf_*.cl have
// the conversions.)
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "abi/print_record.h"
#include "base/alloc.h"
#include "devices/cpu/print/cpu_print_text.h"
#include "support/suite.h"

struct record {
    struct tf_print_record head;
    struct tf_print_arg arg;
    uint64_t value[16];
};

static struct record one_argument(const char *format, enum tf_print_kind kind,
                                  unsigned element_bytes, const void *value)
{
    struct record r = {.head = {.format = (uintptr_t)format,
                                .format_bytes = UINT64_MAX,
                                .arg_count = 1,
                                .bytes = sizeof(r.head) + sizeof(r.arg) + 8},
                       .arg = {.kind = (uint8_t)kind,
                               .width = 1,
                               .element_bytes = (uint8_t)element_bytes,
                               .value_bytes = element_bytes}};

    memcpy(r.value, value, element_bytes);
    return r;
}

static void expect(const struct record *r, bool ok, const char *expected)
{
    struct tf_str text = {0};
    char *taken;

    ck_assert_int_eq(tf_print_text(&text, r, r->head.bytes), ok);
    taken = tf_str_take(&text);
    ck_assert_str_eq(taken, expected);
    tf_free(taken);
}

START_TEST(pointers_are_their_address)
{
    const uint64_t address = 0x7f0012abcdefu;
    struct record r = one_argument("<%p>", TF_PRINT_POINTER, 8, &address);

    for (uint8_t space = 0; space <= 4; space++) {
        r.arg.space = space;
        expect(&r, true, "<0x7f0012abcdef>");
    }
}
END_TEST

START_TEST(halves_are_exact)
{
    static const struct {
        uint16_t bits;
        const char *text;
    } halves[] = {{0x3c00, "1"},     {0xbc00, "-1"}, {0x0001, "5.9604644775390625e-08"},
                  {0x7bff, "65504"}, {0x8000, "-0"}, {0x7c00, "inf"},
                  {0xfc00, "-inf"},  {0x7e00, "nan"}};

    for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
        const struct record r = one_argument("%.17g", TF_PRINT_FLOAT, 2, &halves[i].bits);

        expect(&r, true, halves[i].text);
    }
}
END_TEST

// The decimal point of the application's language is not OpenCL's.
START_TEST(locale_has_no_influence)
{
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    const double x = 1234.5;
    const struct record r = one_argument("%.2f", TF_PRINT_FLOAT, 8, &x);
    bool found = false;

    for (size_t i = 0; i < 3 && !found; i++)
        found = setlocale(LC_ALL, with_comma[i]) != NULL;
    expect(&r, true, "1234.50");
    if (found) {
        char text[32];

        snprintf(text, sizeof(text), "%.1f", x);
        ck_assert_str_eq(text, "1234,5"); // and the thread's locale is as it was
        setlocale(LC_ALL, "C");
    }
}
END_TEST

START_TEST(formats_are_read_within_their_bounds)
{
    const int32_t x = 5;
    struct record r = one_argument("ab%d", TF_PRINT_INTEGER, 4, &x);

    r.head.format_bytes = 3; // ends inside the conversion
    expect(&r, false, "ab%");
    r.head.format_bytes = 2;
    expect(&r, true, "ab");
    r.head.format_bytes = 0;
    expect(&r, true, "");
    r.head.format = 0;
    expect(&r, false, "");
}
END_TEST

START_TEST(absurd_widths_are_refused)
{
    const int32_t x = 5;
    struct record r = one_argument("%2000000000d", TF_PRINT_INTEGER, 4, &x);

    expect(&r, false, "%2000000000d");
}
END_TEST

START_TEST(long_texts_are_whole)
{
    const double x = 1e300;
    const struct record r = one_argument("%400.200f", TF_PRINT_FLOAT, 8, &x);
    struct tf_str text = {0};

    ck_assert(tf_print_text(&text, &r, r.head.bytes));
    ck_assert_uint_eq(text.bytes, 301 + 1 + 200);
    tf_str_finish(&text);
}
END_TEST

START_TEST(no_memory_is_an_error)
{
    const double x = 1e300;
    const struct record r = one_argument("%400.200f", TF_PRINT_FLOAT, 8, &x);
    long n = 0;
    bool ok = false;

    for (; !ok && n < 100; n++) {
        struct tf_str text = {0};

        tf_alloc_fail_at(n);
        ok = tf_print_text(&text, &r, r.head.bytes);
        tf_alloc_fail_at(-1);
        tf_str_finish(&text);
    }
    ck_assert(ok);
#ifdef TF_DEBUG
    ck_assert_int_gt(n, 1);
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_print_text");
    TCase *tcase = tcase_create("text");

    tcase_add_test(tcase, pointers_are_their_address);
    tcase_add_test(tcase, halves_are_exact);
    tcase_add_test(tcase, locale_has_no_influence);
    tcase_add_test(tcase, formats_are_read_within_their_bounds);
    tcase_add_test(tcase, absurd_widths_are_refused);
    tcase_add_test(tcase, long_texts_are_whole);
    tcase_add_test(tcase, no_memory_is_an_error);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
