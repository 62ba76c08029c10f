#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lanes under masks divide by a constant as the program does, if any number can be divided by it: vectors of the
program, too. By others, lanes that are not active divide by 1.

    check_divisions.py TREFOILC"""
import re
import subprocess
import sys
import tempfile

SOURCE = """
#define DIVIDES(name, type, by) \\
    kernel void name(global type *a, int n) \\
    { \\
        const int i = get_global_id(0); \\
        if ((i & 3) < n) \\
            a[i] = a[i] / by; \\
    }
DIVIDES(one, uint, 9u)
DIVIDES(same, uint4, (uint4)(9))
DIVIDES(different, short8, (short8)(3, 5, 7, -3, -5, -7, 11, 13))
DIVIDES(three, uchar3, (uchar)(7))
DIVIDES(turns, int2, (int2)(3, -1))
"""
CONSTANT = re.compile(r"= [su]div <\d+ x i\d+> %\d+, (splat|<i)")
DIVISION = re.compile(r"= [su]div |= fdiv ")


def masked(trefoilc, path, kernel):
    run = subprocess.run([trefoilc, "--emit=gang", "--cpu=x86-64-v3", "--form=simt", f"--kernel={kernel}", path],
                         capture_output=True, text=True, timeout=120, check=False)
    if run.returncode:
        sys.exit(f"{kernel}: {run.stderr}")
    function = re.search(r"^define[^\n]*@tf_gang_masked\(.*?^}", run.stdout, re.M | re.S)
    if not function:
        sys.exit(f"{kernel}: no lanes under masks")
    return function.group()


def main():
    wrong = []
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
        source.write(SOURCE)
        source.flush()
        for kernel in ("one", "same", "different", "three", "turns"):
            lines = [line for line in masked(sys.argv[1], source.name, kernel).splitlines() if DIVISION.search(line)]
            by_constant = bool(lines) and all(CONSTANT.search(line) for line in lines)
            if by_constant != (kernel != "turns"):
                wrong.append(f"{kernel}: {lines}")
    sys.exit("\n".join(wrong) or 0)


main()
