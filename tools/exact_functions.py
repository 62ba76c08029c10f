# SPDX-License-Identifier: MIT
"""Functions and constants to 70 decimal digits, as gen_polynomials.py wants them: mostly what a
polynomial is to give of a function, by series of Taylor's, Stirling's and others'."""
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction
from math import comb

getcontext().prec = 70
D = Decimal
ONE = D(1)


def series(term, x, first=ONE):
    """Sum of first * prod(term(k, x)) until it no longer changes."""
    total, value, k = first, first, 1
    while True:
        value *= term(k, x)
        if total + value == total:
            return total
        total += value
        k += 1


def arc_series(x, coefficient):
    """Sum of coefficient(k) x^k, |x| < 1/2."""
    total, power, k = D(0), ONE, 0
    while True:
        value = coefficient(k) * power
        if k > 2 and abs(value) < D(10) ** -68:
            return total
        total += value
        power *= x
        k += 1


LN2 = D(2).ln()
LN10 = D(10).ln()
SQRT_HALF = D("0.5").sqrt()
LG2_HALF = LN2 / LN10 / 2


def exp_tail(r):
    """(e^r - 1 - r) / r^2"""
    return series(lambda k, x: x / (k + 2), r, D("0.5"))


def exp2_tail(r):
    """(2^r - 1) / r"""
    return LN2 * series(lambda k, x: x / (k + 1), r * LN2)


def exp10_tail(r):
    """(10^r - 1) / r"""
    return LN10 * series(lambda k, x: x / (k + 1), r * LN10)


HYPER_HIGH = (LN2 * 5 / 8) ** 2


def cosh_tail(z):
    """(cosh r - 1) / z, z = r^2"""
    return series(lambda k, x: x / ((2 * k + 1) * (2 * k + 2)), z, D("0.5"))


def sinh_tail(z):
    """(sinh r / r - 1) / z, z = r^2"""
    return series(lambda k, x: x / ((2 * k + 2) * (2 * k + 3)), z, ONE / 6)


def sin_tail(z):
    """(sin r / r - 1) / z, z = r^2"""
    return series(lambda k, x: -x / ((2 * k + 2) * (2 * k + 3)), z, D(-1) / 6)


def cos_tail(z):
    """(cos r - 1 + z/2) / z^2, z = r^2"""
    return series(lambda k, x: -x / ((2 * k + 3) * (2 * k + 4)), z, ONE / 24)


def log_tail(f):
    """(log(1+f) - f + f^2/2) / f^3"""
    if abs(f) < D("0.01"):
        return arc_series(f, lambda k: (ONE if k % 2 == 0 else -ONE) / (k + 3))
    return ((1 + f).ln() - f + f * f / 2) / f ** 3


POW_LOW = D("0.675")
THIRD = D(float.fromhex("0x1.555556p-2"))


def log_tail4(f):
    """(log(1+f) - f + f^2/2 - c f^3) / f^4, c = 1/3 of 24 bits"""
    return (log_tail(f) - THIRD) / f


def log2_whole(f):
    """log2(1+f) / f"""
    return (1 - f / 2 + f * f * log_tail(f)) / LN2


LOG2E_FIRST = D(float(1 / LN2))


def log2_rest(r):
    """(log2(1+r) - r / log(2) + c r^2) / r^2, c = 1/(2 log(2)) rounded to a double"""
    return (r * log_tail(r) - D("0.5")) / LN2 + LOG2E_FIRST / 2


def atanh_tail(z):
    """(2 atanh s - 2 s) / s^3, z = s^2: log of (1+s)/(1-s)"""
    return arc_series(z, lambda k: D(2) / (2 * k + 3))


def atanh_tail5(z):
    """(2 atanh s - 2 s - 2/3 s^3) / s^5, z = s^2"""
    return arc_series(z, lambda k: D(2) / (2 * k + 5))


def atanh_tail5_half(z):
    """(3 atanh s - 3 s - s^3) / s^5, z = s^2"""
    return atanh_tail5(z) * 3 / 2


def exp_thirds(r):
    """(e^(2r/3) - 1 - 2r/3) / r^2"""
    return exp_tail(r * 2 / 3) * 4 / 9


def atan_tail(z):
    """(atan r / r - 1) / z, z = r^2"""
    return arc_series(z, lambda k: (-ONE if k % 2 == 0 else ONE) / (2 * k + 3))


def asin_tail(z):
    """(asin r / r - 1) / z, z = r^2"""
    coefficients = asin_tail.coefficients
    while len(coefficients) < 130:
        k = len(coefficients) + 1   # of z^k in asin r / r: (2k)! / (4^k k!^2 (2k+1))
        ratio = asin_tail.ratio = asin_tail.ratio * (2 * k - 1) / (2 * k)
        coefficients.append(ratio / (2 * k + 1))
    return arc_series(z, lambda k: coefficients[k])


asin_tail.coefficients, asin_tail.ratio = [], ONE


def atan_whole_tail(z):
    """The same as atan_tail, up to z = 1, by atan r = 2 atan(r / (1 + sqrt(1 + r^2)))"""
    if z < D("0.01"):
        return atan_tail(z)
    r, turns = z.sqrt(), 1
    while r > D("0.1"):
        r, turns = r / (1 + (1 + r * r).sqrt()), 2 * turns
    return (turns * r * (1 + r * r * atan_tail(r * r)) / z.sqrt() - 1) / z


def sinpi_whole(z):
    """sin(pi d) / d, z = d^2"""
    return PI * (1 + PI * PI * z * sin_tail(PI * PI * z))


def sinpi_rest(z):
    """sin(pi d) / d - 2, z = d^2: next to 0 at half a turn's end"""
    return sinpi_whole(z) - 2


def make_pi(digits):
    """Machin's formula: pi/4 = 4 atan(1/5) - atan(1/239)."""
    with localcontext() as context:
        context.prec = digits + 10

        def atan_inverse(n):
            total, power, k = D(0), ONE / n, 1
            while power > D(10) ** -(digits + 5):
                total += power / k if k % 4 == 1 else -power / k
                power /= n * n
                k += 2
            return total
        return 4 * (4 * atan_inverse(5) - atan_inverse(239))


PI_LONG = make_pi(420)
PI = +PI_LONG
with localcontext() as wide:
    wide.prec = 110
    SQRT_PI_LONG = PI_LONG.sqrt()
QUARTER_PI = PI / 4
SQRT_PI = PI.sqrt()
TAN_PI_8 = D(2).sqrt() - 1
F_LOW, F_HIGH = SQRT_HALF - 1, D(2).sqrt() - 1
S_MAX = F_HIGH / (2 + F_HIGH)


def erf_tail(z):
    """erf(x) / x - 1, z = x^2"""
    return 2 / SQRT_PI * series(lambda k, y: -y * (2 * k - 1) / (k * (2 * k + 1)), z) - 1


def erfcx(x, factor=ONE):
    """factor e^(x^2) erfc(x), x >= 0"""
    if x < 6:   # e^(x^2) less Kummer's series of e^(x^2) erf(x)
        with localcontext() as context:
            context.prec = 110
            rest = 2 / SQRT_PI_LONG * series(lambda k, y: 2 * y / (2 * k + 1), x * x, x)
            return +(factor * ((x * x).exp() - rest))
    fraction = x   # Laplace's continued fraction: x + (1/2)/(x + (2/2)/(x + ...
    for k in range(300, 0, -1):
        fraction = x + D(k) / 2 / fraction
    return factor / SQRT_PI / fraction


def erfc_short(t):
    """(x + 3) e^(x^2) erfc(x), t = (x - 3) / (x + 3)"""
    x = 3 * (1 + t) / (1 - t)
    return erfcx(x, x + 3)


def erf_of(x):
    return x * (1 + erf_tail(x * x)) if x < 1 else 1 - erfcx(x) / (x * x).exp()


def bernoulli(count):
    """B_0 ... B_count, with B_1 = -1/2"""
    numbers = [Fraction(1)]
    for n in range(1, count + 1):
        numbers.append(-sum(comb(n + 1, k) * numbers[k] for k in range(n)) / (n + 1))
    return numbers


STIRLING = [D(b.numerator) / b.denominator / (k * (k - 1))
            for k, b in enumerate(bernoulli(80)) if k >= 2 and k % 2 == 0]


def stirling_rest(x):
    """log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2: the series far out, else from x + 1"""
    shift = D(0)
    while x < 45:
        shift += (x + D("0.5")) * (1 + 1 / x).ln() - 1
        x += 1
    return shift + sum(c / x ** (2 * k + 1) for k, c in enumerate(STIRLING))


def log_gamma(x):
    return (x - D("0.5")) * x.ln() - x + (2 * PI).ln() / 2 + stirling_rest(x)


def stirling_tail(z):
    """stirling_rest(x) x, z = 1/x^2"""
    x = 1 / z.sqrt()
    return stirling_rest(x) * x


def log_gamma_middle(u):
    """log(gamma(1+u)) / (u (u-1)); beside its gap at u = 1"""
    u = min(u, 1 - D(10) ** -30)
    return log_gamma(1 + u) / (u * (u - 1))
