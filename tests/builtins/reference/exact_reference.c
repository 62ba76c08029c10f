// SPDX-License-Identifier: MIT
#include "builtins/reference/exact_reference.h"

#include <math.h>
#include <string.h>

#define EACH(name) \
    static void name(struct number *r, const struct number *x, const struct exact_call *c)
#define WHOLE(name, expression)                                    \
    EACH(name)                                                     \
    {                                                              \
        const wide a = x[0].whole, b = x[1].whole, d = x[2].whole; \
                                                                   \
        (void)a, (void)b, (void)d, (void)c;                        \
        r->whole = expression;                                     \
    }
// A relation: 0 or 1 of scalars, 0 or -1 of vectors.
#define RELATION(name, expression)                                 \
    EACH(name)                                                     \
    {                                                              \
        const double a = x[0].real, b = x[1].real;                 \
                                                                   \
        (void)a, (void)b;                                          \
        r->whole = (expression) ? (c->ret_width > 1 ? -1 : 1) : 0; \
    }

static wide saturated(wide v, const struct element *e)
{
    return v < element_least(e)  ? element_least(e)
           : v > element_most(e) ? element_most(e)
                                 : v;
}

static uint64_t bits_of(const struct element *e, wide v)
{
    return number_bits(e, (struct number){.whole = v});
}

WHOLE(ref_abs, a < 0 ? -a : a)
WHOLE(ref_abs_diff, a < b ? b - a : a - b)
WHOLE(ref_add_sat, saturated(a + b, c->ret))
WHOLE(ref_sub_sat, saturated(a - b, c->ret))
WHOLE(ref_hadd, (a + b) >> 1)
WHOLE(ref_rhadd, (a + b + 1) >> 1)
WHOLE(ref_max, a > b ? a : b)
WHOLE(ref_min, a < b ? a : b)
WHOLE(ref_clamp, a<b ? b : a> d ? d : a)
WHOLE(ref_upsample, (wide)((unwide)a << c->arg[0]->bits | bits_of(c->arg[1], b)))
WHOLE(ref_mul24, a *b)
WHOLE(ref_mad24, a *b + d)
WHOLE(ref_popcount, __builtin_popcountll(bits_of(c->arg[0], a)))

// Bits of the product beyond the type's.
static wide high_product(wide a, wide b, const struct element *e)
{
    return e->kind == 's' ? (a * b) >> e->bits
                          : (wide)(((unwide)a * (unwide)b) >> e->bits);
}

WHOLE(ref_mul_hi, high_product(a, b, c->ret))
WHOLE(ref_mad_hi, high_product(a, b, c->ret) + d)

EACH(ref_mad_sat)
{
    const unwide sum = (unwide)x[0].whole * (unwide)x[1].whole + (unwide)x[2].whole;

    if (c->ret->kind == 's')
        r->whole = saturated(x[0].whole * x[1].whole + x[2].whole, c->ret);
    else
        r->whole = sum > (unwide)element_most(c->ret) ? element_most(c->ret) : (wide)sum;
}

EACH(ref_clz)
{
    const uint64_t bits = bits_of(c->arg[0], x->whole);

    r->whole =
        bits ? __builtin_clzll(bits) - (64 - (int)c->arg[0]->bits) : (int)c->arg[0]->bits;
}

EACH(ref_ctz)
{
    const uint64_t bits = bits_of(c->arg[0], x->whole);

    r->whole = bits ? __builtin_ctzll(bits) : (int)c->arg[0]->bits;
}

EACH(ref_rotate)
{
    const unsigned size = c->arg[0]->bits;
    const uint64_t bits = bits_of(c->arg[0], x[0].whole);
    const unsigned count = (unsigned)bits_of(c->arg[0], x[1].whole) & (size - 1);

    r->whole = count ? (wide)(bits << count | bits >> (size - count)) : (wide)bits;
}

EACH(ref_bit_reverse)
{
    uint64_t bits = bits_of(c->arg[0], x->whole), reverse = 0;

    for (unsigned i = 0; i < c->arg[0]->bits; i++, bits >>= 1)
        reverse = reverse << 1 | (bits & 1);
    r->whole = (wide)reverse;
}

EACH(ref_to_bfloat16)
{
    const uint64_t bits = number_bits(c->arg[0], *x), high = bits >> 16;
    const uint64_t rest = bits & 0xffff, middle = 0x8000;
    const bool up = rest > middle || (rest == middle && high % 2 == 1);

    r->whole = (wide)(isnan(x->real) ? high | 0x40 : high + up);
}

EACH(ref_from_bfloat16)
{
    *r = number_from_bits(c->ret, (uint64_t)x->whole << 16);
}

static uint64_t ones(wide count)
{
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

EACH(ref_bitfield_insert)
{
    const uint64_t mask = x[3].whole ? ones(x[3].whole) << x[2].whole : 0;
    const uint64_t field = x[3].whole ? (uint64_t)x[1].whole << x[2].whole : 0;

    (void)c;
    r->whole = (wide)(((uint64_t)x[0].whole & ~mask) | (field & mask));
}

EACH(ref_bitfield_extract_unsigned)
{
    (void)c;
    r->whole =
        x[2].whole ? (wide)((uint64_t)x[0].whole >> x[1].whole & ones(x[2].whole)) : 0;
}

EACH(ref_bitfield_extract_signed)
{
    ref_bitfield_extract_unsigned(r, x, c);
    if (x[2].whole && (uint64_t)r->whole >> (x[2].whole - 1) & 1)
        r->whole -= (wide)1 << x[2].whole;
}

RELATION(ref_isequal, a == b)
RELATION(ref_isnotequal, a != b)
RELATION(ref_isgreater, a > b)
RELATION(ref_isgreaterequal, a >= b)
RELATION(ref_isless, a < b)
RELATION(ref_islessequal, a <= b)
RELATION(ref_islessgreater, a<b || a> b)
RELATION(ref_isfinite, isfinite(a))
RELATION(ref_isinf, isinf(a))
RELATION(ref_isnan, isnan(a))
RELATION(ref_isnormal, isfinite(a) && fabs(a) >= real_normal(c->arg[0]))
RELATION(ref_isordered, !isnan(a) && !isnan(b))
RELATION(ref_isunordered, isnan(a) || isnan(b))
RELATION(ref_signbit, signbit(a))

EACH(ref_bitselect)
{
    const struct element *e = c->arg[0];
    const uint64_t mask = number_bits(e, x[2]);

    *r = number_from_bits(e,
                          (number_bits(e, x[0]) & ~mask) | (number_bits(e, x[1]) & mask));
}

// Of vectors the highest bit counts.
EACH(ref_select)
{
    const bool second = c->ret_width > 1
                            ? bits_of(c->arg[2], x[2].whole) >> (c->arg[2]->bits - 1)
                            : x[2].whole != 0;

    *r = x[second];
}

// Any or all: of the highest bits.
static void count_signs(struct exact_call *c, unsigned least)
{
    unsigned set = 0;

    for (unsigned i = 0; i < c->width[0]; i++)
        set += c->x[0][i].whole < 0;
    c->r[0].whole = set >= least;
}

static void ref_any(struct exact_call *c)
{
    count_signs(c, 1);
}

static void ref_all(struct exact_call *c)
{
    count_signs(c, c->width[0]);
}

static void ref_shuffle(struct exact_call *c)
{
    for (unsigned i = 0; i < c->ret_width; i++)
        c->r[i] = c->x[0][(unsigned)c->x[1][i].whole % c->width[0]];
}

static void ref_shuffle2(struct exact_call *c)
{
    for (unsigned i = 0; i < c->ret_width; i++) {
        const unsigned at = (unsigned)c->x[2][i].whole % (2 * c->width[0]);

        c->r[i] = c->x[at / c->width[0]][at % c->width[0]];
    }
}

static void ref_dot(struct exact_call *c)
{
    wide sum = 0;

    for (unsigned i = 0; i < c->width[0]; i++)
        sum += c->x[0][i].whole * c->x[1][i].whole;
    c->r[0].whole = sum;
}

static void ref_dot_acc_sat(struct exact_call *c)
{
    ref_dot(c);
    c->r[0].whole = saturated(c->r[0].whole + c->x[2][0].whole, c->ret);
}

// Four 8-bit numbers in each of the first two arguments, 's'igned or 'u'nsigned.
static wide packed_dot(const struct exact_call *c, const char *kinds)
{
    wide sum = 0;

    for (int i = 0; i < 32; i += 8) {
        wide factors[2];

        for (int a = 0; a < 2; a++) {
            factors[a] = (c->x[a][0].whole >> i) & 255;
            if (kinds[a] == 's' && factors[a] > 127)
                factors[a] -= 256;
        }
        sum += factors[0] * factors[1];
    }
    return sum;
}

#define PACKED(kinds)                                                                \
    static void ref_dot_##kinds(struct exact_call *c)                                \
    {                                                                                \
        c->r[0].whole = packed_dot(c, #kinds);                                       \
    }                                                                                \
    static void ref_dot_acc_##kinds(struct exact_call *c)                            \
    {                                                                                \
        c->r[0].whole = saturated(packed_dot(c, #kinds) + c->x[2][0].whole, c->ret); \
    }
PACKED(uu)
PACKED(ss)
PACKED(us)
PACKED(su)

// The limits of clamp in order: others are undefined.
static void in_order(struct number *x, const struct exact_call *c)
{
    const struct number low = x[1].whole < x[2].whole ? x[1] : x[2];
    const struct number high = x[1].whole < x[2].whole ? x[2] : x[1];

    (void)c;
    x[1] = low;
    x[2] = high;
}

static void in_24_bits(struct number *x, const struct exact_call *c)
{
    for (int a = 0; a < 2; a++)
        x[a].whole = c->arg[0]->kind == 's' ? (wide)((unwide)x[a].whole << 104) >> 104
                                            : x[a].whole & 0xffffff;
}

// A field within the number: the last two arguments are its place and size.
static void in_field(struct number *x, const struct exact_call *c)
{
    const int at = c->arg[3] ? 2 : 1, bits = (int)c->arg[0]->bits;

    x[at].whole = x[at].whole % (bits + 1);
    x[at + 1].whole = x[at + 1].whole % (bits + 1 - x[at].whole);
}

static const struct exact_reference references[] = {
    {"abs", ref_abs, NULL, NULL},
    {"abs_diff", ref_abs_diff, NULL, NULL},
    {"add_sat", ref_add_sat, NULL, NULL},
    {"all", NULL, ref_all, NULL},
    {"any", NULL, ref_any, NULL},
    {"bit_reverse", ref_bit_reverse, NULL, NULL},
    {"bitfield_extract_signed", ref_bitfield_extract_signed, NULL, in_field},
    {"bitfield_extract_unsigned", ref_bitfield_extract_unsigned, NULL, in_field},
    {"bitfield_insert", ref_bitfield_insert, NULL, in_field},
    {"bitselect", ref_bitselect, NULL, NULL},
    {"clamp", ref_clamp, NULL, in_order},
    {"clz", ref_clz, NULL, NULL},
    {"ctz", ref_ctz, NULL, NULL},
    {"dot", NULL, ref_dot, NULL},
    {"dot_4x8packed_ss_int", NULL, ref_dot_ss, NULL},
    {"dot_4x8packed_su_int", NULL, ref_dot_su, NULL},
    {"dot_4x8packed_us_int", NULL, ref_dot_us, NULL},
    {"dot_4x8packed_uu_uint", NULL, ref_dot_uu, NULL},
    {"dot_acc_sat", NULL, ref_dot_acc_sat, NULL},
    {"dot_acc_sat_4x8packed_ss_int", NULL, ref_dot_acc_ss, NULL},
    {"dot_acc_sat_4x8packed_su_int", NULL, ref_dot_acc_su, NULL},
    {"dot_acc_sat_4x8packed_us_int", NULL, ref_dot_acc_us, NULL},
    {"dot_acc_sat_4x8packed_uu_uint", NULL, ref_dot_acc_uu, NULL},
    {"hadd", ref_hadd, NULL, NULL},
    {"intel_convert_as_bfloat16_float", ref_from_bfloat16, NULL, NULL},
    {"intel_convert_as_bfloat1616_float16", ref_from_bfloat16, NULL, NULL},
    {"intel_convert_as_bfloat162_float2", ref_from_bfloat16, NULL, NULL},
    {"intel_convert_as_bfloat163_float3", ref_from_bfloat16, NULL, NULL},
    {"intel_convert_as_bfloat164_float4", ref_from_bfloat16, NULL, NULL},
    {"intel_convert_as_bfloat168_float8", ref_from_bfloat16, NULL, NULL},
    {"intel_convert_bfloat16_as_ushort", ref_to_bfloat16, NULL, NULL},
    {"intel_convert_bfloat1616_as_ushort16", ref_to_bfloat16, NULL, NULL},
    {"intel_convert_bfloat162_as_ushort2", ref_to_bfloat16, NULL, NULL},
    {"intel_convert_bfloat163_as_ushort3", ref_to_bfloat16, NULL, NULL},
    {"intel_convert_bfloat164_as_ushort4", ref_to_bfloat16, NULL, NULL},
    {"intel_convert_bfloat168_as_ushort8", ref_to_bfloat16, NULL, NULL},
    {"isequal", ref_isequal, NULL, NULL},
    {"isfinite", ref_isfinite, NULL, NULL},
    {"isgreater", ref_isgreater, NULL, NULL},
    {"isgreaterequal", ref_isgreaterequal, NULL, NULL},
    {"isinf", ref_isinf, NULL, NULL},
    {"isless", ref_isless, NULL, NULL},
    {"islessequal", ref_islessequal, NULL, NULL},
    {"islessgreater", ref_islessgreater, NULL, NULL},
    {"isnan", ref_isnan, NULL, NULL},
    {"isnormal", ref_isnormal, NULL, NULL},
    {"isnotequal", ref_isnotequal, NULL, NULL},
    {"isordered", ref_isordered, NULL, NULL},
    {"isunordered", ref_isunordered, NULL, NULL},
    {"mad24", ref_mad24, NULL, in_24_bits},
    {"mad_hi", ref_mad_hi, NULL, NULL},
    {"mad_sat", ref_mad_sat, NULL, NULL},
    {"max", ref_max, NULL, NULL},
    {"min", ref_min, NULL, NULL},
    {"mul24", ref_mul24, NULL, in_24_bits},
    {"mul_hi", ref_mul_hi, NULL, NULL},
    {"popcount", ref_popcount, NULL, NULL},
    {"rhadd", ref_rhadd, NULL, NULL},
    {"rotate", ref_rotate, NULL, NULL},
    {"select", ref_select, NULL, NULL},
    {"shuffle", NULL, ref_shuffle, NULL},
    {"shuffle2", NULL, ref_shuffle2, NULL},
    {"signbit", ref_signbit, NULL, NULL},
    {"sub_sat", ref_sub_sat, NULL, NULL},
    {"upsample", ref_upsample, NULL, NULL},
};

const struct exact_reference *exact_reference_find(const char *name)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (!strcmp(references[i].name, name))
            return &references[i];
    return NULL;
}

void exact_reference_value(const struct exact_reference *ref, struct exact_call *c)
{
    struct number x[EXACT_ARGS] = {0};

    if (ref->whole) {
        ref->whole(c);
        return;
    }
    for (unsigned i = 0; i < c->ret_width; i++) {
        for (int a = 0; a < EXACT_ARGS; a++)
            x[a] = c->x[a][c->width[a] > 1 ? i : 0];
        ref->each(&c->r[i], x, c);
    }
}
