#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inverse roots stand on the processor's estimate in every form of code, those of doubles with AVX-512
alone; nothing is left of the other ways.

    check_estimates.py TREFOILC"""
import re
import subprocess
import sys
import tempfile

SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void number(global float *a) { size_t i = get_global_id(0); a[i] = rsqrt(a[i]); }
kernel void wide(global double *a) { size_t i = get_global_id(0); a[i] = rsqrt(a[i]); }
kernel void vector(global float4 *a) { size_t i = get_global_id(0); a[i] = rsqrt(a[i]); }
kernel void side(global double *a) { size_t i = get_global_id(0); a[i] = hypot(a[i], 3.0); }
kernel void loop(global float *restrict to, global const float *restrict from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = rsqrt(from[i]);
}
kernel void four(global float *restrict a)
{
    float x = a[0], y = a[1], z = a[2], w = a[3];
    a[0] = rsqrt(x), a[1] = rsqrt(y), a[2] = rsqrt(z), a[3] = rsqrt(w);
}
"""
WAYS = ([], ["--form=loops"], ["--form=fibers"], ["--form=simt"], ["--quick"], ["-cl-opt-disable"])


def code(trefoilc, path, kernel, cpu, options):
    run = subprocess.run([trefoilc, "--emit=asm", f"--cpu={cpu}", f"--kernel={kernel}", *options, path],
                         capture_output=True, text=True, timeout=120, check=False)
    if run.returncode:
        sys.exit(f"{kernel}, {cpu}, {options}: {run.stderr}")
    return run.stdout


def wanted(kernel, cpu):
    if cpu == "x86-64-v4":
        return {"14"}
    return set() if kernel in ("wide", "side") else {""}


def faults(trefoilc, path):
    for kernel in re.findall(r"kernel void (\w+)", SOURCE):
        for way in WAYS:
            for cpu in ("x86-64", "x86-64-v3", "x86-64-v4"):
                text = code(trefoilc, path, kernel, cpu, way)
                estimates = set(re.findall(r"rsqrt(14)?[sp][sd]", text))
                # Elsewhere, and for hypot, what is far out has a root of its own.
                roots = cpu == "x86-64-v4" and kernel != "side" and re.search(r"vsqrt[sp][sd]", text)
                if estimates != wanted(kernel, cpu) or roots:
                    yield f"{kernel} for {cpu}, {way}: estimates {estimates}, roots {bool(roots)}"
    for cpu, register in ("x86-64-v4", "zmm"), ("x86-64-v3", "ymm"), ("x86-64", "xmm"):
        if not re.search(rf"rsqrt(14)?ps\s+%{register}", code(trefoilc, path, "loop", cpu, ["--form=loops"])):
            yield f"{cpu}: a loop of a work-item has no vectors"
    if not re.search(r"vrsqrt14ps\s+%xmm", code(trefoilc, path, "four", "x86-64-v4", ["--form=loops"])):
        yield "four numbers side by side are no vector"


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(SOURCE)
        file.flush()
        found = list(faults(sys.argv[1], file.name))
    print("\n".join(found) or "estimates where there are some")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
