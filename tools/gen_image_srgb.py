#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/builtins/lib/image_srgb.h: the sRGB curve (IEC 61966-2-1) of 8-bit channels as
two tables, both correctly rounded.

    gen_image_srgb.py FILE            writes it
    gen_image_srgb.py FILE --check    fails if it is not up to date
"""
import struct
import sys
from decimal import Decimal, getcontext

getcontext().prec = 40

HEAD = """// SPDX-License-Identifier: MIT
// Made by tools/gen_image_srgb.py: the sRGB curve of 8-bit channels.
#ifndef TF_BUILTINS_LIB_IMAGE_SRGB_H
#define TF_BUILTINS_LIB_IMAGE_SRGB_H

// The linear value of each number.
"""
FOOT = """
#endif // TF_BUILTINS_LIB_IMAGE_SRGB_H
"""


def to_linear(encoded):
    """The exact curve, with the constants of OpenCL C 6.15.15: 0 .. 1 to 0 .. 1."""
    if encoded <= Decimal("0.04045"):
        return encoded / Decimal("12.92")
    return ((encoded + Decimal("0.055")) / Decimal("1.055")) ** Decimal("2.4")


def from_linear(linear):
    if linear < Decimal("0.0031308"):
        return linear * Decimal("12.92")
    return Decimal("1.055") * linear ** (1 / Decimal("2.4")) - Decimal("0.055")


def single(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def nearest(value):
    """The float nearest to a Decimal in 0 .. 1."""
    bits = struct.unpack("<I", struct.pack("<f", float(value)))[0]
    around = [single(b) for b in (bits - 1, bits, bits + 1) if b >= 0]
    return min(around, key=lambda f: abs(Decimal(f) - value))


def least(number):
    """The least float that is encoded as `number` or more: that times 255 rounds up to it."""
    low, high = 0, 0x3f800000
    while low < high:
        middle = (low + high) // 2
        if from_linear(Decimal(single(middle))) * 255 >= number - Decimal("0.5"):
            high = middle
        else:
            low = middle + 1
    return single(low)


def short_hex(value):
    fraction, _, exponent = float(value).hex().partition("p")
    return f"{fraction.rstrip('0').rstrip('.')}p{exponent}" if value else "0x0p+0"


def table(name, values):
    words = [f"{short_hex(v)}f" for v in values]
    rows = [", ".join(words[i:i + 4]) for i in range(0, len(words), 4)]
    return f"static constant float {name}[256] = {{\n    " + ",\n    ".join(rows) + "};\n"


def main():
    linear = [nearest(to_linear(Decimal(n) / 255)) for n in range(256)]
    limits = [0.0] + [least(n) for n in range(1, 256)]
    text = ("// clang-format off\n").join([HEAD, table("tfl_srgb_linear", linear)])
    text += ("\n// The least value that becomes each number.\n" + table("tfl_srgb_least", limits) +
             "// clang-format on\n" + FOOT)
    if "--check" in sys.argv:
        with open(sys.argv[1], encoding="utf-8") as file:
            return file.read() != text
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
