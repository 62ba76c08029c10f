# SPDX-License-Identifier: MIT
"""Kernels that nobody checks have nothing of the checks in their code.

    check_unchecked.py TREFOILC FILE.cl
"""
import subprocess
import sys

TABLE = "tf_check_table"


def code(program, path, *options):
    return subprocess.run([program, "--emit=asm", *options, path], capture_output=True, text=True,
                          check=True).stdout


def main(program, path):
    plain, checked = code(program, path), code(program, path, "-cl-trefoil-check=all")
    natural = code(program, path, "-g", "-cl-opt-disable")
    print(len(plain), len(natural), len(checked))
    return TABLE in plain or TABLE in natural or TABLE not in checked


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
