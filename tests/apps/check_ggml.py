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

# Its kernels count on sub-groups of 32 and groups of no more than 1,024 work-items.
SIZES = {"TREFOIL_SUB_GROUP_SIZE": "32", "TREFOIL_MAX_WORK_GROUP_SIZE": "1024"}
# It fails for reasons of its own: conv2d.cl takes neighbours in a row for neighbours in memory, and a sum in ssm_scan.cl one of 64
# work-items for that of a sub-group.
ITS_OWN = (re.compile(r"^CONV_2D\(.*ne_kernel=\[1,1,25,1\].*cwhn=1"), re.compile(r"^SSM_SCAN\(.*d_state=(128|256)"))
CASE = re.compile(r"([A-Z_0-9]+\(.*\)): (OK|FAIL)$")


def main(*operations):
    program = pathlib.Path(os.environ.get("GGML") or app.skip("GGML names no folder where ggml is built")) / "bin/test-backend-ops"
    if not program.exists():
        return app.skip(f"{program} is not there")
    command = [str(program), "test", "-b", "GPUOpenCL", *(["-o", ",".join(operations)] if operations else [])]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **SIZES, "GGML_OPENCL_KERNEL_CACHE_DIR": folder}
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    text = re.sub(r"\x1b\[[0-9;]*m", "", run.stdout + run.stderr)
    if "unsupported GPU" in text:
        return app.skip("the back end does not take a device of this name")
    cases = [CASE.search(line) for line in text.splitlines()]
    failed = [case[1] for case in cases if case and case[2] == "FAIL" and not any(own.match(case[1]) for own in ITS_OWN)]
    passed = sum(1 for case in cases if case and case[2] == "OK")
    print(f"{passed} passed, {len(failed)} failed, status {run.returncode}", *failed, sep="\n  ")
    return 0 if passed and not failed and run.returncode in (0, 1) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
