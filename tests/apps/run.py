#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every script of this folder and says of each whether it passed, failed or was skipped, and why.

    run.py BUILD [NAME ..]      names without check_ and .py; default: all
"""
import os
import pathlib
import subprocess
import sys
import time

SKIP, LIMIT_S = 77, 900


def main(build, *names):
    folder = pathlib.Path(__file__).resolve().parent
    environment = {**os.environ, "OCL_ICD_VENDORS": f"{pathlib.Path(build).resolve()}/vendors",
                   "OPENCV_OPENCL_DEVICE": ":CPU:0", "OPENCV_OPENCL_CACHE_ENABLE": "0", "OPENCV_OPENCL_RAISE_ERROR": "1"}
    failed = 0
    for script in sorted(folder.glob("check_*.py")):
        name = script.stem.removeprefix("check_")
        if names and name not in names:
            continue
        start = time.monotonic()
        try:
            run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=LIMIT_S,
                                 env=environment)
            status, text = run.returncode, run.stdout + run.stderr
        except subprocess.TimeoutExpired:
            status, text = 1, f"not ended after {LIMIT_S} s"
        last = next(reversed([line for line in text.splitlines() if line.strip()]), "")
        if status == 0:
            print(f"pass {name} ({time.monotonic() - start:.0f} s)")
        elif status == SKIP:
            print(f"skip {name}: {last.removeprefix('skip: ')}")
        else:
            failed += 1
            print(f"FAIL {name}:\n{text[-2000:]}")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
