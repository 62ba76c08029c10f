// SPDX-License-Identifier: MIT
// Argument reduction of huge numbers for the trigonometric functions: M. Payne and R.
// Hanek, "Radian reduction for trigonometric functions", SIGNUM 18 (1983). Only the bits
// of 2/pi that matter are multiplied: those to the left make multiples of 4 quarter
// turns.
#ifndef TF_BUILTINS_LIB_TRIG_H
#define TF_BUILTINS_LIB_TRIG_H

// Up to here the reduction with pi/2 in parts is exact.
#define TFL_TRIG_HUGE 0x1p20
// Below it, that of floats with pi in parts of 13 bits is.
#define TFL_TRIG_SHORT 0x1p11f
#define TFL_TRIG_FAR_float TFL_TRIG_SHORT
#define TFL_TRIG_FAR_double TFL_TRIG_HUGE
#define TFL_TRIG_FAR(type) TFL_TRIG_FAR_##type

__constant const ulong tfl_two_over_pi[] = {TFK_TWO_OVER_PI_WORDS};

// 64 bits of 2/pi from bit `at` of the table on.
TF_HELPER ulong tfl_two_over_pi_at(int at)
{
    int word = at >> 6, shift = at & 63;
    ulong high = tfl_two_over_pi[word] << shift;
    ulong low = tfl_two_over_pi[word + 1] >> 1 >> (63 - shift);

    return high | low;
}

TF_HELPER ulong tfl_high64(ulong a, ulong b)
{
    return (ulong)((unsigned _BitInt(128))a * b >> 64);
}

// x = q pi/2 + r, |r| <= pi/4; q modulo 4. For |x| >= TFL_TRIG_HUGE; NaN if not finite.
TF_HELPER double tfl_trig_huge(double x, __private long *quadrant)
{
    ulong bits = TF_AS(ulong, x);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
    ulong m = (bits & 0xffffffffffffful) | 0x10000000000000ul;
    // x 2/pi modulo 4 as a fraction of 4: the low 192 bits of m times three words.
    int at = exponent == 972 ? 0 : exponent + 62;
    ulong a = tfl_two_over_pi_at(at);
    ulong b = tfl_two_over_pi_at(at + 64);
    ulong c = tfl_two_over_pi_at(at + 128);
    ulong low = m * b, high = m * a + tfl_high64(m, b), carry = tfl_high64(m, c);

    low += carry;
    high += low < carry;
    // The nearest quarter; what is left is signed.
    ulong quarter = (high + (1ul << 61)) >> 62;
    high -= quarter << 62;
    bool negative = (long)high < 0;
    ulong top = negative ? ~high : high, rest = negative ? ~low : low;
    int shift = top ? __builtin_clzl(top) : 63;
    ulong lead = top << shift | rest >> 1 >> (63 - shift);
    double r = (double)lead * TF_AS(double, (ulong)(1023 - 62 - shift) << 52) *
               TFK_PI_2_FIRST_double;

    negative ^= (long)bits < 0;
    *quadrant = (long)bits < 0 ? -(long)quarter : (long)quarter;
    return exponent == 972 ? (double)TF_NAN : negative ? -r : r;
}

#endif // TF_BUILTINS_LIB_TRIG_H
