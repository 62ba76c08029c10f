#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Math options of builds: what the front end allows the optimizer for each, and no more.

    check_math_options.py TREFOILC"""
import re
import subprocess
import sys
import tempfile

SOURCE = """kernel void k(global float *a)
{
    float product = a[0] * a[1];
    a[2] = product + a[3];
}
"""
OFF = "#pragma OPENCL FP_CONTRACT OFF\n"
REORDER = {"reassoc", "nsz", "arcp", "afn"}
# Flags of the product and the sum, with contraction as the language has it, and turned off.
CASES = {
    "": (set(), set()),
    "-cl-denorms-are-zero": (set(), set()),
    "-cl-single-precision-constant": (set(), set()),
    "-cl-fp32-correctly-rounded-divide-sqrt": (set(), set()),
    "-cl-no-signed-zeros": ({"nsz"}, {"nsz"}),
    "-cl-mad-enable": ({"contract"}, set()),
    "-cl-unsafe-math-optimizations": ({*REORDER, "contract"}, REORDER),
    "-cl-fast-relaxed-math": ({"fast"}, {*REORDER, "nnan", "ninf"}),
}


def flags(trefoilc, source, options):
    """The flags of all products and sums in the front end's output."""
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(source)
        file.flush()
        made = subprocess.run([trefoilc, *options, "--emit=ll", file.name], text=True,
                              capture_output=True, timeout=60, check=False)
    if made.returncode:
        sys.exit(f"{options}: {made.stderr}")
    return [set(found.split()) for found in re.findall(r"= f(?:mul|add) ([a-z ]*)float", made.stdout)]


def main():
    faults = []
    for option, (wanted, wanted_off) in CASES.items():
        for source, expected in ((SOURCE, wanted), (OFF + SOURCE, wanted_off)):
            for seen in flags(sys.argv[1], source, [option] if option else []) or [{"nothing"}]:
                if seen != expected:
                    faults.append(f"{option or 'no option'}{', FP_CONTRACT OFF' * (source != SOURCE)}: "
                                  f"{sorted(seen)}, not {sorted(expected)}")
    print("\n".join(faults) or f"{len(CASES)} options as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
