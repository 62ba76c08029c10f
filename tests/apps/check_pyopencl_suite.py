#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyOpenCL's own tests, those of the folder that PYOPENCL_TESTS names: `test` in PyOpenCL's source, of the version that is
installed. It takes minutes."""
import os
import re
import subprocess
import sys
import tempfile

import app

pytest, pyopencl = app.modules("pytest", "pyopencl")

# Where Trefoil is not at fault, and why.
OTHERS = (
    "test_wrapper.py::test_get_info",  # asks images for `image`, which PyOpenCL 2026.1 has not, but leaves pocl's and Intel's out
    "test_array.py::test_xdg_cache_home",  # nothing lies in that folder with pocl either
)


def run_tests(folder):
    left_out = [word for name in OTHERS for word in ("--deselect", name)]
    # PyOpenCL's cache knows a driver by its version: it may hold binaries of another build.
    with tempfile.TemporaryDirectory() as cache:
        return subprocess.run([sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "--tb=line",
                               "--rootdir", folder, *left_out, "."], cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "PYOPENCL_TEST": "trefoil", "XDG_CACHE_HOME": cache})


def main():
    folder = os.environ.get("PYOPENCL_TESTS") or app.skip("PYOPENCL_TESTS names no folder of PyOpenCL's tests")
    run = run_tests(folder)
    print(run.stdout[-4000:], run.stderr[-1000:])
    passed = re.search(r"(\d+) passed", run.stdout)
    print(f"PyOpenCL {pyopencl.VERSION_TEXT}: {'passed' if run.returncode == 0 and passed else 'FAILED'}")
    return 0 if run.returncode == 0 and passed else 1


if __name__ == "__main__":
    sys.exit(main())
