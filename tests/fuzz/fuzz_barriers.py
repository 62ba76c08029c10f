#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs random kernels with barriers (gen_barriers.py) in every form of work-groups and
compares what they print with the fibers.

    fuzz_barriers.py TREFOIL_RUN FIRST_SEED LAST_SEED [KERNELS_A_SEED]

OCL_ICD_VENDORS says which implementation. Exit status 1 if a result differs, a run fails or
takes longer than it may; the file of such a seed is kept in build/fuzz."""
import os
import pathlib
import subprocess
import sys
import tempfile

from kept import keep

SECONDS_A_KERNEL = 20
ORDERED = {"loops": {"TREFOIL_WG": "loops"}}
FORMS = {
    "4 lanes": {"TREFOIL_WG": "simt", "TREFOIL_WIDTH": "4"},
    "16 lanes": {"TREFOIL_WG": "simt", "TREFOIL_WIDTH": "16"},
}


def run(tool, path, settings, kernels):
    """What the kernels print, or why there is nothing."""
    try:
        done = subprocess.run([tool, "--platform", "Trefoil", path], env={**os.environ, **settings},
                              capture_output=True, timeout=SECONDS_A_KERNEL * kernels, check=False)
    except subprocess.TimeoutExpired:
        return None, "takes too long"
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        return None, f"status {done.returncode}: {text[-200:]} {done.stderr[-200:]}"
    return text, ""


def check(tool, folder, seed, kernels, wild):
    path = os.path.join(folder, f"barriers_{seed}{'_wild' if wild else ''}.cl")
    generator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gen_barriers.py")
    command = [sys.executable, generator, str(seed), str(kernels)] + (["wild"] if wild else [])
    source = subprocess.run(command, capture_output=True, check=True).stdout
    pathlib.Path(path).write_bytes(source)
    wanted, reason = run(tool, path, {"TREFOIL_WG": "fibers"}, kernels)
    if wanted is None or "out" not in wanted:
        print(f"{path}: fibers: {reason or 'nothing was printed'}", flush=True)
        keep(os.path.basename(path), source)
        return False
    good = True
    for name, settings in (ORDERED if wild else {**ORDERED, **FORMS}).items():
        got, reason = run(tool, path, settings, kernels)
        if got != wanted:
            print(f"{os.path.basename(path)}: {name}: {reason or 'another result'}", flush=True)
            keep(os.path.basename(path), source)
            good = False
    return good


def main():
    tool, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    kernels = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last + 1):
            for wild in (False, True):
                bad += not check(tool, folder, seed, kernels, wild)
    print(f"{2 * (last - first + 1) * kernels} kernels, {bad} files differ")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
