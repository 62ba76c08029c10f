#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Math options of builds: what the front end allows the optimizer for each, and no more; and
which products and sums are one operation once the program is linked.

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
# What a kernel does, with and without -cl-mad-enable: how many llvm.fmuladd it has in the end.
FUSED = {
    "float p = x * y; g[0] = p + z;": (0, 1),
    "float p = x * y; g[0] = z + p;": (0, 1),
    "float p = x * y; g[0] = p - z;": (0, 1),
    "float p = x * y; g[0] = z - p;": (0, 1),
    "g[0] = x * y + z;": (1, 1),
    "float p = x * y, q = y * z; g[0] = p + q;": (0, 1),
    "float4 p = v * x; *(global float4 *)g = p + v;": (0, 1),
    "double p = d * x; g[0] = p + z;": (0, 1),
    "float p = x * y; g[0] = p + z; g[1] = p;": (0, 0),
    "float p = x * y; while (g[1] > 0) g[0] += p;": (0, 0),
}


def text_of(trefoilc, source, options, stage):
    """The text of a stage."""
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(source)
        file.flush()
        made = subprocess.run([trefoilc, *options, f"--emit={stage}", file.name], text=True,
                              capture_output=True, timeout=60, check=False)
    if made.returncode:
        sys.exit(f"{options}: {made.stderr}")
    return made.stdout


def flags(trefoilc, source, options):
    """The flags of all products and sums in the front end's output."""
    text = text_of(trefoilc, source, options, "ll")
    return [set(found.split()) for found in re.findall(r"= f(?:mul|add) ([a-z ]*)float", text)]


def check_fused(trefoilc, options, is_loose):
    """The faults of FUSED with -cl-mad-enable and other options."""
    for body, counts in FUSED.items():
        source = f"kernel void k(global float *g, float x, float y, float z, float4 v, double d) {{ {body} }}\n"
        for option, expected in zip(((), ("-cl-mad-enable",)), counts):
            text = text_of(trefoilc, source, [*option, *options], "cleanup")
            seen = len(re.findall(r"= (?:[a-z]+ )*call .*@llvm.fmuladd", text))
            left = bool(re.search(r"\b(contract|fast)\b", text))
            if left != (is_loose and bool(option)) or (not is_loose and seen != expected):
                yield f"{body} with {[*option, *options]}: {seen} fused, not {expected}{', and more is allowed' * left}"


def main():
    faults = []
    for option, (wanted, wanted_off) in CASES.items():
        for source, expected in ((SOURCE, wanted), (OFF + SOURCE, wanted_off)):
            for seen in flags(sys.argv[1], source, [option] if option else []) or [{"nothing"}]:
                if seen != expected:
                    faults.append(f"{option or 'no option'}{', FP_CONTRACT OFF' * (source != SOURCE)}: "
                                  f"{sorted(seen)}, not {sorted(expected)}")
    faults += check_fused(sys.argv[1], [], False)
    faults += check_fused(sys.argv[1], ["-cl-finite-math-only"], False)
    faults += check_fused(sys.argv[1], ["-cl-no-signed-zeros"], True)
    print("\n".join(faults) or f"{len(CASES)} options as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
