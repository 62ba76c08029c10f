// SPDX-License-Identifier: MIT
// fmod, remainder and remquo are exact for pairs of numbers with every difference of
// exponents, with quotients at and beside the middle of two integers, with subnormals,
// and at edges. Their reference raises 2 to the difference in 128-bit integers.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <check.h>

#include "builtins/reference/number.h"
#include "builtins/support/inputs.h"
#include "builtins/support/session.h"
#include "support/suite.h"

enum { PAIRS = 1 << 18, BYTES = PAIRS * 8, LOW_BITS = 128, OUTPUTS = 4 };

static const char source[] =
    "#define ALL(T, I, x, y, put) { I q; put(fmod(x, y), i, f); put(remainder(x, y), i, "
    "r);\\\n"
    "    put(remquo(x, y, &q), i, s); put(q, i, n); }\n"
    "#define PUT(value, i, p) p[i] = value\n"
    "#define ARGS global const T *x, global const T *y, global T *f, global T *r, \\\n"
    "    global T *s, global int *n\n"
    "kernel void items(ARGS) { size_t i = get_global_id(0); ALL(T, int, x[i], y[i], PUT) "
    "}\n"
    "kernel void vectors(ARGS) { size_t i = get_global_id(0);\n"
    "    ALL(T4, int4, vload4(i, x), vload4(i, y), vstore4) }\n"
    "kernel void loop(ARGS) { for (int i = 0; i < COUNT; i++) ALL(T, int, x[i], y[i], "
    "PUT) }\n";

static const struct form {
    const char *kernel;
    int numbers; // of one work-item
} forms[] = {{"items", 1}, {"vectors", 4}, {"loop", PAIRS}};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct type {
    const char *name, *options;
} types[] = {{"float", "-DT=float -DT4=float4 -DCOUNT=262144"},
             {"double", "-DT=double -DT4=double4 -DCOUNT=262144"}};
enum { TYPES = sizeof types / sizeof *types };
_Static_assert(PAIRS == 262144, "the kernel's COUNT");

// b^e modulo m, for m below 2^64.
static uint64_t power_modulo(uint64_t b, unsigned e, uint64_t m)
{
    unwide result = 1, square = b % m;

    for (; e; e >>= 1, square = square * square % m)
        if (e & 1)
            result = result * square % m;
    return (uint64_t)(result % m);
}

// The remainder for the truncated or the nearest quotient, and seven bits of that one.
static double want_remainder(double x, double y, bool nearest, int *quotient)
{
    int ex, ey;
    uint64_t q, r, mx, my;

    *quotient = 0;
    if (!isfinite(x) || isnan(y) || y == 0)
        return NAN;
    if (isinf(y) || x == 0)
        return x;
    mx = (uint64_t)ldexp(frexp(fabs(x), &ex), 53);
    my = (uint64_t)ldexp(frexp(fabs(y), &ey), 53);
    if (ex < ey - 1)
        return x;
    if (ex < ey) // now both are multiples of x's last bit
        my *= 2, ey = ex;
    // Modulo 128 y the low bits of the quotient are left.
    r = (uint64_t)((unwide)power_modulo(2, (unsigned)(ex - ey), my * LOW_BITS) * mx %
                   (my * LOW_BITS));
    q = r / my;
    r %= my;
    const bool up = nearest && 2 * r + (q & 1) > my;
    const double rest = ldexp(up ? -(double)(my - r) : (double)r, ey - 53);

    q = (q + up) % LOW_BITS;
    *quotient = signbit(x) == signbit(y) ? (int)q : -(int)q;
    return copysign(1, x) * rest;
}

// Any number whose exponent (of the smallest: 0) is `exponent`.
static double number_of(const struct element *e, uint64_t fraction, int exponent)
{
    const uint64_t bits = fraction & ((1ull << (e->digits - 1)) - 1);

    return number_from_bits(e, bits | (uint64_t)exponent << (e->digits - 1)).real;
}

static void random_pair(const struct element *e, size_t i, double *x, double *y)
{
    const int exponents = e->exp_most - e->exp_least + 2;
    const uint64_t a = inputs_random(i, 1), b = inputs_random(i, 2),
                   c = inputs_random(i, 3);
    // Every difference in turn; every second time a small one.
    const int turn = (int)(i / 2) % (exponents + 2) - 2;
    const int gap = i % 2 ? turn : turn % 80;
    const int least = gap < 0 ? -gap : 0;
    const int room = exponents - (gap < 0 ? -gap : gap);
    const int ey =
        gap < 0 ? least + (int)(c % (uint64_t)room) : (int)(c % (uint64_t)room);

    *y = number_of(e, c >> 40 & 1 ? b : b << (e->digits - 12), ey);
    *x = number_of(e, a, ey + gap);
    if (c >> 42 & 1) { // subnormals of all sizes
        if (ey == 0)
            *y = number_of(e, b >> (c >> 50) % 64, 0);
        if (ey + gap == 0)
            *x = number_of(e, a >> (c >> 56) % 64, 0);
    } else if (c >> 43 & 1) { // a half of a whole number, and the numbers beside it
        const double half = ldexp(*y, -1) * (double)(a >> 3 & 4095);
        const double near = real_nearest(e, half);
        const uint64_t bits = number_bits(e, (struct number){.real = near});

        if (isfinite(near) && near > 0)
            *x = number_from_bits(e, bits + a % 3 - 1).real;
    }
    *x *= a >> 62 & 1 ? -1 : 1;
    *y *= a >> 63 & 1 ? -1 : 1;
}

static void fill(const struct element *e, void *x, void *y)
{
    size_t count;
    const struct number *edges = inputs_edges(e, &count);

    for (size_t i = 0; i < PAIRS; i++) {
        struct number a, b;

        if (i < count * count) {
            a = edges[i / count];
            b = edges[i % count];
        } else {
            random_pair(e, i, &a.real, &b.real);
        }
        element_set(e, x, i, a);
        element_set(e, y, i, b);
    }
}

// What all forms must give.
static void fill_wanted(const struct element *e, const void *x, const void *y,
                        void *const wanted[OUTPUTS])
{
    for (size_t i = 0; i < PAIRS; i++) {
        const double a = element_get(e, x, i).real, b = element_get(e, y, i).real;
        int *quotient = (int *)wanted[3] + i;
        struct number r;

        r.real = want_remainder(a, b, false, quotient);
        element_set(e, wanted[0], i, r);
        r.real = want_remainder(a, b, true, quotient);
        element_set(e, wanted[1], i, r);
        element_set(e, wanted[2], i, r);
    }
}

static void check(const struct type *type, const struct form *form, void *const args[],
                  void *const wanted[OUTPUTS], void *const results[OUTPUTS])
{
    static const char *const names[OUTPUTS] = {"fmod", "remainder", "remquo", "quotient"};
    char text[4][64];

    for (int o = 0; o < OUTPUTS; o++) {
        const struct element *e = element_find(type->name);
        const struct element *to = o == 3 ? element_find("int") : e;

        for (size_t i = 0; i < PAIRS; i++) {
            const struct number got = element_get(to, results[o], i);
            const struct number want = element_get(to, wanted[o], i);

            if (!number_same(to, got, want))
                ck_abort_msg("%s(%s %s, %s) in %s is %s, not %s", names[o], e->name,
                             number_text(e, element_get(e, args[0], i), text[0]),
                             number_text(e, element_get(e, args[1], i), text[1]),
                             form->kernel, number_text(to, got, text[2]),
                             number_text(to, want, text[3]));
        }
    }
}

// Loop index: type.
START_TEST(remainders_are_exact)
{
    const struct type *type = &types[_i];
    const struct element *e = element_find(type->name);
    void *args[2], *wanted[OUTPUTS], *results[OUTPUTS];
    cl_mem buffers[2 + OUTPUTS + 1] = {NULL};
    struct session s;
    cl_program program;

    session_open(&s);
    for (int o = 0; o < OUTPUTS; o++) {
        wanted[o] = malloc(BYTES);
        results[o] = malloc(BYTES);
        buffers[2 + o] = session_buffer(&s, NULL, BYTES);
    }
    for (int a = 0; a < 2; a++)
        args[a] = malloc(BYTES);
    fill(e, args[0], args[1]);
    fill_wanted(e, args[0], args[1], wanted);
    for (int a = 0; a < 2; a++)
        buffers[a] = session_buffer(&s, args[a], BYTES);
    program = session_build_with(&s, source, type->options);
    for (const struct form *form = forms; form < forms + FORMS; form++) {
        session_run_list(&s, program, form->kernel, (size_t)(PAIRS / form->numbers), 0,
                         buffers);
        for (int o = 0; o < OUTPUTS; o++)
            session_read(&s, buffers[2 + o], results[o], BYTES);
        check(type, form, args, wanted, results);
    }
    for (int o = 0; o < OUTPUTS; o++) {
        free(wanted[o]);
        free(results[o]);
    }
    free(args[0]);
    free(args[1]);
    for (int b = 0; buffers[b]; b++)
        clReleaseMemObject(buffers[b]);
    clReleaseProgram(program);
    session_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: remainders");
    TCase *cases = tcase_create("remainders");

    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, remainders_are_exact, 0, TYPES);
    suite_add_tcase(suite, cases);
    return tf_run_suite(suite);
}
