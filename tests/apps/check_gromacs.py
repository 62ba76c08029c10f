#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GROMACS, where it is built for OpenCL: whether it sees the device. Debian's is built without GPU support; what is of no GPU, a
processor of OpenCL's, it lists as incompatible."""
import re
import shutil
import subprocess
import sys

import app


def main():
    program = shutil.which("gmx") or shutil.which("gmx_mpi")
    if not program:
        return app.skip("GROMACS is not installed")
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=200).stdout
    support = re.search(r"GPU support:\s*(.*)", text)
    version = re.search(r"GROMACS version:\s*(\S+)", text)
    if not support or "OpenCL" not in support[1]:
        return app.skip(f"GROMACS {version[1] if version else ''} is built without OpenCL (GPU support: {support[1] if support else '?'})")
    return app.skip("GROMACS runs on OpenCL devices of the type GPU only")


if __name__ == "__main__":
    sys.exit(main())
