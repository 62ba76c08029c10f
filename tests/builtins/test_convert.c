// SPDX-License-Identifier: MIT
// convert_<type>[_sat][_mode] from every type to every type, scalars and vectors of 4,
// against conversions of long double, which holds all numbers of all types.
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "session.h"
#include "support/suite.h"

enum { POINTS = 1024 };

struct type {
    const char *name;
    int bytes;
    char kind; // s, u, f
};

static const struct type types[] = {
    {"char", 1, 's'},  {"uchar", 1, 'u'},  {"short", 2, 's'}, {"ushort", 2, 'u'},
    {"int", 4, 's'},   {"uint", 4, 'u'},   {"long", 8, 's'},  {"ulong", 8, 'u'},
    {"float", 4, 'f'}, {"double", 8, 'f'},
};
enum { TYPES = sizeof types / sizeof *types };

static const struct mode {
    const char *suffix;
    int rounding;
} modes[] = {{"", -1},
             {"_rte", FE_TONEAREST},
             {"_rtz", FE_TOWARDZERO},
             {"_rtp", FE_UPWARD},
             {"_rtn", FE_DOWNWARD}};
enum { MODES = sizeof modes / sizeof *modes };

static struct session session;

static long double least(const struct type *t)
{
    return t->kind == 'u' ? 0 : t->kind == 's' ? -ldexpl(1, 8 * t->bytes - 1) : -INFINITY;
}

static long double most(const struct type *t)
{
    return t->kind == 'f' ? INFINITY : ldexpl(1, 8 * t->bytes - (t->kind == 's')) - 1;
}

static long double load(const void *from, int i, const struct type *t)
{
    const char *at = (const char *)from + i * t->bytes;
    int64_t s = 0;
    uint64_t u = 0;
    double d;
    float f;

    memcpy(&u, at, (size_t)t->bytes);
    s = (int64_t)(u << (64 - 8 * t->bytes)) >> (64 - 8 * t->bytes);
    memcpy(&f, at, sizeof f);
    memcpy(&d, &u, sizeof d);
    if (t->kind == 'f')
        return t->bytes == 4 ? (long double)f : (long double)d;
    return t->kind == 's' ? (long double)s : (long double)u;
}

// Rounds an exact number to the type; the caller has set the rounding mode.
static long double to_type(long double x, const struct type *t)
{
    volatile long double in = x;
    volatile float f = (float)in;
    volatile double d = (double)in;

    if (t->kind == 'f')
        return t->bytes == 4 ? (long double)f : (long double)d;
    return rintl(in);
}

static long double expected(long double x, const struct type *to, const struct mode *mode)
{
    const int plain = to->kind == 'f' ? FE_TONEAREST : FE_TOWARDZERO;
    long double y;

    if (isnan(x))
        return to->kind == 'f' ? NAN : 0;
    fesetround(mode->rounding < 0 ? plain : mode->rounding);
    y = to_type(x, to);
    fesetround(FE_TONEAREST);
    return to->kind == 'f' ? y : fminl(fmaxl(y, least(to)), most(to));
}

static uint64_t random_bits(void)
{
    static uint64_t state = 0x853c49e6748fea9b;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// Numbers of type `from`: the limits of the integer types and their surroundings, halves,
// random ones. In range of `to` unless the conversion saturates.
static void make_numbers(void *to_space, const struct type *from, const struct type *to,
                         bool saturates)
{
    char *space = to_space;

    for (int i = 0; i < POINTS; i++) {
        const struct type *near = &types[random_bits() % 8];
        const long double limit = random_bits() & 1 ? most(near) : least(near);
        const long double offset = (long double)(int)(random_bits() % 9) / 2 - 2;
        uint64_t bits = random_bits() >> random_bits() % 64;
        long double x = i % 2 ? limit + offset : (long double)(int64_t)bits;
        float f = (float)x;
        double d = (double)x;

        if (from->kind == 'f' && i % 5 == 0) {
            memcpy(&d, &bits, sizeof d);
            f = (float)d;
        }
        if (from->kind == 'f')
            memcpy(space + i * from->bytes, from->bytes == 4 ? (void *)&f : (void *)&d,
                   (size_t)from->bytes);
        else {
            bits = x < 0 ? (uint64_t)(int64_t)fmaxl(x, -0x1p63L)
                         : (uint64_t)fminl(x, 18446744073709551615.0L);
            memcpy(space + i * from->bytes, &bits, (size_t)from->bytes);
        }
        x = load(space, i, from);
        if (!saturates && to->kind != 'f' &&
            (isnan(x) || x < least(to) - 0.49L || x > most(to) + 0.49L ||
             rintl(x) < least(to) || rintl(x) > most(to) || ceill(x) > most(to) ||
             floorl(x) < least(to)))
            memset(space + i * from->bytes, 0, (size_t)from->bytes);
    }
}

static bool exists(const struct type *to, bool saturates)
{
    return !(saturates && to->kind == 'f');
}

// One kernel for all conversions between two types: conversion k puts its results at
// r + 2 k POINTS, those of vectors behind those of scalars. Saturating ones take their
// numbers from y, which may be out of range.
static cl_program build(const struct type *from, const struct type *to)
{
    static char text[16384];
    int at = snprintf(text, sizeof text,
                      "kernel void t(global %s *x, global %s *y, global %s *r)\n"
                      "{\n    size_t i = get_global_id(0), n = get_global_size(0);\n",
                      from->name, from->name, to->name);

    for (int k = 0; k < 2 * MODES; k++) {
        const char *sat = k & 1 ? "_sat" : "", *suffix = modes[k / 2].suffix;
        const char in = k & 1 ? 'y' : 'x';

        if (exists(to, k & 1))
            at += snprintf(
                text + at, sizeof text - (size_t)at,
                "    r[%d * n + i] = convert_%s%s%s(%c[i]);\n"
                "    if (i < n / 4)\n"
                "        vstore4(convert_%s4%s%s(vload4(i, %c)), i, r + %d * n);\n",
                2 * k, to->name, sat, suffix, in, to->name, sat, suffix, in, 2 * k + 1);
    }
    snprintf(text + at, sizeof text - (size_t)at, "}\n");
    return session_build(&session, text);
}

static void check_conversion(const char *in, const char *out, const struct type *from,
                             const struct type *to, int k)
{
    for (int i = 0; i < 2 * POINTS; i++) {
        const long double x = load(in, i % POINTS, from);
        const long double want = expected(x, to, &modes[k / 2]);
        const long double got = load(out, 2 * k * POINTS + i, to);

        if (got != want && !(isnan(got) && isnan(want)))
            ck_abort_msg("convert_%s%s%s%s(%s %La) is %La, not %La", to->name,
                         i < POINTS ? "" : "4", k & 1 ? "_sat" : "", modes[k / 2].suffix,
                         from->name, x, got, want);
    }
}

static void check_pair(const struct type *from, const struct type *to)
{
    static _Alignas(128) char in[2][POINTS * 8], out[4 * MODES * POINTS * 8];
    const size_t bytes = POINTS * (size_t)from->bytes;
    const size_t out_bytes = 4 * MODES * POINTS * (size_t)to->bytes;
    cl_program program = build(from, to);
    cl_mem x, y, r;

    make_numbers(in[0], from, to, false);
    make_numbers(in[1], from, to, true);
    x = session_buffer(&session, in[0], bytes);
    y = session_buffer(&session, in[1], bytes);
    r = session_buffer(&session, NULL, out_bytes);
    session_run(&session, program, "t", POINTS, x, y, r, NULL);
    session_read(&session, r, out, out_bytes);
    for (int k = 0; k < 2 * MODES; k++)
        if (exists(to, k & 1))
            check_conversion(in[k & 1], out, from, to, k);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
    clReleaseMemObject(r);
    clReleaseProgram(program);
}

START_TEST(conversions_to_type_are_exact)
{
    session_open(&session);
    for (int from = 0; from < TYPES; from++)
        check_pair(&types[from], &types[_i]);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: convert");
    TCase *conversions = tcase_create("convert");

    tcase_set_timeout(conversions, 120);
    tcase_add_loop_test(conversions, conversions_to_type_are_exact, 0, TYPES);
    suite_add_tcase(suite, conversions);
    return tf_run_suite(suite);
}
