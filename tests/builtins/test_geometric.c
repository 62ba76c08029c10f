// SPDX-License-Identifier: MIT
// Geometric functions of every type and width against MPFR. dot and cross are bound by
// the size of their products (OpenCL C 7.4: absolute errors), the others by ulp of the
// result.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "builtins/reference/real.h"
#include "builtins/support/calls.h"
#include "builtins/support/inputs.h"
#include "support/suite.h"

// OTHER_ULP is allowed where the library names no bound, of half.
enum { POINTS = 8 * CALLS_UNIT, DIMS = 4, OTHER_ULP = 4 };

// One call: vectors as MPFR numbers.
struct call {
    const struct family *family;
    const struct element *e;
    unsigned dims;
    double x[2][DIMS];
    mpfr_t want[DIMS], part, sum;
};

static struct session session;

static double largest(const struct call *c, int arg)
{
    double most = 0;

    for (unsigned i = 0; i < c->dims; i++)
        most = fmax(most, fabs(c->x[arg][i]));
    return most;
}

static bool any_nan(const struct call *c)
{
    for (unsigned i = 0; i < 2 * DIMS; i++)
        if (isnan(c->x[i / DIMS][i % DIMS]))
            return true;
    return false;
}

// Whether no square or product of elements over- or underflows in the type.
static bool is_moderate(const struct call *c)
{
    const double most = fmax(largest(c, 0), largest(c, 1));
    double least = INFINITY;

    for (unsigned i = 0; i < 2 * DIMS; i++) {
        const double x = fabs(c->x[i / DIMS][i % DIMS]);

        least = x > 0 && x < least ? x : least;
    }
    return most < sqrt(real_most(c->e)) / 4 &&
           (least == INFINITY || least > 4 * sqrt(real_normal(c->e)));
}

static void dot_of(struct call *c)
{
    mpfr_set_zero(c->want[0], 1);
    for (unsigned i = 0; i < c->dims; i++) {
        mpfr_set_d(c->part, c->x[0][i], MPFR_RNDN);
        mpfr_mul_d(c->part, c->part, c->x[1][i], MPFR_RNDN);
        mpfr_add(c->want[0], c->want[0], c->part, MPFR_RNDN);
    }
}

static void cross_of(struct call *c)
{
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;

        mpfr_set_d(c->want[i], c->x[0][j], MPFR_RNDN);
        mpfr_mul_d(c->want[i], c->want[i], c->x[1][k], MPFR_RNDN);
        mpfr_set_d(c->part, c->x[0][k], MPFR_RNDN);
        mpfr_mul_d(c->part, c->part, c->x[1][j], MPFR_RNDN);
        mpfr_sub(c->want[i], c->want[i], c->part, MPFR_RNDN);
    }
    mpfr_set_zero(c->want[3], 1);
}

// c->sum becomes the length of x, or of the difference of both.
static void length_of(struct call *c, bool of_difference)
{
    mpfr_set_zero(c->sum, 1);
    for (unsigned i = 0; i < c->dims; i++) {
        mpfr_set_d(c->part, c->x[0][i], MPFR_RNDN);
        if (of_difference)
            mpfr_sub_d(c->part, c->part, c->x[1][i], MPFR_RNDN);
        mpfr_sqr(c->part, c->part, MPFR_RNDN);
        mpfr_add(c->sum, c->sum, c->part, MPFR_RNDN);
    }
    mpfr_sqrt(c->sum, c->sum, MPFR_RNDN);
}

// The direction of a vector with infinite elements is that of those alone; a vector of
// zeros stays.
static void normalize_of(struct call *c)
{
    const bool infinite = isinf(largest(c, 0));

    for (unsigned i = 0; infinite && i < c->dims; i++)
        c->x[0][i] = copysign(isinf(c->x[0][i]) ? 1 : 0, c->x[0][i]);
    length_of(c, false);
    for (unsigned i = 0; i < c->dims; i++) {
        mpfr_set_d(c->want[i], c->x[0][i], MPFR_RNDN);
        if (!mpfr_zero_p(c->sum))
            mpfr_div(c->want[i], c->want[i], c->sum, MPFR_RNDN);
    }
}

// Sets c->want; false: no result is defined, or none of this size is asked for.
static bool reference(struct call *c)
{
    const char *name = c->family->name;
    const bool fast = !strncmp(name, "fast_", 5);

    if (any_nan(c) ||
        ((fast || !strcmp(name, "dot") || !strcmp(name, "cross")) && !is_moderate(c)))
        return false;
    name += fast ? 5 : 0;
    if (!strcmp(name, "dot"))
        dot_of(c);
    else if (!strcmp(name, "cross"))
        cross_of(c);
    else if (!strcmp(name, "normalize"))
        normalize_of(c);
    else if (!strcmp(name, "length") || !strcmp(name, "distance")) {
        if (!strcmp(name, "distance") && isinf(largest(c, 0)) && isinf(largest(c, 1)))
            return false;
        length_of(c, !strcmp(name, "distance"));
        // A difference that overflows in the type may be infinite.
        if (!strcmp(name, "distance") &&
            largest(c, 0) + largest(c, 1) > real_most(c->e) && !isinf(largest(c, 0)) &&
            !isinf(largest(c, 1)))
            return false;
        mpfr_set(c->want[0], c->sum, MPFR_RNDN);
    } else
        ck_abort_msg("%s has no reference", name);
    return true;
}

// Allowed for dot and cross: an ulp of the largest product for each operation.
static double absolute_error(const struct call *c)
{
    const double products = largest(c, 0) * largest(c, 1);
    const double operations = strcmp(c->family->name, "dot") ? 3 : 2.0 * c->dims - 1;

    return products * operations * ldexp(1, 1 - c->e->digits);
}

static void check_element(const struct call *c, int variant, unsigned i, double got)
{
    const char *ulp = c->family->ulp;
    char text[200];
    const bool products =
        !strcmp(c->family->name, "dot") || !strcmp(c->family->name, "cross");
    double error, allowed = strcmp(ulp, "defined") ? atof(ulp) : OTHER_ULP;

    if (products) {
        error = fabs(got - mpfr_get_d(c->want[i], MPFR_RNDN));
        allowed = absolute_error(c);
    } else if (got == 0 && mpfr_zero_p(c->want[i]))
        error = 0;
    else
        error = real_error(c->e, got, c->want[i], NULL);
    if (!(error <= allowed))
        ck_abort_msg("%s of (%a %a %a %a) and (%a %a %a %a), element %u: %a, not %a: %g, "
                     "allowed %g",
                     calls_text(c->family, variant, text), c->x[0][0], c->x[0][1],
                     c->x[0][2], c->x[0][3], c->x[1][0], c->x[1][1], c->x[1][2],
                     c->x[1][3], i, got, mpfr_get_d(c->want[i], MPFR_RNDN), error,
                     allowed);
}

static void check_variant(struct call *c, const struct calls *calls, int v,
                          void *const args[])
{
    const struct family *f = c->family;
    const size_t widest = calls_widest(f, v);
    const void *results = calls_result(calls, 0, v);

    for (size_t item = 0; item < POINTS / widest; item++) {
        memset(c->x, 0, sizeof c->x);
        c->dims = f->width[v][1];
        for (int a = 0; a < f->args; a++)
            for (unsigned i = 0; i < c->dims; i++)
                c->x[a][i] = element_get(c->e, args[a], item * widest + i).real;
        if (!reference(c))
            continue;
        for (unsigned i = 0; i < f->width[v][0]; i++)
            check_element(c, v, i, element_get(c->e, results, item * widest + i).real);
    }
}

static void check_family(const struct family *f)
{
    struct call c = {.family = f, .e = element_find(f->arg[0].element)};
    struct calls calls;
    void *args[FAMILY_ARGS] = {0};

    ck_assert_msg(calls_possible(f), "%s cannot be called", f->name);
    mpfr_inits2(4300, c.want[0], c.want[1], c.want[2], c.want[3], c.part, c.sum,
                (mpfr_ptr)0);
    for (int a = 0; a < f->args; a++)
        args[a] = calloc(POINTS, 8);
    inputs_fill(f, 0, POINTS, POINTS, args);
    calls_open(&calls, &session, &f, 1, POINTS, "");
    for (int a = 0; a < f->args; a++)
        calls_set(&calls, a, args[a]);
    calls_run(&calls);
    for (int v = 0; v < f->variants; v++)
        if (calls_wanted(f, v))
            check_variant(&c, &calls, v, args);
    calls_close(&calls);
    for (int a = 0; a < f->args; a++)
        free(args[a]);
    mpfr_clears(c.want[0], c.want[1], c.want[2], c.want[3], c.part, c.sum, (mpfr_ptr)0);
}

START_TEST(functions_are_within_their_error_bounds)
{
    static const char *const types[] = {"float", "double", "half"};

    real_open();
    session_open(&session);
    for (const struct family *f = families; f->name; f++)
        if (calls_geometric(f) && !strcmp(f->arg[0].element, types[_i]) &&
            session_has(&session, types[_i]))
            check_family(f);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: geometric");
    TCase *functions = tcase_create("functions");

    tcase_set_timeout(functions, 300);
    tcase_add_loop_test(functions, functions_are_within_their_error_bounds, 0, 3);
    suite_add_tcase(suite, functions);
    return tf_run_suite(suite);
}
