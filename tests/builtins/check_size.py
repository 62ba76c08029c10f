#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The built-ins library adds less than 8.7 MB to the compiler library: 8 without images,
0.2 of them ordinary arguments of exp, pow and their like apart from the rest.

    check_size.py BLOB SYMBOLS
"""
import os
import sys

LIMIT = 8_700_000
ENTRY = 8  # bytes of a symbol in the index, beside its text


def main():
    blob, symbols = sys.argv[1:3]
    with open(symbols, encoding="utf-8") as file:
        names = [line.split()[0] for line in file if line.strip()]
    index = sum(len(name) + 1 + ENTRY for name in names)
    size = os.path.getsize(blob) + index
    print(f"{len(names)} symbols, {size / 1e6:.2f} MB, {index / 1e6:.2f} of them the index; "
          f"limit {LIMIT / 1e6:.1f} MB")
    if len(names) < 10000:
        sys.exit("so few symbols: is this the library?")
    return size >= LIMIT


if __name__ == "__main__":
    sys.exit(main())
