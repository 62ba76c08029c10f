#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""summary.py names machine and date, and says what a kernel gained since a former run."""
import json
import os
import subprocess
import sys
import tempfile

SUMMARY = os.path.join(sys.argv[1], "bench", "summary.py")


def write(folder, date, ratios):
    os.makedirs(folder)
    results = [{"benchmark": f"kernel/{name}", "status": "ok", "opencl_cpu_ms": 1.0, "opencl_ms": 1.0,
                "cpu_ratio_native": ratio, "ratio_native": ratio} for name, ratio in ratios.items()]
    path = os.path.join(folder, "ours.json")
    with open(path, "w") as file:
        json.dump({"clbench": 1, "label": "ours", "environment": ["TREFOIL_ISA=avx2", "X=1"],
                   "host": {"date": date, "processor": "Model", "processors": 2,
                            "native_compiler": "cc"},
                   "identity": {"device": "cpu"}, "results": results}, file)
    return path


def main():
    with tempfile.TemporaryDirectory() as folder:
        before = os.path.join(folder, "before")
        write(before, "2026-01-01", {"a": 2.0, "b": 4.0, "gone": 1.0})
        now = write(os.path.join(folder, "now"), "2026-02-02", {"a": 3.0, "b": 2.0, "new": 1.0})
        text = subprocess.run([sys.executable, SUMMARY, "--before", before, now], check=True,
                              capture_output=True, text=True).stdout
    gains = text[text.index("times as fast"):]
    for wanted, where in (("2 x Model, 2026-02-02, cc; TREFOIL_ISA=avx2\n", text),
                          ("as on 2026-01-01", text), ("| b | 0.500 |\n| a | 1.50 |", gains),
                          ("mean of 2** | 0.866 |", gains)):
        if wanted not in where:
            sys.exit(f"no {wanted!r} in:\n{text}")


main()
