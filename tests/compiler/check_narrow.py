#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lanes compute in 16 bits what 16 bits hold, and in no fewer than the program does what they might not hold, or
where it would not pay.

    check_narrow.py TREFOILC"""
import re
import subprocess
import sys
import tempfile

# Name, type of what is loaded, type and expression of the result, whether it is made in 16 bits.
CASES = (
    ("sum", "uchar", "uchar", "(a[i] + a[i + 1] + a[i + 2] + a[i + 3] + 2) / 4", True),
    ("wide", "uchar", "uint", "(uint)(a[i] + a[i + 1]) * a[i + 2] / 3u", False),  # 130,050 * 255
    ("ends", "uchar", "uint", "(uint)a[i] * 128 + (uint)a[i + 1] * 128 + a[i + 2]", True),  # up to 65,535
    ("past", "uchar", "uint", "(uint)a[i] * 128 + (uint)a[i + 1] * 129 + a[i + 2]", False),  # 65,790
    ("negative", "char", "short", "a[i] * 100 - a[i + 1] * 100 + a[i + 2] * 56 - 128", True),
    ("limited", "ushort", "uchar", "min((uint)a[i] + a[i + 1] / 2, 255u)", False),  # 98,302
    ("quotient", "uchar", "uchar", "(a[i] * 3 + a[i + 1] * 5) / 9 % 100", True),
    ("choice", "uchar", "uchar", "a[i] + a[i + 1] > a[i + 2] * 2 ? a[i] + 3 : a[i + 1] * 2", True),
    ("longs", "uchar", "ulong", "((ulong)a[i] + a[i + 1] + a[i + 2] + a[i + 3]) / 4", True),
    ("once", "uchar", "uint", "(uint)a[i] + 1", False),  # would be extended after the sum as before it
    ("real", "uchar", "float", "(float)(a[i] + 1)", False),
    ("borrow", "uchar", "uint", "((uint)a[i] - a[i + 1] + a[i + 2]) >> 1", False),  # wraps below 0
)
TYPE = re.compile(r"= (?:add|sub|mul|udiv|sdiv|urem|srem|shl|lshr|ashr)(?: \w+)* <\d+ x i(\d+)>")


def main():
    wrong = []
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
        for name, loaded, made, value, _ in CASES:
            source.write(f"kernel void {name}(global {made} *restrict to, global const {loaded} *restrict a) "
                         f"{{ const int i = get_global_id(0); to[i] = {value}; }}\n")
        source.flush()
        for name, _, made, value, is_narrow in CASES:
            run = subprocess.run([sys.argv[1], "--emit=gang", "--cpu=x86-64-v3", "--form=simt", "-cl-std=CL3.0", f"--kernel={name}", source.name],
                                 capture_output=True, text=True, timeout=120, check=False)
            if run.returncode:
                sys.exit(f"{name}: {run.stderr}")
            gang = re.search(r"^define[^\n]*@tf_gang\(.*?^}", run.stdout, re.M | re.S).group()
            bits = sorted(set(map(int, TYPE.findall(gang))) - {8})
            if (bits == [16]) != is_narrow:
                wrong.append(f"{name} ({value}): made in {bits} bits")
    sys.exit("\n".join(wrong) or 0)


main()
