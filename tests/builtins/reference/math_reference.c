// SPDX-License-Identifier: MIT
#include "builtins/reference/math_reference.h"

#include <math.h>
#include <string.h>

#define Z MPFR_RNDZ
#define FUNCTION(name) \
    static int name(mpfr_ptr r, const mpfr_srcptr x[3], const struct element *e)

// Argument i in its own type: exact.
static double plain(mpfr_srcptr x)
{
    return mpfr_get_d(x, MPFR_RNDN);
}

FUNCTION(rsqrt_of)
{
    (void)e;
    if (mpfr_zero_p(x[0])) {
        mpfr_set_inf(r, mpfr_signbit(x[0]) ? -1 : 1);
        return 0;
    }
    return mpfr_rec_sqrt(r, x[0], Z);
}

FUNCTION(recip_of)
{
    (void)e;
    return mpfr_ui_div(r, 1, x[0], Z);
}

FUNCTION(logb_of)
{
    (void)e;
    if (mpfr_regular_p(x[0]))
        return mpfr_set_si(r, mpfr_get_exp(x[0]) - 1, Z);
    if (mpfr_nan_p(x[0]))
        mpfr_set_nan(r);
    else
        mpfr_set_inf(r, mpfr_zero_p(x[0]) ? -1 : 1);
    return 0;
}

FUNCTION(ilogb_of)
{
    (void)e;
    if (mpfr_regular_p(x[0]))
        return mpfr_set_si(r, mpfr_get_exp(x[0]) - 1, Z);
    return mpfr_set_si(r, mpfr_zero_p(x[0]) ? INT32_MIN : INT32_MAX, Z);
}

FUNCTION(sign_of)
{
    (void)e;
    if (mpfr_nan_p(x[0]))
        return mpfr_set_ui(r, 0, Z);
    return mpfr_zero_p(x[0]) ? mpfr_set(r, x[0], Z) : mpfr_set_si(r, mpfr_sgn(x[0]), Z);
}

// x times `over` / `under`, one of which is pi.
static int by_half_turn(mpfr_ptr r, mpfr_srcptr x, bool to_degrees)
{
    mpfr_t pi;
    int ternary;

    mpfr_init2(pi, REAL_BITS + 60);
    mpfr_const_pi(pi, Z);
    if (to_degrees)
        mpfr_ui_div(pi, 180, pi, Z);
    else
        mpfr_div_ui(pi, pi, 180, Z);
    ternary = mpfr_mul(r, x, pi, Z);
    mpfr_clear(pi);
    return ternary;
}

FUNCTION(degrees_of)
{
    (void)e;
    return by_half_turn(r, x[0], true);
}

FUNCTION(radians_of)
{
    (void)e;
    return by_half_turn(r, x[0], false);
}

FUNCTION(lgamma_of)
{
    int sign;

    (void)e;
    return mpfr_lgamma(r, &sign, x[0], Z);
}

// Of a pole, and of what is no number: 1, but the sign of a zero.
FUNCTION(lgamma_sign)
{
    int sign = 1;
    mpfr_t whole;

    (void)e;
    mpfr_init2(whole, REAL_BITS);
    if (mpfr_zero_p(x[0]))
        sign = mpfr_signbit(x[0]) ? -1 : 1;
    else if (mpfr_number_p(x[0]) && mpfr_sgn(x[0]) < 0 && !mpfr_integer_p(x[0])) {
        mpfr_floor(whole, x[0]);
        mpfr_div_2ui(whole, whole, 1, Z);
        sign = mpfr_integer_p(whole) ? 1 : -1;
    }
    mpfr_clear(whole);
    return mpfr_set_si(r, sign, Z);
}

// Below zero the result is a difference of logarithms as large as this.
FUNCTION(lgamma_scale)
{
    mpfr_t other;
    int sign;

    (void)e;
    mpfr_set_ui(r, 0, Z);
    if (!mpfr_number_p(x[0]) || mpfr_sgn(x[0]) >= 0)
        return 0;
    mpfr_init2(other, REAL_BITS);
    mpfr_neg(other, x[0], Z);
    mpfr_lgamma(r, &sign, other, Z);
    mpfr_abs(r, r, Z);
    if (mpfr_cmp_ui(r, 1) < 0)
        mpfr_set_ui(r, 1, Z);
    mpfr_clear(other);
    return 0;
}

FUNCTION(ldexp_of)
{
    (void)e;
    return mpfr_mul_2si(r, x[0], mpfr_get_si(x[1], Z), Z);
}

FUNCTION(pown_of)
{
    (void)e;
    return mpfr_pow_si(r, x[0], mpfr_get_si(x[1], Z), Z);
}

FUNCTION(rootn_of)
{
    (void)e;
    return mpfr_rootn_si(r, x[0], mpfr_get_si(x[1], Z), Z);
}

// Of a NaN there is none, even if MPFR answers 1 for x = 1.
FUNCTION(powr_of)
{
    (void)e;
    if (mpfr_nan_p(x[0]) || mpfr_nan_p(x[1])) {
        mpfr_set_nan(r);
        return 0;
    }
    return mpfr_powr(r, x[0], x[1], Z);
}

// MPFR's NaN has no sign to copy.
static bool second_has_sign(const mpfr_srcptr x[3])
{
    return !mpfr_nan_p(x[1]);
}

FUNCTION(maxmag_of)
{
    const int order = mpfr_cmpabs(x[0], x[1]);

    (void)e;
    if (mpfr_nan_p(x[0]) || mpfr_nan_p(x[1]) || order == 0)
        return mpfr_max(r, x[0], x[1], Z);
    return mpfr_set(r, order > 0 ? x[0] : x[1], Z);
}

FUNCTION(minmag_of)
{
    const int order = mpfr_cmpabs(x[0], x[1]);

    (void)e;
    if (mpfr_nan_p(x[0]) || mpfr_nan_p(x[1]) || order == 0)
        return mpfr_min(r, x[0], x[1], Z);
    return mpfr_set(r, order < 0 ? x[0] : x[1], Z);
}

FUNCTION(nextafter_of)
{
    const double from = plain(x[0]), to = plain(x[1]);
    const double step = real_least(e);
    struct number n = {.real = from};

    if (isnan(from) || isnan(to) || from == to)
        return mpfr_set_d(r, isnan(from) ? from : to, Z);
    if (from == 0)
        return mpfr_set_d(r, copysign(step, to), Z);
    // The order of magnitudes is that of bits.
    n = number_from_bits(e, number_bits(e, n) +
                                ((from < to) == (from > 0) ? 1 : UINT64_MAX));
    return mpfr_set_d(r, n.real, Z);
}

FUNCTION(nan_of)
{
    (void)x, (void)e;
    mpfr_set_nan(r);
    return 0;
}

FUNCTION(fma_of)
{
    (void)e;
    return mpfr_fma(r, x[0], x[1], x[2], Z);
}

// mad may round its product, too.
FUNCTION(mad_scale)
{
    (void)e;
    mpfr_mul(r, x[0], x[1], Z);
    if (!mpfr_number_p(r) || mpfr_cmpabs(r, x[2]) < 0)
        mpfr_set(r, x[2], Z);
    return mpfr_abs(r, r, Z);
}

static bool product_fits(const mpfr_srcptr x[3])
{
    mpfr_t product;
    bool fits;

    mpfr_init2(product, REAL_BITS);
    mpfr_mul(product, x[0], x[1], Z);
    fits = mpfr_number_p(product) && mpfr_number_p(x[2]);
    mpfr_clear(product);
    return fits;
}

// min and max of the common functions: as C's comparison says.
FUNCTION(min_of)
{
    (void)e;
    return mpfr_set(r, mpfr_less_p(x[1], x[0]) ? x[1] : x[0], Z);
}

FUNCTION(max_of)
{
    (void)e;
    return mpfr_set(r, mpfr_less_p(x[0], x[1]) ? x[1] : x[0], Z);
}

FUNCTION(clamp_of)
{
    (void)e;
    if (mpfr_less_p(x[0], x[1]))
        return mpfr_set(r, x[1], Z);
    return mpfr_set(r, mpfr_greater_p(x[0], x[2]) ? x[2] : x[0], Z);
}

static bool in_order(const mpfr_srcptr x[3])
{
    return !mpfr_nan_p(x[0]) && mpfr_lessequal_p(x[1], x[2]);
}

FUNCTION(step_of)
{
    (void)e;
    return mpfr_set_ui(r, !mpfr_less_p(x[1], x[0]), Z);
}

// x + (y - x) a
FUNCTION(mix_of)
{
    (void)e;
    mpfr_sub(r, x[1], x[0], Z);
    return mpfr_fma(r, r, x[2], x[0], Z);
}

FUNCTION(mix_scale)
{
    mpfr_t part;

    (void)e;
    mpfr_init2(part, REAL_BITS);
    mpfr_sub(part, x[1], x[0], Z);
    mpfr_mul(part, part, x[2], Z);
    mpfr_abs(part, part, Z);
    mpfr_abs(r, x[0], Z);
    mpfr_max(r, r, part, Z);
    mpfr_clear(part);
    return 0;
}

static bool can_mix(const mpfr_srcptr x[3])
{
    return mpfr_number_p(x[0]) && mpfr_number_p(x[1]) && mpfr_number_p(x[2]) &&
           mpfr_cmp_ui(x[2], 0) >= 0 && mpfr_cmp_ui(x[2], 1) <= 0;
}

// t t (3 - 2 t) of t = (x - edge0) / (edge1 - edge0), within [0, 1]
FUNCTION(smoothstep_of)
{
    mpfr_t size;
    int ternary;

    (void)e;
    mpfr_init2(size, REAL_BITS);
    mpfr_sub(size, x[1], x[0], Z);
    mpfr_sub(r, x[2], x[0], Z);
    mpfr_div(r, r, size, Z);
    if (mpfr_sgn(r) <= 0)
        mpfr_set_zero(r, 1);
    if (mpfr_cmp_ui(r, 1) > 0)
        mpfr_set_ui(r, 1, Z);
    mpfr_mul_2ui(size, r, 1, Z);
    mpfr_ui_sub(size, 3, size, Z);
    mpfr_mul(size, size, r, Z);
    ternary = mpfr_mul(r, size, r, Z);
    mpfr_clear(size);
    return ternary;
}

FUNCTION(one_scale)
{
    (void)x, (void)e;
    return mpfr_set_ui(r, 1, Z);
}

static bool can_smooth(const mpfr_srcptr x[3])
{
    return mpfr_number_p(x[0]) && mpfr_number_p(x[1]) && mpfr_number_p(x[2]) &&
           mpfr_less_p(x[0], x[1]);
}

FUNCTION(fract_of)
{
    mpfr_t most;

    if (!mpfr_regular_p(x[0])) {
        mpfr_set(r, x[0], Z);
        if (mpfr_inf_p(x[0]))
            mpfr_set_zero(r, mpfr_sgn(x[0]));
        return 0;
    }
    mpfr_init2(most, REAL_BITS);
    mpfr_floor(r, x[0]);
    const int ternary = mpfr_sub(r, x[0], r, Z);
    mpfr_set_si_2exp(most, -1, -e->digits, Z);
    mpfr_add_ui(most, most, 1, Z);
    mpfr_min(r, r, most, Z);
    mpfr_clear(most);
    return ternary;
}

FUNCTION(floor_of)
{
    (void)e;
    mpfr_floor(r, x[0]);
    return 0;
}

FUNCTION(modf_of)
{
    mpfr_t whole;

    (void)e;
    mpfr_init2(whole, REAL_BITS);
    mpfr_modf(whole, r, x[0], Z);
    mpfr_clear(whole);
    return 0;
}

FUNCTION(trunc_of)
{
    (void)e;
    mpfr_trunc(r, x[0]);
    return 0;
}

FUNCTION(frexp_of)
{
    mpfr_exp_t exponent;

    (void)e;
    return mpfr_frexp(&exponent, r, x[0], Z);
}

FUNCTION(frexp_exponent)
{
    (void)e;
    return mpfr_set_si(r, mpfr_regular_p(x[0]) ? mpfr_get_exp(x[0]) : 0, Z);
}

FUNCTION(cos_of)
{
    (void)e;
    return mpfr_cos(r, x[0], Z);
}

FUNCTION(remquo_of)
{
    long quotient;

    (void)e;
    return mpfr_remquo(r, &quotient, x[0], x[1], Z);
}

// Seven bits of the quotient, with its sign; 0 where there is no remainder.
FUNCTION(remquo_quotient)
{
    mpfr_t rest;
    long quotient = 0;

    (void)e;
    mpfr_init2(rest, REAL_BITS);
    mpfr_remquo(rest, &quotient, x[0], x[1], Z);
    mpfr_set_si(r, mpfr_nan_p(rest) ? 0 : quotient % 128, Z);
    mpfr_clear(rest);
    return 0;
}

static int rint_even(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    (void)mode;
    mpfr_rint_roundeven(r, x, MPFR_RNDN);
    return 0;
}

static int rint_away(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    (void)mode;
    mpfr_round(r, x);
    return 0;
}

static int rint_up(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    (void)mode;
    mpfr_ceil(r, x);
    return 0;
}

static int rint_down(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    (void)mode;
    mpfr_floor(r, x);
    return 0;
}

static int rint_in(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    (void)mode;
    mpfr_trunc(r, x);
    return 0;
}

static int absolute(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode)
{
    return mpfr_abs(r, x, mode);
}

static const struct math_reference references[] = {
    {.name = "acos", .one = mpfr_acos},
    {.name = "acosh", .one = mpfr_acosh},
    {.name = "acospi", .one = mpfr_acospi},
    {.name = "asin", .one = mpfr_asin},
    {.name = "asinh", .one = mpfr_asinh},
    {.name = "asinpi", .one = mpfr_asinpi},
    {.name = "atan", .one = mpfr_atan},
    {.name = "atan2", .two = mpfr_atan2},
    {.name = "atan2pi", .two = mpfr_atan2pi},
    {.name = "atanh", .one = mpfr_atanh},
    {.name = "atanpi", .one = mpfr_atanpi},
    {.name = "cbrt", .one = mpfr_cbrt},
    {.name = "ceil", .one = rint_up},
    {.name = "clamp", .any = clamp_of, .valid = in_order, .either_zero = true},
    {.name = "copysign", .two = mpfr_copysign, .valid = second_has_sign},
    {.name = "cos", .one = mpfr_cos},
    {.name = "cosh", .one = mpfr_cosh},
    {.name = "cospi", .one = mpfr_cospi},
    {.name = "degrees", .any = degrees_of},
    {.name = "divide", .two = mpfr_div},
    {.name = "erf", .one = mpfr_erf},
    {.name = "erfc", .one = mpfr_erfc},
    {.name = "exp", .one = mpfr_exp},
    {.name = "exp10", .one = mpfr_exp10},
    {.name = "exp2", .one = mpfr_exp2},
    {.name = "expm1", .one = mpfr_expm1},
    {.name = "fabs", .one = absolute},
    {.name = "fdim", .two = mpfr_dim},
    {.name = "floor", .one = rint_down},
    {.name = "fma", .any = fma_of},
    {.name = "fmax", .two = mpfr_max, .either_zero = true},
    {.name = "fmin", .two = mpfr_min, .either_zero = true},
    {.name = "fmod", .two = mpfr_fmod},
    {.name = "fract", .any = fract_of, .second = floor_of},
    {.name = "frexp", .any = frexp_of, .second = frexp_exponent},
    {.name = "hypot", .two = mpfr_hypot},
    {.name = "ilogb", .any = ilogb_of},
    {.name = "ldexp", .any = ldexp_of},
    {.name = "lgamma", .any = lgamma_of, .scale = lgamma_scale, .scaled_ulp = 16},
    {.name = "lgamma_r",
     .any = lgamma_of,
     .second = lgamma_sign,
     .scale = lgamma_scale,
     .scaled_ulp = 16},
    {.name = "log", .one = mpfr_log},
    {.name = "log10", .one = mpfr_log10},
    {.name = "log1p", .one = mpfr_log1p},
    {.name = "log2", .one = mpfr_log2},
    {.name = "logb", .any = logb_of},
    {.name = "mad",
     .any = fma_of,
     .scale = mad_scale,
     .scaled_ulp = 1,
     .valid = product_fits,
     .either_zero = true},
    {.name = "max", .any = max_of},
    {.name = "maxmag", .any = maxmag_of, .either_zero = true},
    {.name = "min", .any = min_of},
    {.name = "minmag", .any = minmag_of, .either_zero = true},
    {.name = "mix",
     .any = mix_of,
     .scale = mix_scale,
     .scaled_ulp = 3,
     .valid = can_mix,
     .either_zero = true},
    {.name = "modf", .any = modf_of, .second = trunc_of},
    {.name = "nan", .any = nan_of},
    {.name = "nextafter", .any = nextafter_of},
    {.name = "pow", .two = mpfr_pow},
    {.name = "pown", .any = pown_of},
    {.name = "powr", .any = powr_of},
    {.name = "radians", .any = radians_of},
    {.name = "recip", .any = recip_of},
    {.name = "remainder", .two = mpfr_remainder},
    {.name = "remquo", .any = remquo_of, .second = remquo_quotient},
    {.name = "rint", .one = rint_even},
    {.name = "rootn", .any = rootn_of},
    {.name = "round", .one = rint_away},
    {.name = "rsqrt", .any = rsqrt_of},
    {.name = "sign", .any = sign_of},
    {.name = "sin", .one = mpfr_sin},
    {.name = "sincos", .one = mpfr_sin, .second = cos_of, .second_ulp = 4},
    {.name = "sinh", .one = mpfr_sinh},
    {.name = "sinpi", .one = mpfr_sinpi},
    {.name = "smoothstep",
     .any = smoothstep_of,
     .scale = one_scale,
     .scaled_ulp = 8,
     .valid = can_smooth,
     .either_zero = true},
    {.name = "sqrt", .one = mpfr_sqrt},
    {.name = "step", .any = step_of},
    {.name = "tan", .one = mpfr_tan},
    {.name = "tanh", .one = mpfr_tanh},
    {.name = "tanpi", .one = mpfr_tanpi},
    {.name = "tgamma", .one = mpfr_gamma},
    {.name = "trunc", .one = rint_in},
};

const struct math_reference *math_reference_find(const char *name)
{
    const char *plain_name = strncmp(name, "half_", 5) == 0     ? name + 5
                             : strncmp(name, "native_", 7) == 0 ? name + 7
                                                                : name;

    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (!strcmp(references[i].name, plain_name))
            return &references[i];
    return NULL;
}

int math_reference_value(const struct math_reference *ref, mpfr_ptr r,
                         const mpfr_srcptr x[3], const struct element *e)
{
    return ref->one   ? ref->one(r, x[0], Z)
           : ref->two ? ref->two(r, x[0], x[1], Z)
                      : ref->any(r, x, e);
}
