#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs random modules of SPIR-V (gen_spirv.py) in several forms; their text says what must come out.

    fuzz_modules.py [--turns] TREFOIL_RUN FIRST_SEED LAST_SEED

With --turns each module runs in one form, by turns. OCL_ICD_VENDORS says which implementation. Exit
status 1 if a module is refused, gives something else, falls back to another form or takes longer than it may;
its text is kept in build/fuzz. 77 without spirv-as."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from kept import keep

SECONDS_A_RUN = 120
FORMS = {
    "quick": {"TREFOIL_TIER": "0"},
    "fibers": {"TREFOIL_TIER": "1", "TREFOIL_WG": "fibers"},
    "loops": {"TREFOIL_TIER": "1", "TREFOIL_WG": "loops"},
    "8 lanes": {"TREFOIL_TIER": "1", "TREFOIL_WG": "simt", "TREFOIL_WIDTH": "8"},
}


def said(command, settings=None):
    """What a command says against a module, or nothing."""
    try:
        done = subprocess.run(command, env={**os.environ, **(settings or {})}, capture_output=True, timeout=SECONDS_A_RUN,
                              check=False)
    except subprocess.TimeoutExpired:
        return "takes too long"
    text = (done.stdout + done.stderr).decode(errors="replace")
    return f"status {done.returncode}: {text}" if done.returncode or ": failed" in text else ""


def assemble(path):
    """Makes the module beside its text. It is a sound one if the validator, where there is one, says so."""
    module = path.with_suffix(".spv")
    version = ["--target-env", "spv1.4"]
    reason = said(["spirv-as", *version, path, "-o", module])
    if not reason and shutil.which("spirv-val"):
        reason = said(["spirv-val", *version, module])
    return reason


def check(tool, path, seed, forms):
    generator = pathlib.Path(__file__).resolve().with_name("gen_spirv.py")
    path.write_bytes(subprocess.run([sys.executable, generator, str(seed)], capture_output=True, check=True).stdout)
    reasons = {"spirv-as": assemble(path)}
    if not reasons["spirv-as"]:
        for form in forms:
            settings = {**FORMS[form], "TREFOIL_LOG": "build"}
            reasons[form] = said([tool, "--platform", "Trefoil", "--modules", path.parent, path], settings)
    for name, reason in reasons.items():
        if reason:
            print(f"{path.name}: {name}: {reason}", flush=True)
    if any(reasons.values()):
        keep(path.name, path.read_bytes())
    return not any(reasons.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--turns", action="store_true", help="one form for each module")
    options = parser.parse_args()
    if not shutil.which("spirv-as"):
        print("skipped: no spirv-as (Debian: spirv-tools)")
        return 77
    bad = 0
    for seed in range(options.first, options.last + 1):
        forms = [list(FORMS)[seed % len(FORMS)]] if options.turns else list(FORMS)
        with tempfile.TemporaryDirectory() as folder:
            bad += not check(options.tool, pathlib.Path(folder, f"spirv_{seed}.spvasm"), seed, forms)
    print(f"{options.last - options.first + 1} modules, {bad} are wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
