// SPDX-License-Identifier: MIT
// Accuracy of the math and common functions of every type and width: edge numbers,
// numbers of all sizes and bit patterns against MPFR, in units in the last place. The
// forms for vectors must give the scalar form's bits. Edges of the result (NaN, infinity,
// the sign of a zero) count as infinitely wrong where they are not as they should be.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "builtins/reference/math_reference.h"
#include "builtins/support/calls.h"
#include "builtins/support/digest.h"
#include "builtins/support/inputs.h"
#include "builtins/support/names.h"
#include "support/suite.h"

enum {
    CHUNK = 32 * CALLS_UNIT,
    ALL_HALVES = 86 * CALLS_UNIT, // 65,536 and what makes them whole groups
};

static struct names names;

struct worst {
    double error;
    char where[160];
};

// One family at work: arrays of a chunk.
struct checked {
    const struct family *family;
    const struct math_reference *reference;
    const struct element *ret, *second;
    struct calls calls;
    void *args[FAMILY_ARGS];
    const void *results, *seconds; // of the scalar form
    mpfr_t x[3], want, scale;
    struct worst worst;
};

// The families of the modules that have references for real numbers.
static bool is_ours(const struct family *f)
{
    return !calls_geometric(f) &&
           (!strncmp(f->module, "math_", 5) || !strncmp(f->module, "half_", 5) ||
            !strcmp(f->module, "common"));
}

static int real_arguments(const struct family *f)
{
    int count = 0;

    for (int a = 0; a < f->args; a++)
        count += !f->arg[a].space[0];
    return count;
}

static size_t points_of(const struct family *f)
{
    const struct element *e = element_find(f->arg[0].element);
    const int args = real_arguments(f);

    if (!inputs_full())
        return e->bits == 16 && args == 1 ? 4 * CALLS_UNIT : 8 * CALLS_UNIT;
    if (e->bits == 16 && args == 1)
        return ALL_HALVES;
    return (inputs_full() + CALLS_UNIT - 1) / CALLS_UNIT * CALLS_UNIT;
}

static void how_text(const struct family *f, char *text, size_t bytes)
{
    const struct element *e = element_find(f->arg[0].element);
    const size_t points = points_of(f);

    if (points == ALL_HALVES)
        snprintf(text, bytes, "all numbers");
    else
        snprintf(text, bytes, "edges and %zu numbers%s", points,
                 real_arguments(f) == 1 && e->bits <= 32 ? " over all bit patterns" : "");
}

static void describe(const struct checked *c, size_t i, char *text, size_t bytes)
{
    char number[64];
    size_t at = 0;

    text[0] = 0;
    for (int a = 0; a < c->family->args; a++) {
        const struct element *e = element_find(c->family->arg[a].element);

        if (c->args[a])
            at += (size_t)snprintf(text + at, bytes - at, "%s%s", at ? ", " : "",
                                   number_text(e, element_get(e, c->args[a], i), number));
    }
}

// Of one result, in ulp.
static double error_of(const struct checked *c, const struct element *e,
                       struct number got, bool exact)
{
    const struct math_reference *ref = c->reference;
    struct number want;

    if (e->kind != 'f')
        return got.whole == mpfr_get_sj(c->want, MPFR_RNDN) ? 0 : (double)INFINITY;
    if (ref->either_zero && got.real == 0 && real_round(e, c->want) == 0)
        return 0;
    if (!exact)
        return real_error(e, got.real, c->want, ref->scale ? c->scale : NULL);
    want.real = real_round(e, c->want);
    if (number_same(e, got, want))
        return 0;
    const double error = real_error(e, got.real, c->want, NULL);
    return error > 0.5 ? error : (double)INFINITY;
}

static void check_point(struct checked *c, size_t i, double allowed, bool exact)
{
    const struct math_reference *ref = c->reference;
    const struct element *e = element_find(c->family->arg[0].element);
    mpfr_srcptr x[3] = {c->x[0], c->x[1], c->x[2]};
    struct number got = element_get(c->ret, c->results, i);
    char text[160], number[64];
    double error;
    int count = 0;

    for (int a = 0; a < c->family->args; a++)
        if (c->args[a]) {
            const struct element *type = element_find(c->family->arg[a].element);
            const struct number n = element_get(type, c->args[a], i);

            if (type->kind == 'f')
                mpfr_set_d(c->x[count++], n.real, MPFR_RNDN);
            else
                mpfr_set_sj(c->x[count++], (intmax_t)n.whole, MPFR_RNDN);
        }
    if (ref->valid && !ref->valid(x))
        return;
    mpfr_set_prec(c->want, REAL_BITS);
    real_sticky(c->want, math_reference_value(ref, c->want, x, e));
    if (ref->scale)
        ref->scale(c->scale, x, e);
    error = error_of(c, c->ret, got, exact);
    if (isinf(error) && allowed == (double)INFINITY)
        error = 0; // the edges of native functions are as they are
    if (error > c->worst.error) {
        c->worst.error = error;
        describe(c, i, c->worst.where, sizeof c->worst.where);
    }
    if (!(error <= allowed)) {
        describe(c, i, text, sizeof text);
        ck_abort_msg("%s(%s) of %s is %s, not %a: %g ulp, allowed %g", c->family->name,
                     text, c->family->arg[0].element, number_text(c->ret, got, number),
                     mpfr_get_d(c->want, MPFR_RNDN), error, allowed);
    }
    if (!ref->second)
        return;
    mpfr_set_prec(c->want, REAL_BITS);
    real_sticky(c->want, ref->second(c->want, x, e));
    got = element_get(c->second, c->seconds, i);
    error = error_of(c, c->second, got, ref->second_ulp == 0);
    if (!(error <= ref->second_ulp)) {
        describe(c, i, text, sizeof text);
        ck_abort_msg("%s(%s) of %s puts %s, not %a: %g ulp", c->family->name, text,
                     c->family->arg[0].element, number_text(c->second, got, number),
                     mpfr_get_d(c->want, MPFR_RNDN), error);
    }
}

static void check_same(const struct checked *c, int variant, const struct element *e,
                       const void *scalar, const void *vector)
{
    char text[200], where[160], a[64], b[64];

    for (size_t i = 0; i < c->calls.points; i++) {
        const struct number one = element_get(e, scalar, i),
                            other = element_get(e, vector, i);

        if (number_same(e, one, other))
            continue;
        describe(c, i, where, sizeof where);
        ck_abort_msg("%s at %s gives %s, but the scalar form %s",
                     calls_text(c->family, variant, text), where,
                     number_text(e, other, a), number_text(e, one, b));
    }
}

static double allowed_error(const struct checked *c)
{
    const char *ulp = c->family->ulp;

    if (!strcmp(ulp, "native"))
        return INFINITY;
    if (!strcmp(ulp, "exact"))
        return 0;
    if (strcmp(ulp, "defined"))
        return atof(ulp);
    ck_assert_msg(c->reference->scaled_ulp > 0, "%s has no error bound", c->family->name);
    return c->reference->scaled_ulp;
}

static void check_chunk(struct checked *c, size_t first, size_t total)
{
    const size_t points = c->calls.points;
    const double allowed = allowed_error(c);
    const bool exact = !strcmp(c->family->ulp, "exact");
    char text[200];

    inputs_fill(c->family, first, points, total, c->args);
    for (int a = 0; a < c->family->args; a++)
        if (c->args[a])
            calls_set(&c->calls, a, c->args[a]);
    calls_run(&c->calls);
    c->results = calls_result(&c->calls, 0, 0);
    c->seconds = c->second ? calls_second(&c->calls, 0, 0) : NULL;
    digest_add(calls_text(c->family, 0, text), c->ret, c->results, points);
    if (c->second)
        digest_add(text, c->second, c->seconds, points);
    for (size_t i = 0; i < points && !digest_only(); i++)
        check_point(c, i, allowed, exact);
    for (int v = 1; v < c->family->variants; v++) {
        if (!calls_wanted(c->family, v))
            continue;
        check_same(c, v, c->ret, c->results, calls_result(&c->calls, 0, v));
        if (c->second)
            check_same(c, v, c->second, c->seconds, calls_second(&c->calls, 0, v));
    }
}

static void check_family(struct session *s, const struct family *f)
{
    const int pointer = calls_pointer(f);
    const size_t total = points_of(f), chunk = total < CHUNK ? total : CHUNK;
    struct checked c = {.family = f, .reference = math_reference_find(f->name)};
    char how[80];

    ck_assert_msg(calls_possible(f), "%s cannot be called", f->name);
    ck_assert_msg(c.reference, "%s has no reference", f->name);
    c.ret = element_find(f->ret);
    c.second = pointer < 0 ? NULL : element_find(f->arg[pointer].element);
    mpfr_inits(c.x[0], c.x[1], c.x[2], c.want, c.scale, (mpfr_ptr)0);
    for (int a = 0; a < f->args; a++)
        c.args[a] = a == pointer ? NULL : calloc(chunk, 8);
    calls_open(&c.calls, s, &f, 1, chunk, "");
    for (size_t first = 0; first < total; first += chunk)
        check_chunk(&c, first, total);
    if (getenv("TF_TEST_VERBOSE"))
        printf("%-12s %-6s %8.3f of %s\n", f->name, f->arg[0].element, c.worst.error,
               f->ulp);
    how_text(f, how, sizeof how);
    if (pointer < 0 || !strcmp(f->arg[pointer].space, "private"))
        accuracy_add(f->name, f->arg[0].element, c.worst.error, c.worst.where, how);
    calls_close(&c.calls);
    mpfr_clears(c.x[0], c.x[1], c.x[2], c.want, c.scale, (mpfr_ptr)0);
    for (int a = 0; a < f->args; a++)
        free(c.args[a]);
}

START_TEST(function_is_within_its_error_bound)
{
    struct session session;

    real_open();
    session_open(&session);
    for (const struct family *f = families; f->name; f++)
        if (is_ours(f) && names_wanted(f, names.name[_i]) &&
            session_has(&session, f->ret) && session_has(&session, f->arg[0].element))
            check_family(&session, f);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: math");
    TCase *functions = tcase_create("functions");

    digest_begin();
    names_collect(&names, is_ours);
    tcase_set_timeout(functions, inputs_full() ? 7200 : 300);
    tcase_add_loop_test(functions, function_is_within_its_error_bound, 0, names.count);
    suite_add_tcase(suite, functions);
    return tf_run_suite(suite);
}
