// SPDX-License-Identifier: MIT
// The edge cases that OpenCL C 7.5.1 and the C standard's annex F name, and exact powers
// and roots, for half, float and double: each result bit by bit, NaN by kind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "builtins/reference/number.h"
#include "builtins/support/session.h"
#include "support/suite.h"

#define INF INFINITY
#define LEAST -1e-300 // stands for the smallest positive number of the type, negated

struct edge {
    const char *name;
    const char *args; // one letter an argument: f floating point, i int
    double x, y, want;
};

static const struct edge edges[] = {
    {"acos", "f", 1, 0, 0},
    {"acos", "f", 1.5, 0, NAN},
    {"acosh", "f", 1, 0, 0},
    {"acosh", "f", 0.5, 0, NAN},
    {"acosh", "f", INF, 0, INF},
    {"acospi", "f", 1, 0, 0},
    {"acospi", "f", -1, 0, 1},
    {"acospi", "f", 1.5, 0, NAN},
    {"asin", "f", -0.0, 0, -0.0},
    {"asin", "f", -1.5, 0, NAN},
    {"asinh", "f", -INF, 0, -INF},
    {"asinh", "f", -0.0, 0, -0.0},
    {"asinpi", "f", -0.0, 0, -0.0},
    {"asinpi", "f", 0, 0, 0},
    {"asinpi", "f", -1.5, 0, NAN},
    {"atan", "f", -0.0, 0, -0.0},
    {"atan", "f", LEAST, 0, LEAST},
    {"atan", "f", NAN, 0, NAN},
    {"atan2", "ff", 0, 1, 0},
    {"atan2", "ff", -0.0, 0, -0.0},
    {"atan2", "ff", -1, INF, -0.0},
    {"atan2", "ff", NAN, 1, NAN},
    {"atan2pi", "ff", 0, -0.0, 1},
    {"atan2pi", "ff", -0.0, -0.0, -1},
    {"atan2pi", "ff", 0, 0, 0},
    {"atan2pi", "ff", -0.0, 0, -0.0},
    {"atan2pi", "ff", 0, -2, 1},
    {"atan2pi", "ff", -0.0, -2, -1},
    {"atan2pi", "ff", 0, 2, 0},
    {"atan2pi", "ff", -0.0, 2, -0.0},
    {"atan2pi", "ff", -2, 0, -0.5},
    {"atan2pi", "ff", -2, -0.0, -0.5},
    {"atan2pi", "ff", 2, -0.0, 0.5},
    {"atan2pi", "ff", 2, -INF, 1},
    {"atan2pi", "ff", -2, -INF, -1},
    {"atan2pi", "ff", 2, INF, 0},
    {"atan2pi", "ff", -2, INF, -0.0},
    {"atan2pi", "ff", INF, 2, 0.5},
    {"atan2pi", "ff", -INF, 2, -0.5},
    {"atan2pi", "ff", INF, -INF, 0.75},
    {"atan2pi", "ff", -INF, -INF, -0.75},
    {"atan2pi", "ff", INF, INF, 0.25},
    {"atan2pi", "ff", -INF, INF, -0.25},
    {"atanh", "f", 1, 0, INF},
    {"atanh", "f", -1, 0, -INF},
    {"atanh", "f", 2, 0, NAN},
    {"atanpi", "f", -0.0, 0, -0.0},
    {"atanpi", "f", INF, 0, 0.5},
    {"atanpi", "f", -INF, 0, -0.5},
    {"cbrt", "f", -0.0, 0, -0.0},
    {"cbrt", "f", -27, 0, -3},
    {"cbrt", "f", -INF, 0, -INF},
    {"ceil", "f", -0.5, 0, -0.0},
    {"copysign", "ff", 3, -0.0, -3},
    {"cos", "f", 0, 0, 1},
    {"cos", "f", INF, 0, NAN},
    {"cosh", "f", -INF, 0, INF},
    {"cospi", "f", -0.0, 0, 1},
    {"cospi", "f", 1.5, 0, 0},
    {"cospi", "f", -2.5, 0, 0},
    {"cospi", "f", INF, 0, NAN},
    {"erf", "f", -INF, 0, -1},
    {"erf", "f", 7, 0, 1},
    {"erf", "f", -0.0, 0, -0.0},
    {"erf", "f", LEAST, 0, LEAST},
    {"erf", "f", NAN, 0, NAN},
    {"erfc", "f", -INF, 0, 2},
    {"erfc", "f", INF, 0, 0},
    {"erfc", "f", -0.0, 0, 1},
    {"erfc", "f", NAN, 0, NAN},
    {"exp", "f", -INF, 0, 0},
    {"exp", "f", 0, 0, 1},
    {"exp10", "f", -INF, 0, 0},
    {"exp10", "f", INF, 0, INF},
    {"exp2", "f", 10, 0, 1024},
    {"exp2", "f", -3, 0, 0.125},
    {"expm1", "f", -INF, 0, -1},
    {"expm1", "f", -0.0, 0, -0.0},
    {"fdim", "ff", 1, NAN, NAN},
    {"fdim", "ff", NAN, 1, NAN},
    {"fmax", "ff", NAN, -1, -1},
    {"fmin", "ff", 1, NAN, 1},
    {"fmod", "ff", -0.0, 2, -0.0},
    {"fmod", "ff", 0, NAN, NAN},
    {"fmod", "ff", 3, INF, 3},
    {"fmod", "ff", INF, 3, NAN},
    {"fmod", "ff", 3, 0, NAN},
    {"hypot", "ff", -INF, NAN, INF},
    {"hypot", "ff", 3, 4, 5},
    {"ldexp", "fi", 1.5, -1, 0.75},
    {"ldexp", "fi", -0.0, 5, -0.0},
    {"ldexp", "fi", 1, 2147483647, INF},
    {"ldexp", "fi", -1, -2147483647, -0.0},
    {"ldexp", "fi", INF, -100, INF},
    {"lgamma", "f", 1, 0, 0},
    {"lgamma", "f", 2, 0, 0},
    {"lgamma", "f", -3, 0, INF},
    {"lgamma", "f", -INF, 0, INF},
    {"log", "f", -0.0, 0, -INF},
    {"log", "f", 1, 0, 0},
    {"log", "f", -1, 0, NAN},
    {"log10", "f", 100, 0, 2},
    {"log1p", "f", -1, 0, -INF},
    {"log1p", "f", -0.0, 0, -0.0},
    {"log2", "f", 1024, 0, 10},
    {"logb", "f", -0.0, 0, -INF},
    {"logb", "f", -INF, 0, INF},
    {"logb", "f", 10, 0, 3},
    {"maxmag", "ff", -3, 2, -3},
    {"maxmag", "ff", NAN, 2, 2},
    {"minmag", "ff", -3, 2, 2},
    {"nextafter", "ff", -0.0, 1, -LEAST},
    {"nextafter", "ff", 0, -1, LEAST},
    {"nextafter", "ff", 1, 1, 1},
    {"pow", "ff", -0.0, -3, -INF},
    {"pow", "ff", -0.0, -2, INF},
    {"pow", "ff", -0.0, 3, -0.0},
    {"pow", "ff", -0.0, -INF, INF},
    {"pow", "ff", -1, INF, 1},
    {"pow", "ff", 1, NAN, 1},
    {"pow", "ff", NAN, 0, 1},
    {"pow", "ff", -8, 0.5, NAN},
    {"pow", "ff", 0.5, -INF, INF},
    {"pow", "ff", 2, -INF, 0},
    {"pow", "ff", -INF, -3, -0.0},
    {"pow", "ff", -INF, 3, -INF},
    {"pow", "ff", INF, -2, 0},
    {"pow", "ff", 3, 4, 81},
    {"pow", "ff", -2, -3, -0.125},
    {"pow", "ff", 2.25, 0.5, 1.5},
    {"pown", "fi", NAN, 0, 1},
    {"pown", "fi", -0.0, -3, -INF},
    {"pown", "fi", -0.0, -2, INF},
    {"pown", "fi", -0.0, 2, 0},
    {"pown", "fi", -0.0, 3, -0.0},
    {"pown", "fi", -3, 3, -27},
    {"pown", "fi", 2, -4, 0.0625},
    {"powr", "ff", 3, -0.0, 1},
    {"powr", "ff", -0.0, -1, INF},
    {"powr", "ff", -0.0, -INF, INF},
    {"powr", "ff", -0.0, 2, 0},
    {"powr", "ff", 1, 7, 1},
    {"powr", "ff", -1, 2, NAN},
    {"powr", "ff", -0.0, 0, NAN},
    {"powr", "ff", INF, -0.0, NAN},
    {"powr", "ff", 1, -INF, NAN},
    {"powr", "ff", 2, NAN, NAN},
    {"powr", "ff", NAN, 2, NAN},
    {"remainder", "ff", 3, INF, 3},
    {"remainder", "ff", 3, 0, NAN},
    {"remainder", "ff", 5, 2, 1},
    {"remainder", "ff", 7, 2, -1},
    {"rint", "f", -0.5, 0, -0.0},
    {"rint", "f", 2.5, 0, 2},
    {"rootn", "fi", -0.0, -3, -INF},
    {"rootn", "fi", -0.0, -2, INF},
    {"rootn", "fi", -0.0, 2, 0},
    {"rootn", "fi", -0.0, 3, -0.0},
    {"rootn", "fi", -8, 2, NAN},
    {"rootn", "fi", 8, 0, NAN},
    {"rootn", "fi", -8, 3, -2},
    {"rootn", "fi", 81, 4, 3},
    {"rootn", "fi", 0.25, -2, 2},
    {"round", "f", -0.25, 0, -0.0},
    {"round", "f", 2.5, 0, 3},
    {"round", "f", -2.5, 0, -3},
    {"rsqrt", "f", -0.0, 0, -INF},
    {"rsqrt", "f", INF, 0, 0},
    {"rsqrt", "f", -1, 0, NAN},
    {"sin", "f", -0.0, 0, -0.0},
    {"sin", "f", -INF, 0, NAN},
    {"sinh", "f", -0.0, 0, -0.0},
    {"sinh", "f", LEAST, 0, LEAST},
    {"sinh", "f", -INF, 0, -INF},
    {"sinh", "f", NAN, 0, NAN},
    {"sinpi", "f", -0.0, 0, -0.0},
    {"sinpi", "f", 3, 0, 0},
    {"sinpi", "f", -2, 0, -0.0},
    {"sinpi", "f", -INF, 0, NAN},
    {"sinpi", "f", 2.5, 0, 1},
    {"sqrt", "f", -0.0, 0, -0.0},
    {"sqrt", "f", 6.25, 0, 2.5},
    {"tan", "f", -0.0, 0, -0.0},
    {"tanh", "f", -INF, 0, -1},
    {"tanpi", "f", -0.0, 0, -0.0},
    {"tanpi", "f", INF, 0, NAN},
    {"tanpi", "f", 2, 0, 0},
    {"tanpi", "f", -2, 0, -0.0},
    {"tanpi", "f", 3, 0, -0.0},
    {"tanpi", "f", -3, 0, 0},
    {"tanpi", "f", 2.5, 0, INF},
    {"tanpi", "f", 3.5, 0, -INF},
    {"tgamma", "f", -0.0, 0, -INF},
    {"tgamma", "f", -3, 0, NAN},
    {"tgamma", "f", -INF, 0, NAN},
    {"tgamma", "f", 5, 0, 24},
    {"trunc", "f", -0.5, 0, -0.0},
};
enum { EDGES = sizeof edges / sizeof *edges };

static struct session session;

// A loop over its rows for each function: r[i] = function(x[i], y[i]).
static cl_program build(const char *type)
{
    static char text[32768];
    int at =
        snprintf(text, sizeof text,
                 "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                 "#endif\nkernel void t(global %s *x, global %s *y, global int *n, "
                 "global %s *r)\n{\n",
                 type, type, type);

    for (int first = 0, last; first < EDGES; first = last) {
        for (last = first; last < EDGES && !strcmp(edges[last].name, edges[first].name);
             last++)
            ;
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "    for (int i = %d; i < %d; i++)\n        r[i] = %s(x[i]%s);\n",
                       first, last, edges[first].name,
                       edges[first].args[1] == 'f'   ? ", y[i]"
                       : edges[first].args[1] == 'i' ? ", n[i]"
                                                     : "");
    }
    snprintf(text + at, sizeof text - (size_t)at, "}\n");
    return session_build(&session, text);
}

static double in_type(const struct element *e, double x)
{
    return fabs(x) == -LEAST ? copysign(real_least(e), x) : x;
}

static void check_type(const struct element *e)
{
    double x[EDGES], y[EDGES], r[EDGES]; // room for every type
    int n[EDGES];
    cl_mem buffers[4];
    cl_program program = build(e->name);
    const size_t bytes = EDGES * (e->bits / 8);

    for (size_t i = 0; i < EDGES; i++) {
        element_set(e, x, i, (struct number){.real = in_type(e, edges[i].x)});
        element_set(e, y, i,
                    (struct number){.real = edges[i].args[1] == 'f' ? edges[i].y : 0});
        n[i] = edges[i].args[1] == 'i' ? (int)edges[i].y : 0;
    }
    buffers[0] = session_buffer(&session, x, bytes);
    buffers[1] = session_buffer(&session, y, bytes);
    buffers[2] = session_buffer(&session, n, sizeof n);
    buffers[3] = session_buffer(&session, NULL, bytes);
    session_run(&session, program, "t", 1, buffers[0], buffers[1], buffers[2], buffers[3],
                NULL);
    session_read(&session, buffers[3], r, bytes);
    for (size_t i = 0; i < EDGES; i++) {
        const struct number got = element_get(e, r, i);
        const struct number want = {.real = in_type(e, edges[i].want)};

        ck_assert_msg(number_same(e, got, want), "%s(%a, %a) of %s is %a, not %a",
                      edges[i].name, edges[i].x, edges[i].y, e->name, got.real,
                      want.real);
    }
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseProgram(program);
}

START_TEST(edge_cases_are_exact)
{
    static const char *const types[] = {"float", "double", "half"};

    session_open(&session);
    if (session_has(&session, types[_i]))
        check_type(element_find(types[_i]));
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: edges");
    TCase *cases = tcase_create("edges");

    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, edge_cases_are_exact, 0, 3);
    suite_add_tcase(suite, cases);
    return tf_run_suite(suite);
}
