#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LAMMPS' package GPU with OpenCL, where it is built with it: energies of melting Lennard-Jones particles against its own code."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import app

INPUT = """
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 10
run 20
"""


def energies(program, folder, *options):
    run = subprocess.run([program, "-in", "in.melt", "-log", "none", *options], capture_output=True, text=True, check=False,
                         timeout=600, cwd=folder, env={**os.environ, "HOME": folder})
    text = run.stdout + run.stderr
    rows = re.findall(r"^\s+(?:0|10|20)\s+(\S+)\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)", text, re.M)
    return run.returncode, [float(n) for row in rows for n in row], text


def main():
    program = shutil.which("lmp") or shutil.which("lammps")
    if not program:
        return app.skip("LAMMPS is not installed")
    about = subprocess.run([program, "-h"], capture_output=True, text=True, check=False, timeout=200).stdout
    if not re.search(r"^GPU package API:.*OpenCL", about, re.M):
        return app.skip("LAMMPS is built without its package GPU for OpenCL")
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.melt", "w", encoding="ascii") as file:
            file.write(INPUT)
        _, expected, _ = energies(program, folder)
        status, got, text = energies(program, folder, "-sf", "gpu", "-pk", "gpu", "1")
    results = app.Results()
    same = status == 0 and expected and len(expected) == len(got)
    results.case("energies", max(abs(a - b) / max(1, abs(a)) for a, b in zip(expected, got)) if same else float("nan"), 1e-4)
    if not same:
        print(text[-2000:])
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
