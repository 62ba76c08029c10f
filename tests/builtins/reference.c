// SPDX-License-Identifier: MIT
#include "reference.h"

#include <float.h>
#include <limits.h>
#include <math.h>

static const long double pi_l = 3.14159265358979323846264338327950288L;

#define UNARY(name, expression)                                                \
    static long double ref_##name(long double x, long double y, long double z) \
    {                                                                          \
        (void)y;                                                               \
        (void)z;                                                               \
        return expression;                                                     \
    }
#define BINARY(name, expression)                                               \
    static long double ref_##name(long double x, long double y, long double z) \
    {                                                                          \
        (void)z;                                                               \
        return expression;                                                     \
    }

// sin(pi x) and cos(pi x) for x reduced to one turn: exact at multiples of 1/2.
static long double sin_turn(long double x)
{
    const long double a = fabsl(x), turn = a - 2 * floorl(a / 2);
    const long double half = turn >= 1 ? turn - 1 : turn;
    const long double s = half <= 0.25L   ? sinl(pi_l * half)
                          : half <= 0.75L ? cosl(pi_l * (half - 0.5L))
                                          : sinl(pi_l * (1 - half));

    if (!isfinite(x))
        return NAN;
    return copysignl(s, x) * (turn >= 1 && s != 0 ? -1 : 1);
}

static long double cos_turn(long double x)
{
    const long double a = fabsl(x), turn = a - 2 * floorl(a / 2);
    const long double c = sin_turn(turn + 0.5L);

    return c == 0 ? 0 : c;
}

static long double tan_turn(long double x)
{
    const long double a = fabsl(x), s = sin_turn(a), c = cos_turn(a);

    if (!isfinite(x))
        return NAN;
    return s / c * copysignl(1, x);
}

static long double powr_of(long double x, long double y)
{
    if (isnan(x) || isnan(y) || x < 0)
        return NAN;
    if ((x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)))
        return NAN;
    return powl(fabsl(x), y);
}

static long double rootn_of(long double x, long double n)
{
    const bool odd = fmodl(n, 2) != 0;

    if (n == 0 || isnan(x) || (x < 0 && !odd))
        return NAN;
    return copysignl(powl(fabsl(x), 1 / n), odd ? x : 1);
}

BINARY(fmax, y > x || isnan(x) ? y : x) // either of two zeros
BINARY(fmin, y < x || isnan(x) ? y : x)

static long double maxmag_of(long double x, long double y)
{
    return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : ref_fmax(x, y, 0);
}

static long double minmag_of(long double x, long double y)
{
    return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : ref_fmin(x, y, 0);
}

static long double sign_of(long double x)
{
    return isnan(x) ? 0 : x == 0 ? x : copysignl(1, x);
}

// Of minus infinity, too, OpenCL wants no number.
static long double tgamma_of(long double x)
{
    const bool pole = x < 0 && x == floorl(x);

    return pole ? NAN : tgammal(x);
}

UNARY(acos, acosl(x))
UNARY(acosh, acoshl(x))
UNARY(acospi, acosl(x) / pi_l)
UNARY(asin, asinl(x))
UNARY(asinh, asinhl(x))
UNARY(asinpi, asinl(x) / pi_l)
UNARY(atan, atanl(x))
UNARY(atanh, atanhl(x))
UNARY(atanpi, atanl(x) / pi_l)
UNARY(cbrt, cbrtl(x))
UNARY(ceil, ceill(x))
UNARY(cos, cosl(x))
UNARY(cosh, coshl(x))
UNARY(cospi, isfinite(x) ? cos_turn(x) : NAN)
UNARY(degrees, x *(180 / pi_l))
UNARY(erf, erfl(x))
UNARY(erfc, erfcl(x))
UNARY(exp, expl(x))
UNARY(exp10, powl(10, x))
UNARY(exp2, exp2l(x))
UNARY(expm1, expm1l(x))
UNARY(fabs, fabsl(x))
UNARY(floor, floorl(x))
UNARY(lgamma, lgammal(x))
UNARY(log, logl(x))
UNARY(log10, log10l(x))
UNARY(log1p, log1pl(x))
UNARY(log2, log2l(x))
UNARY(logb, logbl(x))
UNARY(radians, x *(pi_l / 180))
UNARY(rint, rintl(x))
UNARY(round, roundl(x))
UNARY(rsqrt, 1 / sqrtl(x))
UNARY(sign, sign_of(x))
UNARY(sin, sinl(x))
UNARY(sinh, sinhl(x))
UNARY(sinpi, sin_turn(x))
UNARY(sqrt, sqrtl(x))
UNARY(tan, tanl(x))
UNARY(tanh, tanhl(x))
UNARY(tanpi, tan_turn(x))
UNARY(tgamma, tgamma_of(x))
UNARY(trunc, truncl(x))
UNARY(recip, 1 / x)
BINARY(atan2, atan2l(x, y))
BINARY(atan2pi, atan2l(x, y) / pi_l)
BINARY(copysign, copysignl(x, y))
BINARY(divide, x / y)
BINARY(fdim, fdiml(x, y))
BINARY(fmod, fmodl(x, y))
BINARY(hypot, hypotl(x, y))
BINARY(ldexp, ldexpl(x, (int)y))
BINARY(maxmag, maxmag_of(x, y))
BINARY(minmag, minmag_of(x, y))
BINARY(pow, powl(x, y))
BINARY(powr, powr_of(x, y))
BINARY(remainder, remainderl(x, y))
BINARY(rootn, rootn_of(x, y))

const struct math_case math_cases[] = {
    {"acos", "f", 4, 4, ref_acos, false},
    {"acosh", "f", 4, 4, ref_acosh, false},
    {"acospi", "f", 5, 5, ref_acospi, false},
    {"asin", "f", 4, 4, ref_asin, false},
    {"asinh", "f", 4, 4, ref_asinh, false},
    {"asinpi", "f", 5, 5, ref_asinpi, false},
    {"atan", "f", 5, 5, ref_atan, false},
    {"atan2", "ff", 6, 6, ref_atan2, false},
    {"atan2pi", "ff", 6, 6, ref_atan2pi, false},
    {"atanh", "f", 5, 5, ref_atanh, false},
    {"atanpi", "f", 5, 5, ref_atanpi, false},
    {"cbrt", "f", 2, 2, ref_cbrt, false},
    {"ceil", "f", 0, 0, ref_ceil, false},
    {"copysign", "ff", 0, 0, ref_copysign, false},
    {"cos", "f", 4, 4, ref_cos, false},
    {"cosh", "f", 4, 4, ref_cosh, false},
    {"cospi", "f", 4, 4, ref_cospi, false},
    {"degrees", "f", 2, 2, ref_degrees, false},
    {"erf", "f", 16, 16, ref_erf, false},
    {"erfc", "f", 16, 16, ref_erfc, false},
    {"exp", "f", 3, 3, ref_exp, false},
    {"exp10", "f", 3, 3, ref_exp10, false},
    {"exp2", "f", 3, 3, ref_exp2, false},
    {"expm1", "f", 3, 3, ref_expm1, false},
    {"fabs", "f", 0, 0, ref_fabs, false},
    {"fdim", "ff", 0.5, 0.5, ref_fdim, false},
    {"floor", "f", 0, 0, ref_floor, false},
    {"fmax", "ff", 0, 0, ref_fmax, false},
    {"fmin", "ff", 0, 0, ref_fmin, false},
    {"fmod", "ff", 0, 0, ref_fmod, false},
    {"half_cos", "f", 8192, -1, ref_cos, false},
    {"half_divide", "ff", 8192, -1, ref_divide, false},
    {"half_exp", "f", 8192, -1, ref_exp, false},
    {"half_powr", "ff", 8192, -1, ref_powr, false},
    {"half_recip", "f", 8192, -1, ref_recip, false},
    {"half_rsqrt", "f", 8192, -1, ref_rsqrt, false},
    {"hypot", "ff", 4, 4, ref_hypot, false},
    {"ldexp", "fi", 0.5, 0.5, ref_ldexp, false},
    {"lgamma", "f", 16, 16, ref_lgamma, true},
    {"log", "f", 3, 3, ref_log, false},
    {"log10", "f", 3, 3, ref_log10, false},
    {"log1p", "f", 2, 2, ref_log1p, false},
    {"log2", "f", 3, 3, ref_log2, false},
    {"logb", "f", 0, 0, ref_logb, false},
    {"maxmag", "ff", 0, 0, ref_maxmag, false},
    {"minmag", "ff", 0, 0, ref_minmag, false},
    {"native_log2", "f", 8192, -1, ref_log2, false},
    {"native_sin", "f", 8192, -1, ref_sin, false},
    {"pow", "ff", 16, 16, ref_pow, false},
    {"pown", "fi", 16, 16, ref_pow, false},
    {"powr", "ff", 16, 16, ref_powr, false},
    {"radians", "f", 2, 2, ref_radians, false},
    {"remainder", "ff", 0, 0, ref_remainder, false},
    {"rint", "f", 0, 0, ref_rint, false},
    {"rootn", "fi", 16, 16, ref_rootn, false},
    {"round", "f", 0, 0, ref_round, false},
    {"rsqrt", "f", 2, 2, ref_rsqrt, false},
    {"sign", "f", 0, 0, ref_sign, false},
    {"sin", "f", 4, 4, ref_sin, false},
    {"sinh", "f", 4, 4, ref_sinh, false},
    {"sinpi", "f", 4, 4, ref_sinpi, false},
    {"sqrt", "f", 0.5, 0.5, ref_sqrt, false},
    {"tan", "f", 5, 5, ref_tan, false},
    {"tanh", "f", 5, 5, ref_tanh, false},
    {"tanpi", "f", 6, 6, ref_tanpi, false},
    {"tgamma", "f", 16, 16, ref_tgamma, false},
    {"trunc", "f", 0, 0, ref_trunc, false},
    {0},
};

double ulp_error(bool is_double, double got, long double want)
{
    const int digits = is_double ? DBL_MANT_DIG : FLT_MANT_DIG;
    const int least = is_double ? DBL_MIN_EXP : FLT_MIN_EXP;
    const int most = is_double ? DBL_MAX_EXP : FLT_MAX_EXP;
    const long double end =
        copysignl(ldexpl(1, most), want); // what would follow the last
    long double number = got;
    int exponent;

    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (isinf(want))
        return got == want ? 0 : INFINITY;
    if (want == 0)
        return got == 0 && !signbit(want) == !signbit(got) ? 0 : INFINITY;
    if (isinf(got))
        number = copysignl(end, got);
    if (fabsl(want) > fabsl(end))
        want = end;
    frexpl(want, &exponent);
    exponent = exponent < least ? least : exponent > most ? most : exponent;
    return (double)(fabsl(number - want) / ldexpl(1, exponent - digits));
}
