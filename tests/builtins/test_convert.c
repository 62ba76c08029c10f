// SPDX-License-Identifier: MIT
// convert_<type>[_sat][_mode] from every type to every type in all widths, against
// conversions of long double, which holds all numbers of all types.
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "builtins/support/calls.h"
#include "builtins/support/inputs.h"
#include "support/suite.h"

static const char *const type_names[] = {"char", "uchar", "short", "ushort",
                                         "int",  "uint",  "long",  "ulong",
                                         "half", "float", "double"};
enum {
    TYPES = sizeof type_names / sizeof *type_names,
    INTEGERS = 8,
    MAX_POINTS = 86 * CALLS_UNIT, // 2^16 and more
};

static struct session session;

static long double value_of(const struct element *e, const void *array, size_t i)
{
    const struct number n = element_get(e, array, i);

    return e->kind == 'f' ? (long double)n.real : (long double)n.whole;
}

static long double to_whole(long double x, const struct element *to, int rounding)
{
    const long double least = (long double)element_least(to),
                      most = (long double)element_most(to);

    if (isnan(x))
        return 0;
    fesetround(rounding);
    volatile long double in = x;
    x = rintl(in);
    fesetround(FE_TONEAREST);
    return x < least ? least : x > most ? most : x;
}

// All numbers of 16 bits.
static size_t points_of(const struct element *from)
{
    return from->bits == 16 ? MAX_POINTS : (size_t)8 * CALLS_UNIT;
}

// Near the limits of an integer type.
static struct number near_limit(const struct element *from, uint64_t bits)
{
    const struct element *near = element_find(type_names[bits % INTEGERS]);
    const wide limit = bits >> 8 & 1 ? element_most(near) : element_least(near);

    return (struct number){
        .whole = limit + (int)(bits >> 16 & 7) - 4,
        .real =
            real_nearest(from, (double)limit + (double)(int)(bits >> 16 & 15) / 2 - 4),
    };
}

// A number of the type `to`, the middle between it and the next one, or a neighbour of
// either: where roundings differ.
static struct number near_border(const struct element *from, const struct element *to,
                                 uint64_t bits)
{
    const uint64_t pattern = inputs_random(bits, 6);
    const struct number a = number_from_bits(to, pattern),
                        b = number_from_bits(to, pattern + 1);
    const bool middle = bits >> 8 & 1;
    const int step = (int)(bits >> 16 & 3) - 1;
    struct number n = {0};

    if (!isfinite(a.real) || !isfinite(b.real))
        return n;
    n.real = middle ? a.real + (b.real - a.real) / 2 : a.real;
    n.whole = fabs(n.real) < 0x1p64 ? (wide)n.real + step : step;
    if (from->kind != 'f')
        return n;
    n.real = real_nearest(from, n.real);
    return number_from_bits(from, number_bits(from, n) + (uint64_t)step);
}

// Numbers of type `from`: its edges and random ones, then the limits of the integer types
// and their surroundings, and the borders between numbers of `to`. In range of `to`
// unless the conversion saturates.
static void make_numbers(const struct family *f, void *array, const struct element *to,
                         bool saturates)
{
    const struct element *from = element_find(f->arg[0].element);
    const size_t points = points_of(from);
    void *const arrays[FAMILY_ARGS] = {array};

    inputs_fill(f, 0, points, points, arrays);
    for (size_t i = points / 2; from->bits != 16 && i < points; i++) {
        const uint64_t bits = inputs_random(i, 5);

        element_set(from, array, i,
                    bits >> 40 & 3 && to->kind == 'f' ? near_border(from, to, bits)
                                                      : near_limit(from, bits));
    }
    for (size_t i = 0; i < points; i++) {
        const long double x = value_of(from, array, i);

        if (!saturates && to->kind != 'f' &&
            !(ceill(x) <= (long double)element_most(to) &&
              floorl(x) >= (long double)element_least(to)))
            element_set_bits(from, array, i, 0);
    }
}

static void check_variant(const struct calls *c, int k, int v, const void *in)
{
    const struct family *f = c->families[k];
    const struct element *from = element_find(f->arg[0].element),
                         *to = element_find(f->ret);
    const int rounding =
        real_rounding(f->name, to->kind == 'f' ? FE_TONEAREST : FE_TOWARDZERO);
    const void *out = calls_result(c, k, v);
    const size_t points = points_of(from);
    char text[200];

    for (size_t i = 0; i < points; i++) {
        const long double x = value_of(from, in, i), got = value_of(to, out, i);
        const long double want =
            to->kind == 'f' ? real_directed(to, x, rounding) : to_whole(x, to, rounding);

        if (got != want && !(isnan(got) && isnan(want)))
            ck_abort_msg("%s of %La is %La, not %La", calls_text(f, v, text), x, got,
                         want);
    }
}

// All conversions between two types that saturate, or all that do not.
static void check_pair(const struct element *from, const struct element *to,
                       bool saturates)
{
    static char in[MAX_POINTS * 8];
    const struct family *list[CALLS_FAMILIES];
    struct calls calls;
    int count = 0;

    for (const struct family *f = families; f->name; f++)
        if (!strcmp(f->module, "convert") && !strcmp(f->ret, to->name) &&
            !strcmp(f->arg[0].element, from->name) &&
            saturates == !!strstr(f->name, "_sat")) {
            ck_assert_int_lt(count, CALLS_FAMILIES);
            list[count++] = f;
        }
    ck_assert_int_eq(count, saturates && to->kind == 'f' ? 0 : 5);
    if (!count)
        return;
    make_numbers(list[0], in, to, saturates);
    calls_open(&calls, &session, list, count, points_of(from), "");
    calls_set(&calls, 0, in);
    calls_run(&calls);
    for (int k = 0; k < count; k++)
        for (int v = 0; v < list[k]->variants; v++)
            if (calls_wanted(list[k], v))
                check_variant(&calls, k, v, in);
    calls_close(&calls);
}

START_TEST(conversions_to_type_are_exact)
{
    session_open(&session);
    for (int from = 0; from < TYPES; from++)
        if (session_has(&session, type_names[from]) &&
            session_has(&session, type_names[_i])) {
            check_pair(element_find(type_names[from]), element_find(type_names[_i]),
                       false);
            check_pair(element_find(type_names[from]), element_find(type_names[_i]),
                       true);
        }
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: convert");
    TCase *conversions = tcase_create("convert");

    tcase_set_timeout(conversions, 300);
    tcase_add_loop_test(conversions, conversions_to_type_are_exact, 0, TYPES);
    suite_add_tcase(suite, conversions);
    return tf_run_suite(suite);
}
