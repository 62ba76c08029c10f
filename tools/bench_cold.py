#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cold start: wall time of a new process that builds one trivial kernel, runs it and ends,
for Trefoil and for another implementation with an empty cache, in turns. Prints the medians
and their ratio; with --limit the exit status says whether the ratio keeps to it.

    tools/bench_cold.py build --other /etc/OpenCL/vendors/pocl.icd --runs 9 --limit 0.2
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def run_once(program, kernel, vendors):
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "OCL_ICD_VENDORS": vendors, "POCL_CACHE_DIR": cache,
                       "XDG_CACHE_HOME": cache}
        start = time.perf_counter()
        subprocess.run([program, kernel], env=environment, check=True, stdout=subprocess.DEVNULL)
        return (time.perf_counter() - start) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", help="build folder of Trefoil")
    parser.add_argument("--other", default="/etc/OpenCL/vendors/pocl.icd")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--limit", type=float, help="largest ratio Trefoil / other")
    options = parser.parse_args()
    program = os.path.join(options.build, "trefoil-run")
    if not os.path.exists(options.other):
        print(f"skipped: no {options.other}")
        return 77
    vendors = {"trefoil": os.path.join(options.build, "vendors"), "other": options.other}
    times = {name: [] for name in vendors}
    folder = tempfile.mkdtemp()
    try:
        kernel = os.path.join(folder, "trivial.cl")
        with open(kernel, "w", encoding="utf-8") as file:
            file.write("// RUN: one global=1\n// ARG: p int[1]\n// EXPECT: p = 1\n"
                       "kernel void one(global int *p) { p[0] = 1; }\n")
        for name, where in vendors.items():
            run_once(program, kernel, where)  # the disk's cache is warm, the kernel's is not
        for _ in range(options.runs):
            for name, where in vendors.items():
                times[name].append(run_once(program, kernel, where))
    finally:
        shutil.rmtree(folder)
    median = {name: statistics.median(values) for name, values in times.items()}
    ratio = median["trefoil"] / median["other"]
    for name, values in times.items():
        print(f"{name:8} median {median[name]:7.1f} ms  least {min(values):7.1f} ms  ({vendors[name]})")
    print(f"ratio {ratio:.3f}" + (f" (limit {options.limit})" if options.limit else ""))
    return 1 if options.limit and ratio > options.limit else 0


if __name__ == "__main__":
    sys.exit(main())
