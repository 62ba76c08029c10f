#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Can programs call every function of the built-ins library? Clang declares most of them by
itself; lib/opencl-c-base.h the others. Calls of each function, for some of its types, make a
program that the device has to build.

    check_callable.py FOLDER TREFOIL_RUN

FOLDER holds the modules that tools/gen_builtins.py has written.
"""
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r"^(?:TF_\w+ )*TF_PUBLIC (.+?) (\w+)\(([^)]*)\)\s*$", re.MULTILINE)


def prototypes(folder):
    found = collections.defaultdict(list)
    with open(os.path.join(folder, "builtins.txt"), encoding="utf-8") as file:
        modules = {line.split()[1] for line in file}
    for module in sorted(modules):
        with open(os.path.join(folder, module + ".cl"), encoding="utf-8") as file:
            for ret, name, args in FUNCTION.findall(file.read()):
                if not name.startswith("__"):  # those a program declares by itself
                    found[name].append((ret, args))
    return found


def program(functions):
    lines = ["#pragma OPENCL EXTENSION all : enable"]
    for name, forms in functions.items():
        # Those of half exist only where cl_khr_fp16 is listed.
        forms = [form for form in forms if "half" not in f"{form[0]} {form[1]}"]
        for ret, args in dict.fromkeys([forms[0], forms[len(forms) // 2], forms[-1]]
                                       if forms else []):
            names = [re.search(r"(\w+)$", arg.strip())[1] for arg in args.split(",")
                     if arg.strip() not in ("", "void")]
            back = "" if ret == "void" else "return "
            lines.append(f"{ret} call{len(lines)}({args}) {{ {back}{name}({', '.join(names)}); }}")
    return lines


def main():
    folder, trefoil_run = sys.argv[1:3]
    functions = prototypes(folder)
    lines = program(functions)
    if len(functions) < 500:
        sys.exit(f"only {len(functions)} functions found: are these the modules?")
    directives = ["// RUN: k global=1", "// EXPECT: completes"]
    with tempfile.TemporaryDirectory() as where:
        path = os.path.join(where, "callable.cl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(directives + lines + ["kernel void k(void) {}"]) + "\n")
        run = subprocess.run([trefoil_run, "--platform", "Trefoil", "--options", "-cl-std=CL3.0",
                              path], capture_output=True, text=True)
    print("\n".join(line for line in (run.stdout + run.stderr).split("\n") if "error" in line))
    print(f"{len(functions)} functions, {len(lines) - 1} calls")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
