#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one of the programs of this folder on several numbers of ranks, in turns, and prints what it takes and does.

    scale.py [--ranks 1,2,4] [--runs 9] [--mpirun 'mpirun --bind-to none'] PROGRAM ..
"""
import argparse
import re
import shlex
import statistics
import subprocess
import sys

LINE = re.compile(r"(\d+) ranks, .*: ([\d.]+) ms, ([\d.]+) (.*)")


def measure(command):
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = LINE.search(run.stdout)
    if run.returncode or not found or "right on all ranks" not in run.stdout:
        sys.exit(f"{shlex.join(command)}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return float(found[2]), float(found[3]), found[4]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", default="1,2,4", type=lambda text: [int(n) for n in text.split(",")], help="default 1,2,4")
    parser.add_argument("--runs", default=9, type=int, help="of each number of ranks; default 9")
    parser.add_argument("--mpirun", default="mpirun", type=shlex.split, help="with its options")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    results = {ranks: [] for ranks in options.ranks}
    for _ in range(options.runs):
        for ranks, of_ranks in results.items():
            of_ranks.append(measure([*options.mpirun, "-n", str(ranks), *options.program]))
    print(f"| ranks | ms, median | least | {results[options.ranks[0]][0][2]}, median | most |\n|---|---:|---:|---:|---:|")
    for ranks, of_ranks in results.items():
        times, speeds = [r[0] for r in of_ranks], [r[1] for r in of_ranks]
        print(f"| {ranks} | {statistics.median(times):.1f} | {min(times):.1f} | {statistics.median(speeds):.2f} | {max(speeds):.2f} |")


if __name__ == "__main__":
    sys.exit(main())
