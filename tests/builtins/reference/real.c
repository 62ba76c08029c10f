// SPDX-License-Identifier: MIT
#include "builtins/reference/real.h"

#include <math.h>

void real_open(void)
{
    mpfr_set_emin(-40000);
    mpfr_set_emax(40000);
    mpfr_set_default_prec(REAL_BITS);
}

void real_sticky(mpfr_ptr r, int ternary)
{
    if (!mpfr_number_p(r) || ternary == 0)
        return;
    mpfr_prec_round(r, REAL_BITS + 1, MPFR_RNDZ);
    if (ternary < 0)
        mpfr_nextabove(r);
    else
        mpfr_nextbelow(r);
}

double real_round(const struct element *e, mpfr_srcptr exact)
{
    mpfr_t scaled;
    mpfr_exp_t exponent;
    double x;

    if (!mpfr_number_p(exact) || mpfr_zero_p(exact))
        return mpfr_get_d(exact, MPFR_RNDN);
    exponent = mpfr_get_exp(exact);
    if (exponent > e->exp_most)
        return mpfr_sgn(exact) * (double)INFINITY;
    exponent = (exponent < e->exp_least ? e->exp_least : exponent) - e->digits;
    mpfr_init2(scaled, REAL_BITS + 1);
    mpfr_mul_2si(scaled, exact, -exponent, MPFR_RNDZ);
    mpfr_rint_roundeven(scaled, scaled, MPFR_RNDN);
    x = copysign(ldexp(mpfr_get_d(scaled, MPFR_RNDN), (int)exponent), mpfr_sgn(exact));
    mpfr_clear(scaled);
    return fabs(x) > real_most(e) ? copysign(INFINITY, x) : x;
}

// log2 of the size of an ulp at `x`; at a power of two it is the smaller one of both
// sides.
static mpfr_exp_t ulp_exponent(const struct element *e, mpfr_srcptr x)
{
    mpfr_exp_t exponent = mpfr_get_exp(x) - (mpfr_min_prec(x) == 1);

    exponent = exponent < e->exp_least ? e->exp_least : exponent;
    return (exponent > e->exp_most ? e->exp_most : exponent) - e->digits;
}

double real_error(const struct element *e, double got, mpfr_srcptr want,
                  mpfr_srcptr scale)
{
    mpfr_t difference, limit;
    mpfr_exp_t exponent;
    double error;

    if (isnan(got) || mpfr_nan_p(want))
        return isnan(got) && mpfr_nan_p(want) ? 0 : (double)INFINITY;
    if (mpfr_inf_p(want))
        return got == mpfr_get_d(want, MPFR_RNDN) ? 0 : (double)INFINITY;
    if (mpfr_zero_p(want) && (!scale || mpfr_zero_p(scale)))
        return got == 0 && !signbit(got) == !mpfr_signbit(want) ? 0 : (double)INFINITY;
    mpfr_inits2(REAL_BITS + 64, difference, limit, (mpfr_ptr)0);
    // What would follow the largest number stands for infinity, and for all beyond.
    mpfr_set_si_2exp(limit, 1, e->exp_most, MPFR_RNDN);
    if (isinf(got))
        mpfr_setsign(difference, limit, got < 0, MPFR_RNDN);
    else
        mpfr_set_d(difference, got, MPFR_RNDN);
    if (mpfr_cmpabs(want, limit) > 0) {
        mpfr_setsign(limit, limit, mpfr_signbit(want), MPFR_RNDN);
        want = limit;
    }
    mpfr_sub(difference, difference, want, MPFR_RNDN);
    exponent = mpfr_zero_p(want) ? ulp_exponent(e, scale) : ulp_exponent(e, want);
    if (scale && mpfr_regular_p(scale) && ulp_exponent(e, scale) > exponent)
        exponent = ulp_exponent(e, scale);
    mpfr_mul_2si(difference, difference, -exponent, MPFR_RNDN);
    error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clears(difference, limit, (mpfr_ptr)0);
    return error;
}
