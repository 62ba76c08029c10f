// SPDX-License-Identifier: MIT
// Integer functions of every type against 128-bit arithmetic: all pairs of 8-bit numbers,
// special and random numbers of the other types; vectors of all widths against scalars.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "session.h"
#include "support/suite.h"

typedef __int128 wide;
typedef unsigned __int128 unwide;

enum { POINTS = 65536 };

struct type {
    const char *name;
    int bits;
    bool is_signed;
};

static const struct type types[] = {
    {"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false},
    {"int", 32, true}, {"uint", 32, false}, {"long", 64, true},  {"ulong", 64, false},
};
enum { TYPES = sizeof types / sizeof *types };
static const int widths[] = {2, 3, 4, 8, 16};
enum { WIDTHS = sizeof widths / sizeof *widths };

static struct session session;

static wide least(const struct type *t)
{
    return t->is_signed ? -((wide)1 << (t->bits - 1)) : 0;
}

static wide most(const struct type *t)
{
    return ((wide)1 << (t->bits - t->is_signed)) - 1;
}

static wide saturate(wide v, const struct type *t)
{
    return v < least(t) ? least(t) : v > most(t) ? most(t) : v;
}

static uint64_t pattern(wide v, const struct type *t)
{
    return (uint64_t)v & (uint64_t)(((unwide)1 << t->bits) - 1);
}

// References: exact values, wrapped to the result's size by the caller.
static wide ref_abs(wide x, wide y, wide z, const struct type *t)
{
    (void)y, (void)z, (void)t;
    return x < 0 ? -x : x;
}
static wide ref_abs_diff(wide x, wide y, wide z, const struct type *t)
{
    (void)z, (void)t;
    return x < y ? y - x : x - y;
}
static wide ref_add_sat(wide x, wide y, wide z, const struct type *t)
{
    (void)z;
    return saturate(x + y, t);
}
static wide ref_sub_sat(wide x, wide y, wide z, const struct type *t)
{
    (void)z;
    return saturate(x - y, t);
}
static wide ref_hadd(wide x, wide y, wide z, const struct type *t)
{
    (void)z, (void)t;
    return (x + y) >> 1;
}
static wide ref_rhadd(wide x, wide y, wide z, const struct type *t)
{
    (void)z, (void)t;
    return (x + y + 1) >> 1;
}
static wide ref_max(wide x, wide y, wide z, const struct type *t)
{
    (void)z, (void)t;
    return x > y ? x : y;
}
static wide ref_min(wide x, wide y, wide z, const struct type *t)
{
    (void)z, (void)t;
    return x < y ? x : y;
}
// The second and third argument in order: an inverted range is undefined.
static wide ref_clamp(wide x, wide y, wide z, const struct type *t)
{
    (void)t;
    return x < y ? y : x > z ? z : x;
}
static wide ref_mul_hi(wide x, wide y, wide z, const struct type *t)
{
    (void)z;
    return t->is_signed ? (x * y) >> t->bits : (wide)(((unwide)x * (unwide)y) >> t->bits);
}
static wide ref_mad_hi(wide x, wide y, wide z, const struct type *t)
{
    return ref_mul_hi(x, y, 0, t) + z;
}
static wide ref_mad_sat(wide x, wide y, wide z, const struct type *t)
{
    if (!t->is_signed) {
        const unwide sum = (unwide)x * (unwide)y + (unwide)z;

        return sum > (unwide)most(t) ? most(t) : (wide)sum;
    }
    return saturate(x * y + z, t);
}
static wide ref_clz(wide x, wide y, wide z, const struct type *t)
{
    const uint64_t bits = pattern(x, t);

    (void)y, (void)z;
    return bits ? __builtin_clzll(bits) - (64 - t->bits) : t->bits;
}
static wide ref_ctz(wide x, wide y, wide z, const struct type *t)
{
    const uint64_t bits = pattern(x, t);

    (void)y, (void)z;
    return bits ? __builtin_ctzll(bits) : t->bits;
}
static wide ref_popcount(wide x, wide y, wide z, const struct type *t)
{
    (void)y, (void)z;
    return __builtin_popcountll(pattern(x, t));
}
static wide ref_rotate(wide x, wide y, wide z, const struct type *t)
{
    const uint64_t bits = pattern(x, t);
    const int count = (int)(pattern(y, t) & (unsigned)(t->bits - 1));

    (void)z;
    return count ? (wide)(bits << count | bits >> (t->bits - count)) : (wide)bits;
}
static wide ref_upsample(wide x, wide y, wide z, const struct type *t)
{
    (void)z;
    return (wide)((unwide)x << t->bits | pattern(y, t));
}
static wide ref_bitselect(wide x, wide y, wide z, const struct type *t)
{
    (void)t;
    return (x & ~z) | (y & z);
}
// 24-bit operands; mad24 and mul24 of others are undefined.
static wide ref_mad24(wide x, wide y, wide z, const struct type *t)
{
    (void)t;
    return x * y + z;
}
static wide ref_mul24(wide x, wide y, wide z, const struct type *t)
{
    (void)z, (void)t;
    return x * y;
}

enum shape { SAME, UNSIGNED, DOUBLED }; // of the result
static const struct integer_case {
    const char *name;
    int args;
    enum shape shape;
    int most_bits, least_bits; // types that have the function
    wide (*reference)(wide, wide, wide, const struct type *);
} cases[] = {
    {"abs", 1, UNSIGNED, 64, 8, ref_abs},
    {"abs_diff", 2, UNSIGNED, 64, 8, ref_abs_diff},
    {"add_sat", 2, SAME, 64, 8, ref_add_sat},
    {"sub_sat", 2, SAME, 64, 8, ref_sub_sat},
    {"hadd", 2, SAME, 64, 8, ref_hadd},
    {"rhadd", 2, SAME, 64, 8, ref_rhadd},
    {"max", 2, SAME, 64, 8, ref_max},
    {"min", 2, SAME, 64, 8, ref_min},
    {"clamp", 3, SAME, 64, 8, ref_clamp},
    {"mul_hi", 2, SAME, 64, 8, ref_mul_hi},
    {"mad_hi", 3, SAME, 64, 8, ref_mad_hi},
    {"mad_sat", 3, SAME, 64, 8, ref_mad_sat},
    {"clz", 1, SAME, 64, 8, ref_clz},
    {"ctz", 1, SAME, 64, 8, ref_ctz},
    {"popcount", 1, SAME, 64, 8, ref_popcount},
    {"rotate", 2, SAME, 64, 8, ref_rotate},
    {"upsample", 2, DOUBLED, 32, 8, ref_upsample},
    {"bitselect", 3, SAME, 64, 8, ref_bitselect},
    {"mad24", 3, SAME, 32, 32, ref_mad24},
    {"mul24", 2, SAME, 32, 32, ref_mul24},
};
enum { CASES = sizeof cases / sizeof *cases };

static uint64_t random_bits(void)
{
    static uint64_t state = 0x2545f4914f6cdd1d;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// The bits as a number of the type.
static wide number(uint64_t bits, const struct type *t)
{
    bits = pattern((wide)bits, t);
    return t->is_signed && bits >> (t->bits - 1) ? (wide)bits - ((wide)1 << t->bits)
                                                 : (wide)bits;
}

static wide sample(const struct type *t)
{
    const uint64_t kind = random_bits() % 8, bits = random_bits();

    if (kind == 0)
        return most(t) - (wide)(bits % 3);
    if (kind == 1)
        return least(t) + (wide)(bits % 3);
    if (kind == 2)
        return number(bits % 5, t);
    return number(bits >> bits % 64, t);
}

static void make_arguments(const struct integer_case *c, const struct type *t,
                           wide *args[3])
{
    for (int i = 0; i < POINTS; i++) {
        args[0][i] = t->bits == 8 ? number((uint64_t)i, t) : sample(t);
        args[1][i] = t->bits == 8 ? number((uint64_t)i >> 8, t) : sample(t);
        args[2][i] = sample(t);
        if (c->reference == ref_clamp && args[1][i] > args[2][i]) {
            const wide swap = args[1][i];

            args[1][i] = args[2][i];
            args[2][i] = swap;
        }
        if (c->least_bits == 32)
            for (int a = 0; a < 2; a++)
                args[a][i] = t->is_signed ? (wide)((unwide)args[a][i] << 104) >> 104
                                          : args[a][i] & 0xffffff;
    }
}

static void store(void *to, int i, int bits, wide v)
{
    memcpy((char *)to + (size_t)i * (size_t)bits / 8, &v, (size_t)bits / 8);
}

static uint64_t load(const void *from, int i, int bits)
{
    uint64_t v = 0;

    memcpy(&v, (const char *)from + (size_t)i * (size_t)bits / 8, (size_t)bits / 8);
    return v;
}

// One kernel a width; scalars are loaded by index, vectors by vload.
static cl_program build(const struct integer_case *c, const struct type *types_of_args[3],
                        const struct type *result)
{
    static char text[16384];
    int at = 0;

    for (int w = -1; w < WIDTHS; w++) {
        const int width = w < 0 ? 1 : widths[w];
        char call[300];
        int n = snprintf(call, sizeof call, "%s(", c->name);

        for (int a = 0; a < c->args; a++) {
            const char *separator = a ? ", " : "";

            if (width == 1)
                n += snprintf(call + n, sizeof call - (size_t)n, "%s%c[i]", separator,
                              "xyz"[a]);
            else
                n += snprintf(call + n, sizeof call - (size_t)n, "%svload%d(i, %c)",
                              separator, width, "xyz"[a]);
        }
        snprintf(call + n, sizeof call - (size_t)n, ")");
        at += snprintf(
            text + at, sizeof text - (size_t)at,
            "kernel void f%d(global %s *x, global %s *y, global %s *z,\n"
            "                global %s *r)\n{\n    size_t i = get_global_id(0);\n",
            width, types_of_args[0]->name, types_of_args[1]->name, types_of_args[2]->name,
            result->name);
        if (width == 1)
            at += snprintf(text + at, sizeof text - (size_t)at, "    r[i] = %s;\n}\n",
                           call);
        else
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "    vstore%d(%s, i, r);\n}\n", width, call);
    }
    return session_build(&session, text);
}

static void check_type(const struct integer_case *c, const struct type *t)
{
    static wide values[3][POINTS];
    static char space[POINTS * 8];
    wide *args[3] = {values[0], values[1], values[2]};
    const struct type *unsigned_type = t->is_signed ? t + 1 : t;
    const struct type *arg_types[3] = {t, c->shape == DOUBLED ? unsigned_type : t, t};
    const struct type *result = c->shape == UNSIGNED  ? unsigned_type
                                : c->shape == DOUBLED ? t + 2
                                                      : t;
    cl_program program = build(c, arg_types, result);
    cl_mem buffers[4];

    make_arguments(c, t, args);
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < POINTS; i++)
            store(space, i, t->bits, args[a][i]);
        buffers[a] = session_buffer(&session, space, POINTS * (size_t)t->bits / 8);
    }
    buffers[3] = session_buffer(&session, NULL, POINTS * (size_t)result->bits / 8);
    for (int w = -1; w < WIDTHS; w++) {
        const int width = w < 0 ? 1 : widths[w], points = POINTS / width * width;
        char name[8];

        snprintf(name, sizeof name, "f%d", width);
        session_run(&session, program, name, (size_t)(points / width), buffers[0],
                    buffers[1], buffers[2], buffers[3], NULL);
        session_read(&session, buffers[3], space, POINTS * (size_t)result->bits / 8);
        for (int i = 0; i < points; i++) {
            const uint64_t want =
                pattern(c->reference(args[0][i], args[1][i], args[2][i], t), result);
            const uint64_t got = load(space, i, result->bits);

            if (got != want) // an assertion writes to a file each time
                ck_abort_msg("%s(%lld, %lld, %lld) of %s%d: %#llx, not %#llx", c->name,
                             (long long)args[0][i], (long long)args[1][i],
                             (long long)args[2][i], t->name, width,
                             (unsigned long long)got, (unsigned long long)want);
        }
    }
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseProgram(program);
}

START_TEST(function_is_exact)
{
    const struct integer_case *c = &cases[_i];

    session_open(&session);
    for (int i = 0; i < TYPES; i++)
        if (types[i].bits >= c->least_bits && types[i].bits <= c->most_bits)
            check_type(c, &types[i]);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: integer");
    TCase *integers = tcase_create("integer");

    tcase_set_timeout(integers, 120);
    tcase_add_loop_test(integers, function_is_exact, 0, CASES);
    suite_add_tcase(suite, integers);
    return tf_run_suite(suite);
}
