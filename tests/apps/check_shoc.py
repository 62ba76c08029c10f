#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SHOC's programs of levels 1 and 2, built (./configure --without-cuda --without-mpi; make) in the folder that SHOC names.
BFS, FFT, MD, reduction, scan, sort, SpMV and the stencil compare with the host; the rest end well, or not."""
import os
import pathlib
import re
import subprocess
import sys

import app

COMPARED = {"BFS", "FFT", "MD", "Reduction", "Scan", "Sort", "Spmv", "Stencil2D"}
GOOD = re.compile(r"\bpassed\b|: 0 validation errors", re.I)
BAD = re.compile(r"\bfail|[1-9]\d* validation errors|^error:", re.I | re.M)


def main():
    given = os.environ.get("SHOC") or app.skip("SHOC names no folder where SHOC is built")
    results, ran = app.Results(), 0
    for level in ("level1", "level2"):
        for program in sorted((pathlib.Path(given) / "src/opencl" / level).rglob("*")):
            if not program.is_file() or program.suffix or not os.access(program, os.X_OK):
                continue
            run = subprocess.run([str(program), "-s", "1", "-n", "1"], cwd=program.parent, capture_output=True, text=True, check=False,
                                 timeout=600)
            text = run.stdout + run.stderr
            good = run.returncode == 0 and not BAD.search(text) and (program.name not in COMPARED or GOOD.search(text))
            results.case(program.name, 0 if good else 1, 0)
            ran += 1
            if not good:
                print(f"    status {run.returncode}: {text[-1500:]}")
    return results.end() if ran else app.skip(f"{given} holds no programs")


if __name__ == "__main__":
    sys.exit(main())
