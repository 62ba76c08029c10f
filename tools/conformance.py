#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a built Khronos conformance suite (OpenCL-CTS) binary by binary: every subtest is a
process of its own with a limit of CPU time, so that a crash or a test without end costs one
subtest. Results go to a JSON file after each subtest and are printed as the table of
doc/conformance.md, with the difference to an earlier file.

    tools/conformance.py SUITE_BUILD --vendors build/vendors --out today.json --before last.json
    tools/conformance.py SUITE_BUILD --vendors build/vendors basic api 'images_*' --limit 60

The suite itself is not part of this repository. The device runs in the same process as the
test, so the limit counts the time of both.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time

# Name, program below test_conformance, words before the subtest. With the dummy word `x`
# non_uniform_work_group does not drop its first argument.
RUNS = [
    ("computeinfo", "computeinfo/test_computeinfo", []),
    ("basic", "basic/test_basic", []),
    ("api", "api/test_api", []),
    ("compiler", "compiler/test_compiler", []),
    ("commonfns", "commonfns/test_commonfns", []),
    ("geometrics", "geometrics/test_geometrics", []),
    ("relationals", "relationals/test_relationals", []),
    ("thread_dimensions", "thread_dimensions/test_thread_dimensions", []),
    ("multiple_device_context", "multiple_device_context/test_multiples", []),
    ("atomics", "atomics/test_atomics", []),
    ("profiling", "profiling/test_profiling", []),
    ("events", "events/test_events", []),
    ("allocations", "allocations/test_allocations", ["single", "1", "all"]),
    ("vectors", "vectors/test_vectors", []),
    ("printf", "printf/test_printf", []),
    ("device_partition", "device_partition/test_device_partition", []),
    ("buffers", "buffers/test_buffers", []),
    ("images_clGetInfo", "images/clGetInfo/test_cl_get_info", ["small_images"]),
    ("images_kernel_methods", "images/kernel_image_methods/test_kernel_image_methods",
     ["small_images"]),
    ("images_nearest", "images/kernel_read_write/test_image_streams",
     ["small_images", "CL_FILTER_NEAREST"]),
    ("images_linear", "images/kernel_read_write/test_image_streams",
     ["small_images", "CL_FILTER_LINEAR"]),
    ("images_pitch", "images/kernel_read_write/test_image_streams",
     ["small_images", "use_pitches", "CL_FILTER_NEAREST"]),
    ("images_mipmaps", "images/kernel_read_write/test_image_streams",
     ["small_images", "test_mipmaps", "CL_FILTER_NEAREST"]),
    ("images_copy", "images/clCopyImage/test_cl_copy_images", ["small_images"]),
    ("images_copy_mipmaps", "images/clCopyImage/test_cl_copy_images",
     ["small_images", "test_mipmaps"]),
    ("images_read_write", "images/clReadWriteImage/test_cl_read_write_images",
     ["small_images"]),
    ("images_read_write_pitch", "images/clReadWriteImage/test_cl_read_write_images",
     ["small_images", "use_pitches"]),
    ("images_read_write_mipmaps", "images/clReadWriteImage/test_cl_read_write_images",
     ["small_images", "test_mipmaps"]),
    ("images_fill", "images/clFillImage/test_cl_fill_images", ["small_images"]),
    ("images_fill_pitch", "images/clFillImage/test_cl_fill_images",
     ["small_images", "use_pitches"]),
    ("images_samplerless", "images/samplerlessReads/test_samplerless_reads",
     ["small_images"]),
    ("images_samplerless_pitch", "images/samplerlessReads/test_samplerless_reads",
     ["small_images", "use_pitches"]),
    ("mem_host_flags", "mem_host_flags/test_mem_host_flags", []),
    ("select", "select/test_select", []),
    ("conversions", "conversions/test_conversions", []),
    ("contractions", "contractions/test_contractions", []),
    ("math_brute_force", "math_brute_force/test_bruteforce", ["-1"]),
    ("integer_ops", "integer_ops/test_integer_ops", []),
    ("half", "half/test_half", []),
    ("c11_atomics", "c11_atomics/test_c11_atomics", []),
    ("device_execution", "device_execution/test_device_execution", []),
    ("generic_address_space", "generic_address_space/test_generic_address_space", []),
    ("non_uniform_work_group", "non_uniform_work_group/test_non_uniform_work_group", ["x"]),
    ("pipes", "pipes/test_pipes", []),
    ("SVM", "SVM/test_svm", []),
    ("workgroups", "workgroups/test_workgroups", []),
    ("device_timer", "device_timer/test_device_timer", []),
    ("spirv_new", "spirv_new/test_spirv_new", []),
    ("subgroups", "subgroups/test_subgroups", []),
]
EXTENSIONS = ("cl_ext_cxx_for_opencl", "cl_khr_semaphore", "cl_khr_command_buffer",
              "cl_khr_kernel_clock", "cl_ext_buffer_device_address",
              "cl_khr_external_semaphore", "cl_khr_unified_svm", "cl_khr_dot_product")
MUTABLE = ("extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch/"
           "test_cl_khr_mutable_dispatch")
RUNS += [(name, f"extensions/{name}/test_{name}", []) for name in EXTENSIONS]
RUNS.append(("cl_khr_mutable_dispatch", MUTABLE, []))

# One subtest that takes the names of functions: with its own name it tests nothing and passes.
WHOLE = {"conversions"}

# Environment of single subtests: this one fails with any Khronos extension that its list lacks.
SETTINGS = {"compiler_defines_for_extensions": {
    "TREFOIL_HIDE_EXTENSIONS":
        "cl_khr_async_work_group_copy_fence,cl_khr_work_group_uniform_arithmetic"}}

# Subtests that skip because the device offers more than they want run once more with this.
AGAIN = {"cl_khr_command_buffer": {
    "TREFOIL_HIDE_EXTENSIONS":
        "cl_khr_command_buffer_multi_device,cl_khr_command_buffer_mutable_dispatch"}}

# What is in the place of "small_images", of which the rows above have them all.
SIZES = {"small": ["small_images"], "any": [], "largest": ["max_images"]}

OUTCOMES = ("pass", "skip", "fail", "crash", "time", "silent")
WALL_FACTOR = 4  # a subtest that sleeps ends, too


def list_subtests(program):
    text = subprocess.run([program, "--list"], stdout=subprocess.PIPE, text=True, timeout=60,
                          stderr=subprocess.DEVNULL, check=False).stdout
    return [line.strip() for line in text.splitlines() if line.startswith("\t")]


def limits(options):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit + 5))
        if options.memory:
            resource.setrlimit(resource.RLIMIT_AS, (options.memory << 30,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def outcome_of(status, results, subtest, is_late):
    said = results.get(subtest)
    if is_late or status in (-24, -9):  # SIGXCPU, SIGKILL
        return "time"
    if status < 0:
        return "crash"
    return said if said in OUTCOMES else "silent"


def run_subtest(options, run, subtest, settings=None):
    """Outcome, CPU seconds and the end of what the test printed. `settings`: environment
    instead of SETTINGS."""
    name, program, words = run
    if words and words[0] in SIZES["small"]:
        words = SIZES[options.sizes] + words[1:]
    folder = tempfile.mkdtemp()
    results_path = os.path.join(folder, "results.json")
    environment = {**os.environ, "CL_CONFORMANCE_RESULTS_FILENAME": results_path,
                   "CL_DEVICE_TYPE": "cpu", **(settings or SETTINGS.get(subtest, {}))}
    environment.pop("LD_LIBRARY_PATH", None)
    environment.setdefault("TREFOIL_CACHE", "off")  # what passes was compiled now
    if options.vendors:
        environment["OCL_ICD_VENDORS"] = os.path.abspath(options.vendors)
    if not options.full:
        environment["CL_WIMPY_MODE"] = "1"
    path = os.path.join(options.suite, "test_conformance", program)
    command = [path, *words, *([] if name in WHOLE else [subtest]), *options.argument]
    if name == "spirv_new" and options.spirv:
        command += ["--spirv-binaries-path", os.path.abspath(options.spirv)]
    modules = os.path.join(os.path.dirname(os.path.abspath(path)), "spirv_bin")
    if os.path.isdir(modules):  # which tests open in the current folder
        os.symlink(modules, os.path.join(folder, "spirv_bin"))
    is_late = False
    with open(os.path.join(folder, "log"), "w+b") as log:
        # preexec_fn is safe here: the child execs at once and nothing but limits is set.
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=folder,
                                   env=environment, preexec_fn=limits(options))
        deadline = time.monotonic() + options.limit * WALL_FACTOR
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if not is_late and time.monotonic() > deadline:
                process.kill()
                is_late = True
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(max(0, log.seek(0, os.SEEK_END) - options.keep))
        text = log.read().decode("utf-8", "replace")
    try:
        with open(results_path, encoding="utf-8") as file:
            results = json.load(file).get("results", {})
    except (OSError, ValueError):
        results = {}
    subprocess.run(["rm", "-rf", folder], check=False)
    outcome = outcome_of(process.returncode, results, subtest, is_late)
    entry = {"outcome": outcome, "seconds": round(usage.ru_utime + usage.ru_stime, 2)}
    if options.keeps_log or outcome not in ("pass", "skip"):
        entry["log"] = text
    return entry


def chosen_runs(options):
    for run in RUNS:
        name, program, _ = run
        path = os.path.join(options.suite, "test_conformance", program)
        if options.names and not any(fnmatch.fnmatch(name, n) for n in options.names):
            continue
        if not os.access(path, os.X_OK):
            print(f"{name}: not built", file=sys.stderr)
            continue
        subtests = [s for s in list_subtests(path)
                    if not options.subtest or any(fnmatch.fnmatch(s, p) for p in options.subtest)]
        for subtest in subtests:
            yield run, subtest


def run_all(options):
    results = {}
    lock = threading.Lock()

    def work(item):
        run, subtest = item
        entry = run_subtest(options, run, subtest)
        if entry["outcome"] == "skip" and run[0] in AGAIN:
            entry = {**run_subtest(options, run, subtest, AGAIN[run[0]]),
                     "settings": AGAIN[run[0]]}
        with lock:
            results.setdefault(run[0], {})[subtest] = entry
            if options.out:
                with open(options.out + ".new", "w", encoding="utf-8") as file:
                    json.dump(results, file, indent=1, sort_keys=True)
                os.replace(options.out + ".new", options.out)
            print(f"{entry['outcome']:6} {entry['seconds']:8.1f} s  {run[0]} {subtest}",
                  flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, chosen_runs(options)))
    return results


def print_table(results):
    print("\n| Binary | Subtests | Passed | Skipped | Failed | CPU s |\n|---|---|---|---|---|---|")
    total = [0, 0, 0, 0, 0.0]
    for run in RUNS:
        subtests = results.get(run[0])
        if not subtests:
            continue
        outcomes = [entry["outcome"] for entry in subtests.values()]
        row = [len(outcomes), outcomes.count("pass"), outcomes.count("skip"), 0,
               sum(entry["seconds"] for entry in subtests.values())]
        row[3] = row[0] - row[1] - row[2]
        total = [a + b for a, b in zip(total, row)]
        print(f"| {run[0]} | {row[0]} | {row[1]} | {row[2]} | {row[3]} | {row[4]:.0f} |")
    print(f"| all | {total[0]} | {total[1]} | {total[2]} | {total[3]} | {total[4]:.0f} |")


def print_failures(results):
    for name, subtests in sorted(results.items()):
        for subtest, entry in sorted(subtests.items()):
            if entry["outcome"] not in ("pass", "skip"):
                print(f"{entry['outcome']}: {name} {subtest}")


def print_difference(before, results):
    """Of subtests that both runs had. True if one that passed does not any more."""
    worse = False
    for name, subtests in sorted(results.items()):
        for subtest, entry in sorted(subtests.items()):
            old = before.get(name, {}).get(subtest, {}).get("outcome")
            if old and old != entry["outcome"]:
                print(f"{name} {subtest}: {old} -> {entry['outcome']}")
                worse |= old == "pass"
    return worse


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help="build folder of the suite")
    parser.add_argument("names", nargs="*", help="binaries of the table (default: all)")
    parser.add_argument("--subtest", action="append", help="pattern of subtests")
    parser.add_argument("--vendors", help="ICD file or folder (default: the system's)")
    parser.add_argument("--limit", type=int, default=300, help="CPU seconds of one subtest")
    parser.add_argument("--memory", type=int, help="GiB of address space of one subtest")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--full", action="store_true", help="not the suite's wimpy mode")
    parser.add_argument("--sizes", choices=SIZES, default="small", help="of images")
    parser.add_argument("--spirv", help="folder of spirv_new's assembled modules")
    parser.add_argument("--argument", action="append", default=[],
                        help="word after the subtest (--argument=-w)")
    parser.add_argument("--keep", type=int, default=2000, help="bytes of a failure's output")
    parser.set_defaults(keeps_log=False)
    parser.add_argument("--out", help="JSON file for the results")
    parser.add_argument("--before", help="JSON file to compare with")
    options = parser.parse_intermixed_args()
    results = run_all(options)
    print_table(results)
    print_failures(results)
    worse = False
    if options.before:
        with open(options.before, encoding="utf-8") as file:
            worse = print_difference(json.load(file), results)
    failed = any(entry["outcome"] not in ("pass", "skip")
                 for subtests in results.values() for entry in subtests.values())
    return 1 if failed or worse else 0


if __name__ == "__main__":
    sys.exit(main())
