#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""With AVX-512, processors whose gathers are slow load the elements of whole gangs one by one, and only those; gathers
under masks stay what they are.

    check_gathers.py TREFOILC"""
import re
import subprocess
import sys
import tempfile

KERNELS = {
    "spaced": "in[get_global_id(0) * 17 % 4093]",
    "looked_up": "in[at[get_global_id(0)]]",
    "computed": "in[(at[get_global_id(0)] + 7) & 1023]",
    "pairs": "as_float2(((global const double *)in)[at[get_global_id(0)]]).x",
    "masked": "at[get_global_id(0)] > 0 ? in[at[get_global_id(0)]] : 0",
}
SOURCE = """
kernel void %s(global const float *in, global const int *at, global float *out)
{
    out[get_global_id(0)] = %s;
}
"""
GATHER = re.compile(r"^\s*v(?:p?)gather[dq](?:ps|pd|d|q)\s", re.M)
FAST, SLOW = "x86-64-v4", "cascadelake"


def gathers(trefoilc, path, kernel, cpu):
    run = subprocess.run([trefoilc, "--emit=asm", f"--cpu={cpu}", "--form=simt", "--width=16", f"--kernel={kernel}",
                          path],
                         capture_output=True, text=True, timeout=120, check=False)
    if run.returncode:
        sys.exit(f"{kernel}: {run.stderr}")
    return len(GATHER.findall(run.stdout))


def main():
    wrong = []
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
        source.write("".join(SOURCE % item for item in KERNELS.items()))
        source.flush()
        for kernel in KERNELS:
            fast, slow = (gathers(sys.argv[1], source.name, kernel, cpu) for cpu in (FAST, SLOW))
            if fast == 0 or (slow != fast if kernel == "masked" else slow >= fast):
                wrong.append(f"{kernel}: {fast} gathers, where they are slow {slow}")
    sys.exit("\n".join(wrong) or 0)


main()
