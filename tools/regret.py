#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the plan's choice of a form loses: each kernel of bench in the form that is chosen and in all
others - work-items one by one, lanes of every width, packs - by CPU time.

    tools/regret.py CLBENCH VENDORS [--isa LEVEL] [--kernels PATTERNS] [--runs N] [--rounds N]

CLBENCH is the program of bench/, VENDORS the folder with the file that names the library. First every
form runs once; the least of many noisy times is too small, so where one was faster by more than
DOUBT it then meets the chosen form again, in turns, ROUNDS times, and the medians of those count.
Prints a Markdown table, the worst first. Exit status 1: a kernel loses more than --limit percent.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

WIDTHS = {"sse2": (4, 8, 16), "avx2": (8, 16, 32), "": (8, 16, 32, 64)}
DOUBT = 1.02
CHOSEN = "chosen"
# As programs run: variants for images, and code for the sizes of groups, are made of what runs.
TIERS = "TREFOIL_TIER=auto"


def forms(isa):
    """Label and environment of each form; the first is the plan's own choice."""
    result = {CHOSEN: TIERS, "loops": f"TREFOIL_WG=loops {TIERS}"}
    for width in WIDTHS.get(isa, WIDTHS[""]):
        for rows in (1, 2, 4):
            result[f"lanes{width}x{rows}"] = \
                f"TREFOIL_WG=simt TREFOIL_WIDTH={width} TREFOIL_PACK={rows} {TIERS}"
    return result


def measure(arguments, labels, kernels):
    """{label: {kernel: milliseconds}} of those that ran and gave what they should."""
    with tempfile.TemporaryDirectory() as folder:
        targets = os.path.join(folder, "forms.targets")
        level = f" TREFOIL_ISA={arguments.isa}" if arguments.isa else ""
        with open(targets, "w") as file:
            for label, pins in forms(arguments.isa).items():
                file.write(f"{label} OCL_ICD_VENDORS={os.path.abspath(arguments.vendors)} {pins}"
                           f"{level} TREFOIL_CACHE={{cache}}/t\n")
        subprocess.run([arguments.clbench, "--targets", targets, "--only", ",".join(labels),
                        "--benchmarks", kernels, "--runs", str(arguments.runs), "--output", folder],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        found = {}
        for label in labels:
            with open(os.path.join(folder, f"{label}.json")) as file:
                found[label] = {result["benchmark"]: result["opencl_cpu_ms"]
                                for result in json.load(file)["results"]
                                if result["status"] == "ok" and "opencl_cpu_ms" in result}
        return found


def best_other(times, kernel):
    others = {label: by_kernel[kernel] for label, by_kernel in times.items()
              if label != CHOSEN and kernel in by_kernel}
    return min(others, key=others.get) if others else None


def confirm(arguments, kernel, label):
    """Medians of the chosen form and of the other one, in turns."""
    rounds = [measure(arguments, [CHOSEN, label], kernel) for _ in range(arguments.rounds)]
    pairs = [(r[CHOSEN][kernel], r[label][kernel]) for r in rounds
             if kernel in r[CHOSEN] and kernel in r[label]]
    return tuple(statistics.median(side) for side in zip(*pairs)) if pairs else None


def regrets(arguments):
    """(loss as a factor, kernel, best form, ms of the chosen one, ms of the best), the worst first."""
    times = measure(arguments, list(forms(arguments.isa)), arguments.kernels)
    rows = []
    for kernel, chosen in times[CHOSEN].items():
        label = best_other(times, kernel)
        if not label:
            continue
        pair = (chosen, times[label][kernel])
        if pair[0] > DOUBT * pair[1]:
            pair = confirm(arguments, kernel, label) or pair
        loss = max(1.0, pair[0] / pair[1])
        rows.append((loss, kernel, label if loss > 1 else CHOSEN, *pair))
    return sorted(rows, reverse=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clbench")
    parser.add_argument("vendors")
    parser.add_argument("--isa", default="", choices=["", "sse2", "avx2"])
    parser.add_argument("--kernels", default="kernel/*")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=15.0, help="percent")
    arguments = parser.parse_args()
    rows = regrets(arguments)
    if not rows:
        sys.exit("regret.py: no kernel ran")
    print(f"Load {os.getloadavg()[0]:.0f}, level {arguments.isa or 'of this machine'}, "
          f"medians of {arguments.rounds} rounds of {arguments.runs} in turns\n")
    print("| kernel | chosen ms | best form | ms | lost % |\n|---|---:|---|---:|---:|")
    for loss, kernel, label, chosen, best in rows:
        print(f"| {kernel.removeprefix('kernel/')} | {chosen:.2f} | {label} | {best:.2f} | "
              f"{100 * (loss - 1):.0f} |")
    mean = math.exp(sum(math.log(row[0]) for row in rows) / len(rows))
    worst = [row[1] for row in rows if row[0] > 1 + arguments.limit / 100]
    print(f"\nGeometric mean of {len(rows)}: {100 * (mean - 1):.1f} %; above {arguments.limit:g} %: "
          f"{', '.join(worst) or 'none'}")
    sys.exit(1 if worst else 0)


main()
