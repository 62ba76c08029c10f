#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PolyBench's OpenCL programs (PolyBench-ACC, in the folder that POLYBENCH names): each compares what the device computes
with its own loops. With POLYBENCH_SIZE=STANDARD as large as they come, or EXTRALARGE; MINI and SMALL end soonest."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import app

SAID = re.compile(r"(?:Threshold of [\d.]+ Percent|Number of misses): (\d+)")
TIME = re.compile(r"GPU Time in seconds:\s*([\d.]+)|GPU Runtime: ([\d.]+)", re.S)


def build(compiler, sources, main, size, program):
    """They ask for GPUs: for whatever there is, here."""
    return subprocess.run([compiler, "-O2", "-w", "-std=gnu99", f"-D{size}_DATASET", "-DPOLYBENCH_TIME",
                           "-DOPENCL_DEVICE_SELECTION=CL_DEVICE_TYPE_ALL", "-DCL_TARGET_OPENCL_VERSION=120", f"-I{main.parent}",
                           f"-I{sources / 'utilities'}", str(main), "-o", str(program), "-lOpenCL", "-lm"],
                          capture_output=True, text=True, check=False)


def main():
    compiler = shutil.which("cc") or app.skip("there is no C compiler")
    given = os.environ.get("POLYBENCH") or app.skip("POLYBENCH names no folder of PolyBench-ACC")
    size = os.environ.get("POLYBENCH_SIZE", "SMALL")
    results = app.Results()
    with tempfile.TemporaryDirectory() as folder:
        sources = pathlib.Path(folder) / "OpenCL"
        shutil.copytree(pathlib.Path(given) / "OpenCL", sources)
        programs = sorted(path for path in sources.rglob("*.c") if "utilities" not in path.parts)
        if not programs:
            return app.skip(f"{given} holds no OpenCL programs")
        for source in programs:
            program = source.with_suffix(".exe")
            built = build(compiler, sources, source, size, program)
            if built.returncode:
                print(f"{source.stem} does not build:\n{built.stderr[:1500]}")
                results.failed += 1
                continue
            run = subprocess.run([str(program)], cwd=source.parent, capture_output=True, text=True, check=False, timeout=600)
            said, time = SAID.search(run.stdout), TIME.search(run.stdout)
            results.case(source.stem, float("nan") if run.returncode or not said else int(said[1]), 0)
            if time:
                print(f"    {time[1] or time[2]} s")
            if run.returncode or not said or int(said[1]):
                print(f"    status {run.returncode}: {run.stdout[-500:]}{run.stderr[-500:]}")
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
