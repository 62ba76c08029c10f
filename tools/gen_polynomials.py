#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes src/builtins/lib/polynomials.h: the minimax polynomials of the math functions.

Remez' exchange algorithm (E. Remez 1934; J.-M. Muller, Elementary Functions, 3rd ed., ch. 3)
in decimal arithmetic of 70 digits (exact_functions.py). Each entry of TABLE names a function g, an interval, a
weight that turns the error of the polynomial into the relative error of the final result, and
the error that is wanted; the lowest degree that reaches it is taken. Coefficients are then
rounded to the type.

    gen_polynomials.py FILE            writes FILE
    gen_polynomials.py FILE --check    fails if FILE is not what would be written
"""
import struct
import sys
from decimal import localcontext
from fractions import Fraction
from math import cos, pi

from exact_functions import (
    D, ONE, LN2, LN10, SQRT_HALF, LG2_HALF, exp_tail, exp2_tail, exp10_tail, HYPER_HIGH, cosh_tail,
    sinh_tail, sin_tail, cos_tail, log_tail, POW_LOW, THIRD, log_tail4, log2_whole, log2_rest, atanh_tail,
    atanh_tail5, atanh_tail5_half, exp_thirds, atan_tail, asin_tail, atan_whole_tail, sinpi_whole,
    sinpi_rest, PI_LONG, PI, QUARTER_PI, TAN_PI_8, F_LOW, F_HIGH, S_MAX, erfcx, erfc_short, erf_of,
    log_gamma, stirling_tail, log_gamma_middle)

# name, type, g, low, high, weight, log2 of the wanted error, what it is
TABLE = [
    ("EXP", "float", exp_tail, -LN2 / 2, LN2 / 2, lambda r: r * r / r.exp(), -28,
     "e^r = 1 + r + r^2 P(r), |r| <= ln(2)/2"),
    ("EXP", "double", exp_tail, -LN2 / 2, LN2 / 2, lambda r: r * r / r.exp(), -57,
     "e^r = 1 + r + r^2 P(r), |r| <= ln(2)/2"),
    ("EXP2", "float", exp2_tail, D("-0.5"), D("0.5"), lambda r: r / (r * LN2).exp(), -27,
     "2^r = 1 + r P(r), |r| <= 1/2"),
    ("EXP2", "double", exp2_tail, D("-0.5"), D("0.5"), lambda r: r / (r * LN2).exp(), -57,
     "2^r = 1 + r P(r), |r| <= 1/2"),
    ("EXP10", "float", exp10_tail, -LG2_HALF, LG2_HALF, lambda r: r / (r * LN10).exp(), -27,
     "10^r = 1 + r P(r), |r| <= log10(2)/2"),
    ("EXP10", "double", exp10_tail, -LG2_HALF, LG2_HALF, lambda r: r / (r * LN10).exp(), -57,
     "10^r = 1 + r P(r), |r| <= log10(2)/2"),
    ("EXP2_SHORT", "double", exp2_tail, D("-0.5"), D("0.5"),
     lambda r: r / (r * LN2).exp(), -32, "the same, for float results"),
    ("LOG", "float", log_tail, F_LOW, F_HIGH, lambda f: f ** 3 / (1 + f).ln() if f else D(0),
     -27, "log(1+f) = f - f^2/2 + f^3 P(f), 1+f in [sqrt(1/2), sqrt(2)]"),
    ("LOG_POW", "float", log_tail4, POW_LOW - 1, 2 * POW_LOW - 1,
     lambda f: f ** 4 / (1 + f).ln() if abs(f) > D("0.1") else D(0), -29,
     "log(1+f) = f - f^2/2 + c f^3 + f^4 P(f), c of 24 bits, 1+f in [0.675, 1.35]"),
    ("LOG2_HALF", "float", log2_whole, POW_LOW - 1, 2 * POW_LOW - 1, lambda f: 1 / log2_whole(f), -19,
     "log2(1+f) = f P(f), 1+f in [0.675, 1.35], for powers of halves"),
    ("LOG2_FAST", "float", log2_whole, F_LOW, F_HIGH, lambda f: 1 / log2_whole(f), -19,
     "log2(1+f) = f P(f), 1+f in [sqrt(1/2), sqrt(2)], for half_log and its like"),
    ("EXP2_HALF", "float", exp2_tail, D("-0.5"), D("0.5"), lambda r: r / (r * LN2).exp(), -18,
     "2^r = 1 + r P(r), |r| <= 1/2, for powers of halves"),
    ("LOG", "double", atanh_tail, D(0), S_MAX ** 2, lambda z: z / 2, -59,
     "log((1+s)/(1-s)) = 2s + s^3 P(s^2), |s| <= 0.1716"),
    ("LOG_SHORT", "double", atanh_tail, D(0), S_MAX ** 2, lambda z: z / 2, -42,
     "the same, for float results"),
    ("LOG5", "double", atanh_tail5, D(0), S_MAX ** 2, lambda z: z * z / 2, -66,
     "log((1+s)/(1-s)) = 2s + 2/3 s^3 + s^5 P(s^2), for pow"),
    ("LOG_POW", "double", atanh_tail5_half, D(0), S_MAX ** 2, lambda z: z * z / 3, -62,
     "3/2 log((1+s)/(1-s)) = 3s + s^3 + s^5 P(s^2)"),
    ("EXP_POW", "double", exp_thirds, -LN2 * 3 / 4, LN2 * 3 / 4,
     lambda r: r * r / (r * 2 / 3).exp(), -57, "e^(2r/3) = 1 + 2/3 r + r^2 P(r), |r| <= 3/4 ln(2)"),
    ("LOG2_POW", "double", log2_rest, D("-0.0314"), D("0.0314"), lambda r: r, -61,
     "log2(1+r) = r/ln(2) - c r^2 + r^2 P(r), c = 1/(2 ln(2)) rounded, |r| <= 0.0314"),
    ("EXP2_POW", "double", exp2_tail, D("-0.0313"), D("0.0313"), lambda r: r, -56,
     "2^r = 1 + r P(r), |r| <= 1/32"),
    ("EXP2_TABLE", "double", exp2_tail, D("-0.0313"), D("0.0313"), lambda r: r, -56,
     "the same, in fewer operations"),
    ("COSH", "float", cosh_tail, D(0), HYPER_HIGH, lambda z: z / (1 + z * cosh_tail(z)), -27,
     "cosh r = 1 + r^2 P(r^2), |r| <= 5/8 ln(2)"),
    ("SINH", "float", sinh_tail, D(0), HYPER_HIGH, lambda z: z / (1 + z * sinh_tail(z)), -26,
     "sinh r = r + r^3 P(r^2), |r| <= 5/8 ln(2)"),
    ("COSH", "double", cosh_tail, D(0), HYPER_HIGH, lambda z: z / (1 + z * cosh_tail(z)), -54,
     "cosh r = 1 + r^2 P(r^2), |r| <= 5/8 ln(2)"),
    ("SINH", "double", sinh_tail, D(0), HYPER_HIGH, lambda z: z / (1 + z * sinh_tail(z)), -57,
     "sinh r = r + r^3 P(r^2), |r| <= 5/8 ln(2)"),
    ("SIN", "float", sin_tail, D(0), QUARTER_PI ** 2, lambda z: z, -27,
     "sin r = r + r^3 P(r^2), |r| <= pi/4"),
    ("SIN_TURN", "float", sin_tail, D(0), 4 * QUARTER_PI ** 2,
     lambda z: z / (1 + z * sin_tail(z)), -26, "the same, |r| <= pi/2"),
    ("SIN", "double", sin_tail, D(0), QUARTER_PI ** 2, lambda z: z, -58,
     "sin r = r + r^3 P(r^2), |r| <= pi/4"),
    ("SIN_TURN", "double", sin_tail, D(0), 4 * QUARTER_PI ** 2,
     lambda z: z / (1 + z * sin_tail(z)), -57, "the same, |r| <= pi/2"),
    ("COS", "float", cos_tail, D(0), QUARTER_PI ** 2, lambda z: z * z, -27,
     "cos r = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4"),
    ("COS", "double", cos_tail, D(0), QUARTER_PI ** 2, lambda z: z * z, -58,
     "cos r = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4"),
    ("SINPI_TURN", "float", sinpi_rest, D(0), ONE / 4, lambda z: 1 / sinpi_whole(z), -27,
     "sin(pi d) = 2d + d P(d^2), |d| <= 1/2"),
    ("SINPI_TURN", "double", sinpi_rest, D(0), ONE / 4, lambda z: 1 / sinpi_whole(z), -55,
     "sin(pi d) = 2d + d P(d^2), |d| <= 1/2"),
    ("ATAN", "float", atan_tail, D(0), TAN_PI_8 ** 2, lambda z: z, -27,
     "atan r = r + r^3 P(r^2), |r| <= tan(pi/8)"),
    ("ATAN_WHOLE", "float", atan_whole_tail, D(0), ONE, lambda z: z / (1 + z * atan_whole_tail(z)), -25,
     "atan r = r + r^3 P(r^2), |r| <= 1"),
    ("ATAN", "double", atan_tail, D(0), TAN_PI_8 ** 2, lambda z: z, -54,
     "atan r = r + r^3 P(r^2), |r| <= tan(pi/8)"),
    ("ATAN_TABLE", "float", atan_tail, D(0), D("0.00985"), lambda z: z, -26,
     "the same, |r| <= 0.0992"),
    ("ATAN_OCTAVES", "float", atan_tail, D(0), D("0.0264"), lambda z: z, -26,
     "the same, |r| <= 0.1624"),
    ("ATAN_HALVED", "double", atan_tail, D(0), TAN_PI_8 ** 2, lambda z: z, -54,
     "the same, in two chains"),
    ("ATAN_TABLE", "double", atan_tail, D(0), D("0.00985"), lambda z: z, -53,
     "the same, |r| <= 0.0992"),
    ("ASIN", "float", asin_tail, D(0), D("0.25"), lambda z: z, -27,
     "asin r = r + r^3 P(r^2), |r| <= 1/2"),
    ("ASIN", "double", asin_tail, D(0), D("0.25"), lambda z: z, -55,
     "asin r = r + r^3 P(r^2), |r| <= 1/2"),
    ("ERFC", "float", erfc_short, D(-1), D("7.5") / D("13.5"), lambda t: 1 / erfc_short(t), -27,
     "erfc x = e^(-x^2) / (x + 3) P((x - 3) / (x + 3)), x in [0, 10.5]"),
    ("EXP_ERFC", "double", exp_tail, -LN2 / 2, LN2 / 2, lambda r: r * r / r.exp(), -51,
     "e^r = 1 + r + r^2 P(r), |r| <= ln(2)/2, for erfc"),
    ("STIRLING", "double", stirling_tail, D(0), ONE / 16,
     lambda z: z.sqrt() / log_gamma(1 / z.sqrt()), -58,
     "log gamma x = Stirling's formula + P(1/x^2) / x, x >= 4"),
    ("LGAMMA", "double", log_gamma_middle, D(0), ONE, lambda u: 1 / log_gamma_middle(u), -56,
     "log gamma(1+u) = u (u-1) P(u), u in [0, 1]"),
]

# Those of two chains of half the length, of even and of odd powers: TFP_X(x, z), z = x^2.
HALVED = {("ATAN_HALVED", "double"), ("LOG_POW", "float"), ("ATAN_WHOLE", "float"), ("ERFC", "float")}

# Those that a long chain of operations waits for, as a tree (G. Estrin 1960) of groups of four:
# TFP_X(x, z, w), z = x^2, w = x^4.
TREES = {("ASIN", "double"), ("LOG_POW", "double"), ("EXP_POW", "double"), ("EXP_ERFC", "double"), ("LOG2_POW", "double"),
         ("EXP2_POW", "double")}

# name, type, g, argument at 0 <= u <= 1 (where samples should be dense at either end), degrees above and
# below, factor of what is below, what it is: g(x) = ABOVE(x) / BELOW(x) in relative error, as TFP_X_ABOVE(x, z)
# and TFP_X_BELOW(x, z), z = x^2, each of them two chains as in HALVED. All coefficients are positive.
FRACTIONS = [
    ("ERF", "float", lambda z: erf_of(z.sqrt()) / z.sqrt(), lambda u: D("15.8") * u * u, 5, 6, 1,
     "erf x = x ABOVE(x^2) / BELOW(x^2), |x| <= 3.97"),
    ("ERF", "double", lambda z: erf_of(z.sqrt()) / z.sqrt(), lambda u: 35 * u * u, 12, 13, 1,
     "erf x = x ABOVE(x^2) / BELOW(x^2), |x| <= 5.9"),
    ("ERFC", "double", erfcx, lambda u: 2 * u / (D("1.073") - u), 9, 10, 2 ** 64,
     "erfc x = e^(-x^2) 2^64 ABOVE(x) / BELOW(x), x in [0, 27.3]"),
]


def tan_fraction(depth):
    """Lambert's continued fraction of tan(r) / r in z = r^2, cut after `depth` terms, as the
    coefficients of its numerator and denominator, which start with 1"""
    above, below = [Fraction(2 * depth - 1)], [Fraction(1)]
    for k in range(depth - 1, 0, -1):   # 2k - 1 - z / (above / below)
        size = max(len(above), len(below) + 1)
        padded = above + [Fraction(0)] * (size - len(above))
        step = [(2 * k - 1) * a - b for a, b in zip(padded, [0] + below + [0] * size)]
        above, below = step, above
    return [c / above[0] for c in below], [c / above[0] for c in above]


def tan_entries():
    """tan r = r (1 + z N(z)) / (1 + z D(z)) for |r| <= pi/4"""
    out = []
    for type_, depth in (("float", 5), ("double", 9)):
        parts = tan_fraction(depth)
        exact = [[D(c.numerator) / D(c.denominator) for c in part] for part in parts]
        z = QUARTER_PI ** 2
        error = abs(horner(exact[0], z) / horner(exact[1], z) * QUARTER_PI - 1)
        for name, part in zip(("ABOVE", "BELOW"), exact):
            text = nested([trim(rounded(c, type_)) for c in part[1:]], "x")
            out += [f"// tan r = r (1 + z ABOVE(z)) / (1 + z BELOW(z)), z = r^2, |r| <= pi/4; error "
                    f"2^{float(error.ln() / LN2):.1f}.",
                    *wrap(f"#define TFP_TAN_{name}_{type_}(x) \\", f"({text})"), ""]
    return out


def fraction_entries():
    """Those of FRACTIONS"""
    out = []
    for name, type_, g, place, above, below, factor, what in FRACTIONS:
        points = [place(D(1 - cos(pi * i / 600)) / 2 + D("1e-9")) for i in range(601)]
        *parts, error = remez_fraction([(x, g(x)) for x in points], above, below)
        for part, coefficients, scale in (("ABOVE", parts[0], 1), ("BELOW", parts[1], factor)):
            literals = [trim(rounded(c * scale, type_)) for c in coefficients]
            out += [f"// {what}; error 2^{float(error.ln() / LN2):.1f}.",
                    *wrap(f"#define TFP_{name}_{part}_{type_}(x, z) \\", f"({halved(literals)})"), ""]
    return out


def solve(rows):
    """Gauss elimination with pivots; rows are [a0 ... an, b]."""
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    result = [D(0)] * n
    for i in reversed(range(n)):
        rest = sum((rows[i][j] * result[j] for j in range(i + 1, n)), D(0))
        result[i] = (rows[i][n] - rest) / rows[i][i]
    return result


def horner(coefficients, x):
    value = D(0)
    for c in reversed(coefficients):
        value = value * x + c
    return value


def remez(samples, degree):
    """Minimax coefficients over samples [(x, g, weight)], and the largest weighted error."""
    n, last = degree + 2, len(samples) - 1
    picks = [round((2 * i + 1) / (2 * n) * last) for i in range(n)]
    for _ in range(12):
        rows = []
        for i, at in enumerate(picks):
            x, g, weight = samples[at]
            rows.append([x ** k for k in range(degree + 1)] + [(-1) ** i / weight, g])
        coefficients = solve(rows)[:-1]
        errors = [(g - horner(coefficients, x)) * w for x, g, w in samples]
        peaks = extrema(errors, n)
        if peaks is None or peaks == picks:
            break
        picks = peaks
    return coefficients, max(abs(e) for e in errors)


def remez_fraction(samples, above, below):
    """Coefficients above and below (which start with 1) of the minimax fraction over samples [(x, g)], and
    the largest relative error. An exchange for fractions is nonlinear in the error, which is therefore
    iterated (Muller, ch. 3.5); the best of all rounds is taken."""
    n, last, level = above + below + 2, len(samples) - 1, D(0)
    picks = [round((2 * i + 1) / (2 * n) * last) for i in range(n)]
    best, least = None, D("Infinity")
    for _ in range(30):
        for _ in range(8):
            rows = []
            for i, at in enumerate(picks):
                (x, g), sign = samples[at], (-1) ** i
                wanted = g * (1 + sign * level)
                rows.append([x ** k for k in range(above + 1)] +
                            [-wanted * x ** k for k in range(1, below + 1)] + [-sign * g, g])
            *coefficients, found = solve(rows)
            settled, level = abs(found - level) <= abs(found) / 10 ** 4, found
            if settled:
                break
        parts = coefficients[:above + 1], [ONE] + coefficients[above + 1:]
        errors = [horner(parts[0], x) / horner(parts[1], x) / g - 1 for x, g in samples]
        if max(abs(e) for e in errors) < least:
            best, least = parts, max(abs(e) for e in errors)
        peaks = extrema(errors, n)
        if peaks is None or peaks == picks:
            break
        picks = peaks
    return *best, least


def extrema(errors, wanted):
    """Places of `wanted` alternating extremes of the error, or None if there are fewer."""
    places = []
    for i, e in enumerate(errors):
        if places and (errors[places[-1]] < 0) == (e < 0):
            if abs(e) > abs(errors[places[-1]]):
                places[-1] = i
        else:
            places.append(i)
    while len(places) > wanted:
        places.pop(0 if abs(errors[places[0]]) < abs(errors[places[-1]]) else -1)
    return places if len(places) == wanted else None


def rounded(value, type_):
    """The nearest number of the type, as a hexadecimal literal."""
    if type_ == "float":
        return struct.unpack("f", struct.pack("f", float(value)))[0].hex() + "f"
    return float(value).hex()


def trim(literal):
    """0x1.8000000000000p+1f -> 0x1.8p+1f"""
    head, exponent = literal.split("p")
    head = head.rstrip("0") if "." in head else head
    return f"{head.rstrip('.')}p{exponent}"


def entry(name, type_, g, low, high, weight, wanted, what):
    points = [low + (high - low) * D(1 - cos(pi * i / 400)) / 2 for i in range(401)]
    # Where the weight is next to nothing, the exchange would find no way.
    samples = [(x, g(x), abs(weight(x))) for x in points
               if abs(x) > (high - low) / 2000 and weight(x)]
    for degree in range(1, 26):
        coefficients, error = remez(samples, degree)
        if error < D(2) ** wanted:
            break
    literals = [trim(rounded(c, type_)) for c in coefficients]
    if (name, type_) in HALVED:
        head, text = "(x, z)", halved(literals)
    elif (name, type_) in TREES:
        head, text = "(x, z, w)", tree(literals)
    else:
        head, text = "(x)", nested(literals, "x")
    bits = float(error.ln() / LN2)
    lines = [f"// {what}; error 2^{bits:.1f}.", f"#define TFP_{name}_{type_}{head} \\"]
    return "\n".join([lines[0], *wrap(lines[1], f"({text})")])


def nested(literals, x):
    """Horner's scheme, as text."""
    text = literals[-1]
    for literal in reversed(literals[:-1]):
        plain = text == literals[-1] and " " not in text
        text = f"{text} * ({x}) + {literal}" if plain else f"({text}) * ({x}) + {literal}"
    return text


def halved(literals):
    """Horner's scheme for even and for odd powers, as text."""
    return f"{nested(literals[::2], 'z')} + (x) * ({nested(literals[1::2], 'z')})"


def tree(literals):
    """Estrin's scheme for groups of four, Horner's for their sum, as text."""
    pairs = [" * (x) + ".join(reversed(literals[i:i + 2])) for i in range(0, len(literals), 2)]
    fours = ["(z) + ".join(f"({pair}) * " if n else f"({pair})" for n, pair in
                           reversed(list(enumerate(pairs[i:i + 2]))))
             for i in range(0, len(pairs), 2)]
    return nested([f"({four})" for four in fours], "w")


def wrap(head, text):
    """Breaks a macro's text at spaces so that lines stay below 90 columns."""
    lines, line = [head[:-2].rstrip()], "   "
    for word in text.split(" "):
        if len(line) + 1 + len(word) > 86:
            lines.append(line)
            line = "   "
        line += " " + word
    lines.append(line)
    return [f"{one.ljust(88)}\\" for one in lines[:-1]] + [lines[-1]]


def leading(value, bits):
    """`value` cut to its first `bits` bits, as an exact Decimal."""
    exponent = 0
    while abs(value) * D(2) ** exponent < D(2) ** (bits - 1):
        exponent += 1
    while abs(value) * D(2) ** exponent >= D(2) ** bits:
        exponent -= 1
    return D(int(value * D(2) ** exponent)) / D(2) ** exponent


# Numbers c near the inverse of the middle of each sixteenth of [POW_ROOT, 2 POW_ROOT), which 1 lies two
# thirds into one of: -log2(c) is within 2^-69 of a multiple of 2^-41, so that one double is enough for it (S. Gal
# 1985 chose tables so). Found by trying neighbours of the middle's inverse, up to 2^29 of them.
POW_ROOT = "0x1.65c29p-1"
POW_SCALES = """0x1.66c60672f2cf8p+0 0x1.57b859fe58b39p+0 0x1.49e109ae60a39p+0 0x1.3d1c0b832dcb4p+0
    0x1.314ab449bfa37p+0 0x1.2652c037b3ecp+0 0x1.1c1d9303ae7e8p+0 0x1.129792ea8879p+0
    0x1.09afb815d7571p+0 0x1p+0 0x1.e6a736940bd02p-1 0x1.cb5d3d6b56e4cp-1
    0x1.b2f925ca2535ep-1 0x1.9d0ab3ea2d61bp-1 0x1.89373f1a03b98p-1 0x1.7734b7504687fp-1""".split()


def power_tables():
    """Tables for powers of doubles in few steps (math_power.def)"""
    steps = []
    for scale in POW_SCALES:
        log = -D(float.fromhex(scale)).ln() / LN2
        steps.append(D(round(log * 2 ** 41)) / 2 ** 41)
        assert abs(steps[-1] - log) < D(2) ** -69
    roots = [D(2) ** (D(i) / 16) for i in range(16)]
    firsts = [D(float(root)) for root in roots]
    # The sixteenths that are added to a power's exponent are taken away before.
    bits = [int.from_bytes(struct.pack(">d", float(first)), "big") - (i << 48) for i, first in enumerate(firsts)]
    rests = [(root - first) / first for root, first in zip(roots, firsts)]
    out = ["", "// For powers of doubles: numbers c near the inverses of 16 parts of a range, -log2(c) of each; the bits of",
           "// 2^(i/16) less those of i/16 in the exponent, and what these lose of it.",
           constant("POW_ROOT", D(float.fromhex(POW_ROOT)), "double")]
    # Exponents are counted from the least.
    steps = [step - 1021 for step in steps]
    for name, row in (("SCALES", POW_SCALES), ("STEPS", [trim(rounded(step, "double")) for step in steps]),
                      ("ROOTS", [f"0x{b:016x}ul" for b in bits]),
                      ("RESTS", [trim(rounded(rest, "double")) for rest in rests])):
        out += wrap(f"#define TFK_POW_{name} \\", ", ".join(row))
    return out


# Numbers near the middles of 16 parts of the positive numbers, by the last bits of the exponent and the first one of
# the fraction (OCTAVES: of 8, by the exponent): atan is within 2^-63 (float: 2^-35) of a number of the type for each
# (Gal, as above). 0 and 2^64, for infinity, are those of the ends.
ATAN_CENTERS = {
    "OCTAVES_float": "0x1.5a035p+1 0x1.5680a8p+2 0x1p+64 0x0p+0 0x1.7e748p-3 0x1.7ab4f4p-2 0x1.70e936p-1 0x1.630fb8p+0".split(),
    "CENTERS_float": """0x1.34e716p+1 0x1.b78fa8p+1 0x1.339e86p+2 0x1.b6edbp+2 0x1.333edp+3 0x1p+64 0x0p+0 0x1.bfd5a8p-4
        0x1.3fa53p-3 0x1.bf7b8ap-3 0x1.3ec09cp-2 0x1.be7c1p-2 0x1.3c50d6p-1 0x1.bbf4bap-1 0x1.383628p+0
        0x1.b91462p+0""".split(),
    "CENTERS_double": """0x1.3504f333f8ee8p+1 0x1.b78f34fc55a75p+1 0x1.33b6101db2e3ap+2 0x1.b70b2ceac5038p+2
        0x1.3354f7937be1ap+3 0x1p+64 0x0p+0 0x1.bfe4566cb1b4cp-4
        0x1.3fb1faabbefe9p-3 0x1.bf9535a9653c2p-3 0x1.3edd6983a85c3p-2 0x1.be89019b53295p-2
        0x1.3c6ef372fe565p-1 0x1.bc0e24947fa34p-1 0x1.3845118db56c7p+0 0x1.b9224dab8bfefp+0""".split()}


def atan_tables():
    """Tables for atan (math_trig.def)"""
    out = ["", "// For atan: numbers near the middles of 16 parts of the positive numbers, and their angles."]
    for name, centers in ATAN_CENTERS.items():
        angles, type_ = [], name.split("_")[1]
        bits = 35 if type_ == "float" else 63
        for center in centers:
            c = D(float.fromhex(center))
            r = c / (1 + (1 + c * c).sqrt())   # tan of half the angle
            angle = 2 * r * (1 + r * r * atan_whole_tail(r * r)) if c else c
            angles.append(trim(rounded(angle, type_)))
            lost = abs(D(float.fromhex(angles[-1].rstrip("f"))) - angle)
            assert lost <= D(2) ** -bits * angle or c > 16
        end = "f" if type_ == "float" else ""
        out += wrap(f"#define TFK_ATAN_{name} \\", ", ".join(center + end for center in centers))
        out += wrap(f"#define TFK_ATAN_{name}_ANGLES \\", ", ".join(angles))
    return out


def constant(name, value, type_):
    return f"#define TFK_{name}_{type_} {trim(rounded(value, type_))}"


def constants():
    """Numbers that the bodies need in both types, and those that must be split."""
    out = ["// Constants, rounded to the type."]
    for name, value in (("LOG2E", 1 / LN2), ("LN2", LN2), ("LOG2_10", LN10 / LN2),
                        ("LOG10E", 1 / LN10), ("PI", PI), ("INV_PI", 1 / PI),
                        ("TWO_OVER_PI", 2 / PI), ("SQRT_HALF", SQRT_HALF),
                        ("TAN_PI_8", TAN_PI_8), ("TAN_3PI_8", 1 / TAN_PI_8)):
        out += [constant(name, value, type_) for type_ in ("float", "double")]
    for name, value in (("SQRT_2PI", (2 * PI).sqrt()), ("STIRLING", ((2 * PI).ln() - 1) / 2),
                        ("LOG2E_POW", 2 / (3 * LN2))):
        out.append(constant(name, value, "double"))
    out += [constant("TWO_THIRDS", D(2) / 3, "double"), constant("POW_LOW", POW_LOW, "float"), constant("THIRD", THIRD, "float")]
    out += ["", "// High parts with trailing zeros, so that a product with an exponent is exact",
            "// (Cody and Waite 1980), and what is left of the number."]
    for name, value in (("LN2", LN2), ("LG2", LN2 / LN10), ("LN2_POW", LN2 * 3 / 2)):
        for type_, bits in (("float", 15), ("double", 32))[name == "LN2_POW":]:
            high = leading(value, bits)
            out += [constant(name + "_HI", high, type_), constant(name + "_LO", value - high, type_)]
    out += ["", "// Sums of two numbers of the type."]
    for name, value in (("PI", PI), ("PI_2", PI / 2), ("PI_4", PI / 4), ("LOG2E", 1 / LN2), ("LOG2_10", LN10 / LN2)):
        for type_ in ("float", "double"):
            first = D(float.fromhex(rounded(value, type_).rstrip("f")))
            out += [constant(name + "_FIRST", first, type_),
                    constant(name + "_REST", value - first, type_)]
    out += ["", "// What such sums still lack, where products are fused."]
    for type_, value in (("float", PI), ("double", PI / 2)):
        name = "PI" if type_ == "float" else "PI_2"
        for _ in range(2):
            value -= D(float.fromhex(rounded(value, type_).rstrip("f")))
        out.append(constant(name + "_LAST", value, type_))
    out += ["", "// What FIRST lacks of pi, cut to a number and the rest of it: none of them is negative."]
    rest = PI - D(float.fromhex(rounded(PI, "double")))
    out += [constant("PI_SECOND", leading(rest, 53), "double"), constant("PI_THIRD", rest - leading(rest, 53), "double")]
    out += ["", "// pi/2 in parts of 33 bits; REST after one part, and after three."]
    rest = PI / 2
    for number in (1, 2, 3):
        part = leading(rest, 33)
        rest -= part
        out.append(constant(f"PI_2_PART{number}", part, "double"))
        if number != 2:
            out.append(constant(f"PI_2_REST{number}", rest, "double"))
    out += ["", "// pi in parts of 13 bits, and the rest."]
    rest = PI
    for number in (1, 2, 3):
        part = leading(rest, 13)
        rest -= part
        out.append(constant(f"PI_PART{number}", part, "float"))
    out.append(constant("PI_PART4", rest, "float"))
    out += ["", "// pi in parts of 8 bits, and the rest."]
    rest = PI
    for number in (1, 2, 3):
        part = leading(rest, 8)
        rest -= part
        out.append(constant(f"PI_BYTE{number}", part, "float"))
    out.append(constant("PI_BYTE4", rest, "float"))
    out += ["", "// The bits of 2/pi behind the point, after one word of zeros."]
    with localcontext() as context:
        context.prec = 430
        bits = int(2 / PI_LONG * D(2) ** (64 * 20))
    words = [0] + [bits >> 64 * (19 - i) & (2 ** 64 - 1) for i in range(20)]
    out.append("#define TFK_TWO_OVER_PI_WORDS" + " " * 59 + "\\")
    for i in range(0, len(words), 3):
        line = "    " + ", ".join(f"0x{word:016x}ul" for word in words[i:i + 3])
        out.append(f"{line},".ljust(88) + "\\" if i + 3 < len(words) else line)
    return out


def main():
    path = sys.argv[1]
    parts = ["// SPDX-License-Identifier: MIT",
             "// Made by tools/gen_polynomials.py, which says how. Errors are those of the",
             "// polynomial against the function, relative to the final result.",
             "// clang-format off",
             "#ifndef TF_BUILTINS_LIB_POLYNOMIALS_H", "#define TF_BUILTINS_LIB_POLYNOMIALS_H", ""]
    parts += [entry(*row) + "\n" for row in TABLE]
    parts += tan_entries()
    parts += fraction_entries()
    parts += constants()
    parts += power_tables()
    parts += atan_tables()
    parts += ["", "#endif // TF_BUILTINS_LIB_POLYNOMIALS_H", ""]
    text = "\n".join(parts)
    if "--check" in sys.argv:
        with open(path, encoding="utf-8") as file:
            sys.exit(0 if file.read() == text else f"{path} is not what {sys.argv[0]} makes")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
