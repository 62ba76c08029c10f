#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sine and a cosine of one value are one call of the library's sincos, and nothing else is.

    check_sine_pairs.py TREFOILC"""
import os
import re
import subprocess
import sys
import tempfile

# The body of a kernel with float x, y, double d, float4 v, global float *g, and how often it is to call
# sincos, sin and cos.
CASES = {
    "sine first": ("g[0] = sin(x) + cos(x);", (1, 0, 0)),
    "cosine first": ("float a = x * y; g[0] = cos(a); g[1] = a * sin(a);", (1, 0, 0)),
    "in a loop": ("for (int k = 0; k < 9; k++) { float a = k * x; g[0] += cos(a); g[1] += sin(a); }", (1, 0, 0)),
    "two pairs": ("g[0] = sin(x) + cos(y) + sin(y) + cos(x);", (2, 0, 0)),
    "one sine more": ("g[0] = sin(x) * cos(x); barrier(1); g[1] = sin(y);", (1, 1, 0)),
    "vectors": ("*(global float4 *)g = sin(v) * cos(v);", (1, 0, 0)),
    "doubles": ("g[0] = sin(d) + cos(d);", (1, 0, 0)),
    "native": ("g[0] = native_cos(x) + native_sin(x);", (1, 0, 0)),
    "in a function": ("float2 c = cis(x); g[0] = c.x + c.y;", (1, 0, 0)),
    "of two values": ("g[0] = sin(x) + cos(y);", (0, 1, 1)),
    "changed between": ("float a = x; g[0] = sin(a); a += y; g[1] = cos(a);", (0, 1, 1)),
    "changed in memory": ("g[0] = sin(g[2]); g[2] = y; g[1] = cos(g[2]);", (0, 1, 1)),
    "only one of them taken": ("if (x > y) g[0] = sin(x); else g[0] = cos(x);", (0, 1, 1)),
    "cosine under a condition": ("g[0] = sin(x); if (g[1] > y) g[2] = cos(x);", (0, 1, 1)),
    "of two types": ("g[0] = sin(x) + cos((double)x);", (0, 1, 1)),
    "the program's own": ("g[0] = sin(x) + cos(x);", (0, 1, 1)),
    "of halves": ("half h = x; g[0] = sin(h) + cos(h);", (0, 1, 1)),
}
HEAD = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
"""
# What stands above the kernel.
OWN = {
    "in a function": "float2 cis(float a) { return (float2)(cos(a), sin(a)); }\n",
    "the program's own": "float __attribute__((overloadable, noinline)) sin(float a) { return 1 - a; }\n",
}


def called(trefoilc, name, options=()):
    body = CASES[name][0]
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(HEAD + OWN.get(name, "") + "kernel void k(float x, float y, double d, float4 v, global float *g) {" + body + "}\n")
        file.flush()
        run = subprocess.run([trefoilc, "-o", os.devnull, *options, file.name], capture_output=True, text=True,
                             timeout=120, check=False, env={**os.environ, "TREFOIL_DUMP": "link"})
    if run.returncode:
        sys.exit(f"{name}: {run.stderr}")
    # The program's own functions: the library's are linkonce_odr.
    own = re.sub(r"^define linkonce_odr .*?^}", "", run.stderr, flags=re.M | re.S)
    calls = re.findall(r"call .*@(?:_Z\d+|__tf_b_)(?:native_)?(sincos|sin|cos)", own)
    return tuple(calls.count(name) for name in ("sincos", "sin", "cos"))


def main():
    trefoilc, faults = sys.argv[1], []
    for name, (_, wanted) in CASES.items():
        found = called(trefoilc, name)
        if found != wanted:
            faults.append(f"{name}: {found} calls of sincos, sin and cos, not {wanted}")
    if called(trefoilc, "sine first", ["-cl-opt-disable"])[0]:
        faults.append("paired without optimization")
    print("\n".join(faults) or f"{len(CASES)} kernels as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
