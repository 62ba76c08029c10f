#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs files of random kernels through fuzz_forms, one process at a time.

    fuzz_many.py FUZZ_FORMS FIRST_SEED LAST_SEED [--kernels N] [--only GENERATOR] [--all]

Seed s takes the generator that its rest of a division by 47 says, or the one that is named.
One line for each seed goes to standard output: generator, seed, kernels, seconds and "good" or what is wrong.
A file that is wrong, or takes longer than it may, is kept in build/fuzz with what
fuzz_forms said. Exit status 1 if there was one. SIGTERM ends after the current file."""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from kept import keep

# Kernels of the first ones are small: many of them take the time of one of the last.
SHARES = {"gen_memory": 6, "gen_aliases": 6, "gen_types": 5, "gen_calls": 3, "gen_jumps": 3, "gen_tiles": 3, "gen_steps": 1, "gen_arrays": 3, "gen_ways": 2, "gen_masks": 3, "gen_words": 2, "gen_kernels": 1, "gen_barriers": 1, "gen_sub_groups": 1, "gen_recursion": 1, "gen_mix": 1, "gen_narrow": 3, "gen_sums": 2}
GENERATORS = [name for name, share in SHARES.items() for _ in range(share)]
SECONDS_A_KERNEL = 300  # on a machine that does much else; fuzz_forms has a limit of its own
stop = False


def end_soon(_number, _frame):
    global stop
    stop = True


def generate(name, seed, kernels):
    folder = os.path.dirname(os.path.abspath(__file__))
    made = subprocess.run([sys.executable, os.path.join(folder, f"{name}.py"), str(seed), str(kernels)],
                          capture_output=True, check=True)
    return made.stdout.decode()


def check(tool, text, options, path):
    """"good", or what fuzz_forms says of the kernels in `text`."""
    pathlib.Path(path).write_text(text)
    limit = SECONDS_A_KERNEL * max(1, text.count("\nkernel void"))
    try:
        done = subprocess.run([tool, *options, path], capture_output=True, timeout=limit, check=False,
                              env={**os.environ, "TREFOIL_CHECK_LANES": "1"})
    except subprocess.TimeoutExpired:
        return "takes too long"
    if done.returncode == 0:
        return "good"
    said = (done.stdout + done.stderr).decode(errors="replace")
    return f"status {done.returncode}: {said}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--kernels", type=int, default=8)
    parser.add_argument("--only", choices=list(SHARES))
    parser.add_argument("--all", action="store_true", help="every level and width for each kernel")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, end_soon)
    kernels = bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.last + 1):
            name = options.only or GENERATORS[seed % len(GENERATORS)]
            text = generate(name, seed, options.kernels)
            start = time.monotonic()
            said = check(options.tool, text, ["--all"] if options.all else [], os.path.join(folder, f"{name}_{seed}.cl"))
            kernels += text.count("\nkernel void")
            print(name, seed, text.count("\nkernel void"), f"{time.monotonic() - start:.1f}",
                  said.strip().replace("\n", "; "), flush=True)
            if said != "good":
                bad += 1
                keep(f"{name}_{seed}.cl", text)
                keep(f"{name}_{seed}.out", said)
            if stop:
                break
    print(f"{kernels} kernels, {bad} files differ", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
