#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Start of a process: wall and CPU time of one that builds a trivial kernel, runs it and ends, with an
empty cache (cold) and with its own (warm), beside one that only loads the ICD and asks for devices, and
another implementation with an empty cache, in turns. Prints the medians and the ratio cold / other; with
--limit, --cpu-limit and --warm-limit the exit status says whether they are kept. CPU time is that of
the process and of all that it started: helper processes compile.

    tools/bench_cold.py build --other /etc/OpenCL/vendors/pocl.icd --runs 9 --limit 0.025 --warm-limit 3
"""
import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time


def run_once(command, vendors, cache):
    """(wall, CPU) in ms"""
    environment = {**os.environ, "OCL_ICD_VENDORS": vendors, "POCL_CACHE_DIR": cache,
                   "XDG_CACHE_HOME": cache, "TREFOIL_CACHE": os.path.join(cache, "trefoil")}
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = (time.perf_counter() - start) * 1e3
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command}: status {process.returncode}")
    cpu = usage.ru_utime + usage.ru_stime
    while True:
        try:
            usage = os.wait4(-1, 0)[2]
        except ChildProcessError:
            return wall, cpu * 1e3
        cpu += usage.ru_utime + usage.ru_stime


def adopt_orphans():
    """Helpers are nobody's children when they end; now they are ours."""
    set_child_subreaper = 36
    if ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0):
        sys.exit("prctl: no CPU times of helpers")


def run_cold(command, vendors):
    with tempfile.TemporaryDirectory() as cache:
        return run_once(command, vendors, cache)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder of Trefoil")
    parser.add_argument("--other", default="/etc/OpenCL/vendors/pocl.icd", help="or none")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--limit", type=float, help="largest ratio cold / other, wall")
    parser.add_argument("--cpu-limit", type=float, help="most ms of CPU time of cold")
    parser.add_argument("--warm-limit", type=float, help="most ms of CPU time of warm above load")
    options = parser.parse_args()
    adopt_orphans()
    own = os.path.join(options.build, "vendors")
    with tempfile.TemporaryDirectory() as folder:
        kernel = os.path.join(folder, "trivial.cl")
        with open(kernel, "w", encoding="utf-8") as file:
            file.write("// RUN: one global=1\n// ARG: p int[1]\n// EXPECT: p = 1\n"
                       "kernel void one(global int *p) { p[0] = 1; }\n")
        run = [os.path.join(options.build, "trefoil-run"), kernel]
        info = [os.path.join(options.build, "trefoil-info"), "--list"]
        cases = {"cold": lambda: run_cold(run, own), "warm": lambda: run_once(run, own, folder),
                 "load": lambda: run_once(info, own, folder)}
        if os.path.exists(options.other):
            cases["other"] = lambda: run_cold(run, options.other)
        for case in cases.values():
            case()  # the disk's cache is warm
        times = {name: [] for name in cases}
        for _ in range(options.runs):
            for name, case in cases.items():
                times[name].append(case())
    wall, cpu = ({name: statistics.median(t[i] for t in values) for name, values in times.items()}
                 for i in (0, 1))
    for name, values in times.items():
        least = [min(t[i] for t in values) for i in (0, 1)]
        print(f"{name:6} wall median {wall[name]:7.2f} least {least[0]:7.2f} ms   "
              f"CPU median {cpu[name]:7.2f} least {least[1]:7.2f} ms")
    print(f"warm - load: wall {wall['warm'] - wall['load']:.2f} ms, CPU {cpu['warm'] - cpu['load']:.2f} ms")
    failed = options.warm_limit is not None and cpu["warm"] - cpu["load"] > options.warm_limit
    failed |= options.cpu_limit is not None and cpu["cold"] > options.cpu_limit
    if "other" not in wall:
        print(f"skipped: no {options.other}")
        return 1 if failed else 77 if options.limit else 0
    ratio = wall["cold"] / wall["other"]
    print(f"ratio {ratio:.3f}" + (f" (limit {options.limit})" if options.limit else ""))
    return 1 if failed or (options.limit and ratio > options.limit) else 0


if __name__ == "__main__":
    sys.exit(main())
