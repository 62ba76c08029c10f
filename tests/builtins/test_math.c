// SPDX-License-Identifier: MIT
// Accuracy of the math functions, float and double: special values, numbers of all sizes
// and numbers near 1 against long double references, in units in the last place. The
// forms for vectors of all widths must give the scalar form's bits.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "reference.h"
#include "session.h"
#include "support/suite.h"

enum { POINTS = 48 * 512 };

static const int widths[] = {2, 3, 4, 8, 16};
enum { WIDTHS = sizeof widths / sizeof *widths };

static struct session session;

static uint64_t random_bits(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double number_from_bits(bool is_double)
{
    const uint64_t bits = random_bits();
    const uint32_t low = (uint32_t)bits;
    double d;
    float f;

    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    return is_double ? d : f;
}

// Number `i` of the sample: the special ones first, then of all sizes, then ordinary
// ones.
static double sample(int i, bool is_double)
{
    static const double edges[] = {0,    0.25, 0.5,    1,    1.5,  2,    2.5,    3,
                                   4,    7,    10,     16,   22.5, 88.5, 100,    127,
                                   1e-3, 1e-7, 0x1p23, 1e10, 1e20, 1e38, 0x1p24, 0x1p31};
    enum { EDGES = sizeof edges / sizeof *edges };
    const double least = is_double ? DBL_TRUE_MIN : FLT_TRUE_MIN;
    const double normal = is_double ? DBL_MIN : FLT_MIN;
    const double most = is_double ? DBL_MAX : FLT_MAX;
    const double ends[] = {least, normal, normal - least, most, INFINITY, NAN};
    const double uniform = (double)(random_bits() >> 11) * 0x1p-53;
    const double sign = random_bits() & 1 ? 1 : -1;
    double value;

    if (i < 2 * EDGES)
        value = i & 1 ? -edges[i / 2] : edges[i / 2];
    else if (i < 2 * EDGES + 12)
        value = (i & 1 ? -1 : 1) * ends[(i - 2 * EDGES) / 2];
    else if (i % 4 == 0)
        value = number_from_bits(is_double);
    else if (i % 4 == 1)
        value = sign * ldexp(1 + uniform, (int)(random_bits() % 17) - 8);
    else if (i % 4 == 2)
        value = sign * uniform;
    else
        value = sign * 100 * uniform;
    return is_double ? value : (double)(float)value;
}

enum { SPECIALS = 60 }; // sample() has this many special numbers

// Fills the arguments: all pairs of special numbers, then independent samples.
static void make_arguments(const struct math_case *c, bool is_double, double *x,
                           double *y)
{
    for (int i = 0; i < POINTS; i++) {
        const bool pair = c->args[1] && i < SPECIALS * SPECIALS;

        x[i] = sample(pair ? i / SPECIALS : i, is_double);
        y[i] =
            sample(pair ? i % SPECIALS : SPECIALS + (int)(random_bits() % 4), is_double);
        if (c->args[1] == 'i') {
            const double whole =
                isfinite(y[i]) && fabs(y[i]) < 0x1p31 ? trunc(y[i]) : 3000;

            y[i] = whole == 0 && y[i] != 0 ? copysign(1, y[i]) : whole;
        }
    }
}

// Text of one kernel: scalar for width 1, else through vload and vstore.
static int kernel_text(char *text, size_t bytes, const struct math_case *c,
                       const char *type, int width)
{
    const char *y_type = c->args[1] == 'i' ? "int" : type;
    char call[200];

    if (width == 1) {
        snprintf(call, sizeof call, "r[i] = %s(x[i]%s)", c->name,
                 c->args[1] ? ", y[i]" : "");
        return snprintf(text, bytes,
                        "kernel void f1(global %s *x, global %s *y, global %s *r)\n"
                        "{ size_t i = get_global_id(0); %s; }\n",
                        type, y_type, type, call);
    }
    if (c->args[1])
        snprintf(call, sizeof call, "vstore%d(%s(vload%d(i, x), vload%d(i, y)), i, r)",
                 width, c->name, width, width);
    else
        snprintf(call, sizeof call, "vstore%d(%s(vload%d(i, x)), i, r)", width, c->name,
                 width);
    return snprintf(text, bytes,
                    "kernel void f%d(global %s *x, global %s *y, global %s *r)\n"
                    "{ size_t i = get_global_id(0); %s; }\n",
                    width, type, y_type, type, call);
}

static cl_program build(const struct math_case *c, const char *type)
{
    char text[4096];
    int at = kernel_text(text, sizeof text, c, type, 1);

    for (int w = 0; w < WIDTHS; w++)
        at += kernel_text(text + at, sizeof text - (size_t)at, c, type, widths[w]);
    return session_build(&session, text);
}

// A buffer of `values` as float, double or int.
static cl_mem upload(const double *values, char kind, bool is_double)
{
    static double space[POINTS];
    float *floats = (float *)space;
    int *ints = (int *)space;

    for (int i = 0; i < POINTS; i++) {
        if (kind == 'i')
            ints[i] = (int)values[i];
        else if (is_double)
            space[i] = values[i];
        else
            floats[i] = (float)values[i];
    }
    return session_buffer(&session, space,
                          POINTS * (kind == 'i' || !is_double ? 4u : sizeof(double)));
}

static double element(const void *values, bool is_double, int i)
{
    return is_double ? ((const double *)values)[i] : (double)((const float *)values)[i];
}

static bool same_bits(const void *a, const void *b, bool is_double, int i)
{
    const size_t bytes = is_double ? 8 : 4;
    const double x = element(a, is_double, i), y = element(b, is_double, i);

    return (isnan(x) && isnan(y)) ||
           !memcmp((const char *)a + i * bytes, (const char *)b + i * bytes, bytes);
}

// In ulps of `want`; where two logarithms cancel to odd zeros, in ulps of the larger one.
static double case_error(const struct math_case *c, bool is_double, double x, double got,
                         long double want)
{
    const int digits = is_double ? DBL_MANT_DIG : FLT_MANT_DIG;

    if (c->zeros_below_0 && x < 0 && isfinite(got) && isfinite(want)) {
        const long double other = fabsl(c->reference(-x, 0, 0));
        const long double size = fmaxl(1, fmaxl(other, fabsl(want)));

        return (double)ldexpl(fabsl(got - want), digits - 1 - ilogbl(size));
    }
    return ulp_error(is_double, got, want);
}

static void check_accuracy(const struct math_case *c, bool is_double, const double *x,
                           const double *y, const void *got)
{
    const double allowed = is_double ? c->ulp_double : c->ulp_float;
    double worst = 0;
    int where = 0;

    for (int i = 0; i < POINTS; i++) {
        const double error = case_error(c, is_double, x[i], element(got, is_double, i),
                                        c->reference(x[i], y[i], 0));

        if (error > worst || isnan(error)) {
            worst = isnan(error) ? INFINITY : error;
            where = i;
        }
    }
    if (getenv("TF_TEST_VERBOSE"))
        printf("%-12s %-6s %8.3f of %g\n", c->name, is_double ? "double" : "float", worst,
               allowed);
    ck_assert_msg(worst <= allowed, "%s(%a, %a) of %s is %a, not %La: %g ulp, allowed %g",
                  c->name, x[where], y[where], is_double ? "double" : "float",
                  element(got, is_double, where), c->reference(x[where], y[where], 0),
                  worst, allowed);
}

static void check_function(const struct math_case *c, bool is_double)
{
    static double x[POINTS], y[POINTS], scalar[POINTS], vector[POINTS];
    const size_t bytes = POINTS * (is_double ? sizeof(double) : sizeof(float));
    cl_program program = build(c, is_double ? "double" : "float");
    cl_mem buffers[3];

    make_arguments(c, is_double, x, y);
    buffers[0] = upload(x, 'f', is_double);
    buffers[1] = upload(y, c->args[1], is_double);
    buffers[2] = session_buffer(&session, NULL, bytes);
    session_run(&session, program, "f1", POINTS, buffers[0], buffers[1], buffers[2],
                NULL);
    session_read(&session, buffers[2], scalar, bytes);
    check_accuracy(c, is_double, x, y, scalar);
    for (int w = 0; w < WIDTHS; w++) {
        char name[8];

        snprintf(name, sizeof name, "f%d", widths[w]);
        session_run(&session, program, name, POINTS / (size_t)widths[w], buffers[0],
                    buffers[1], buffers[2], NULL);
        session_read(&session, buffers[2], vector, bytes);
        for (int i = 0; i < POINTS; i++)
            if (!same_bits(scalar, vector, is_double, i))
                ck_abort_msg("%s(%a, %a): %a, but %a in a vector of %d", c->name, x[i],
                             y[i], element(scalar, is_double, i),
                             element(vector, is_double, i), widths[w]);
    }
    for (int i = 0; i < 3; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseProgram(program);
}

START_TEST(float_is_within_its_error_bound)
{
    session_open(&session);
    check_function(&math_cases[_i], false);
    session_close(&session);
}
END_TEST

START_TEST(double_is_within_its_error_bound)
{
    session_open(&session);
    if (session_has_double(&session) && math_cases[_i].ulp_double >= 0)
        check_function(&math_cases[_i], true);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: math");
    TCase *floats = tcase_create("float"), *doubles = tcase_create("double");
    int count = 0;

    while (math_cases[count].name)
        count++;
    tcase_set_timeout(floats, 120);
    tcase_set_timeout(doubles, 120);
    tcase_add_loop_test(floats, float_is_within_its_error_bound, 0, count);
    tcase_add_loop_test(doubles, double_is_within_its_error_bound, 0, count);
    suite_add_tcase(suite, floats);
    suite_add_tcase(suite, doubles);
    return tf_run_suite(suite);
}
