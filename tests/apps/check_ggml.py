#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The operations of ggml, which llama.cpp runs on, by its own test: built with -DGGML_OPENCL=ON -DGGML_OPENCL_USE_ADRENO_KERNELS=OFF in
the folder that GGML names. It compares with ggml's code for the host. The back end takes devices only whose name has Adreno or Intel in it.

    check_ggml.py [OPERATION ..]        default: all"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import app

# Its kernels take different sizes of sub-groups for granted (mul_mv_id_mxfp4 16, softmax 32, ssm_scan 64), and groups
# of no more than 1,024 work-items. Which operations are tried with a size: None: all.
SIZES = {"16": None, "32": None, "64": "SSM_SCAN"}
# It fails for reasons of its own: conv2d.cl takes neighbours in a row for neighbours in memory.
ITS_OWN = re.compile(r"^CONV_2D\(.*ne_kernel=\[1,1,25,1\].*cwhn=1")
CASE = re.compile(r"([A-Z_0-9]+\(.*\)): (OK|FAIL)$")


def run(program, size, operations, folder):
    """Cases by how they ended, "OK" and "FAIL"; None where the process did not end well."""
    environment = {**os.environ, "TREFOIL_SUB_GROUP_SIZE": size, "TREFOIL_MAX_WORK_GROUP_SIZE": "1024",
                   "GGML_OPENCL_KERNEL_CACHE_DIR": folder}
    command = [str(program), "test", "-b", "GPUOpenCL", *(["-o", ",".join(operations)] if operations else [])]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    text = re.sub(r"\x1b\[[0-9;]*m", "", ended.stdout + ended.stderr)
    if "unsupported GPU" in text:
        app.skip("the back end does not take a device of this name")
    cases = {"OK": set(), "FAIL": set()}
    for found in map(CASE.search, text.splitlines()):
        if found:
            cases[found[2]].add(found[1])
    return cases if ended.returncode in (0, 1) else None


def main(*operations):
    program = pathlib.Path(os.environ.get("GGML") or app.skip("GGML names no folder where ggml is built")) / "bin/test-backend-ops"
    if not program.exists():
        return app.skip(f"{program} is not there")
    passed, failed = set(), set()
    for size, only in SIZES.items():
        if only and operations and only not in operations:
            continue
        with tempfile.TemporaryDirectory() as folder:
            cases = run(program, size, [only] if only else operations, folder)
        if cases is None:
            print(f"the test ended before its end, with sub-groups of {size}")
            return 1
        passed |= cases["OK"]
        failed |= cases["FAIL"]
    failed = sorted(case for case in failed - passed if not ITS_OWN.match(case))
    print(f"{len(passed)} passed, {len(failed)} failed", *failed, sep="\n  ")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
