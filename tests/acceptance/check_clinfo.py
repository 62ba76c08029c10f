# SPDX-License-Identifier: MIT
"""clinfo lists one CPU device with no error line and loads neither LLVM nor the compiler
before it builds a program of its own (it does, for one line of its output); clinfo -l never."""
import os
import re
import shutil
import subprocess
import sys

# clinfo prints what an entry point refused as "<... Error ...>" or "error -30".
ERROR = re.compile(r"\berror\b|<printDeviceInfo|CL_INVALID|CL_OUT_OF", re.IGNORECASE)
# Lines about properties with "error" in their name.
HARMLESS = re.compile(r"Error Correction|NULL platform behavior")


def run(*arguments, **environment):
    return subprocess.run(["clinfo", *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def main():
    if not shutil.which("clinfo"):
        print("no clinfo here")
        return 77
    faults = []
    full = run()
    if full.returncode:
        faults.append(f"clinfo ends with status {full.returncode}")
    # The end of the output checks what the loader does with a NULL platform: not ours.
    own = full.stdout.split("NULL platform behavior")[0]
    faults += [line for line in (own + full.stderr).splitlines()
               if ERROR.search(line) and not HARMLESS.search(line)]
    # Not --raw: clinfo 3.0.23 writes past the end of a block of its own there.
    if len(re.findall(r"^  Device Type\s+CPU$", own, re.M)) != 1:
        faults.append("not exactly one CPU device")
    if not re.search(r"^  Platform Name\s+Trefoil$", own, re.M):
        faults.append("no platform called Trefoil")
    listed = run("-l", LD_DEBUG="files").stderr
    queried = run(LD_DEBUG="files", TREFOIL_LOG="api").stderr
    before_build, build, _ = queried.partition("clCreateProgramWithSource")
    if not build:
        before_build = queried
    for what, loaded in (("clinfo -l", listed), ("clinfo, before a build,", before_build)):
        if "libtrefoil.so" not in loaded:
            faults.append(f"LD_DEBUG does not show that {what} loads libtrefoil.so")
        for name in ("trefoil-compiler", "libLLVM", "libclang"):
            if name in loaded:
                faults.append(f"{what} loads {name}")
    print("\n".join(faults) or "clinfo: one CPU device, no error line, no compiler loaded")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
