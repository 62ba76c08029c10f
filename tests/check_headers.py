#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each header of src/ and include/ alone: it must include what it needs.

    check_headers.py ROOT [--c COMPILER] [--cxx COMPILER] [--isystem FOLDER]...

Headers are C; those that stand between C and C++ are both. A header that its own source
includes first is compiled alone by every build.
Exit status 1 if one does not compile.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE",
         "-DCL_TARGET_OPENCL_VERSION=300"]
# OpenCL C, which the host's compiler does not know: the built-ins are made of the first and
# the kernel compiler gives the second to every program.
OPENCL_C = ("src/builtins/lib/",)
# Included by applications and by the wrapper round Clang.
C_AND_CXX = ("include/", "src/compiler/clang/clang_frontend.h")
CXX = ("src/compiler/clang/",)


def is_first_of_source(path):
    """Whether x.c or x.cpp, beside x.h, begins with it."""
    sources = [s for s in (path.with_suffix(".c"), path.with_suffix(".cpp")) if s.exists()]
    lines = sources[0].read_text().splitlines() if sources else []
    first = next((line for line in lines if line.startswith("#include")), "")
    return first.endswith(f'/{path.name}"')


def commands(args):
    """Yields (header, command that compiles it as the only include of a source)."""
    root = args.root.resolve()
    folders = [flag for path in (root / "src", root / "include") for flag in ("-I", str(path))]
    folders += [flag for path in args.isystem for flag in ("-isystem", path)]
    c = [args.c, "-x", "c", "-std=c17", *FLAGS, *folders]
    cxx = [args.cxx, "-x", "c++", "-std=c++17", *FLAGS, *folders]
    for path in sorted([*(root / "src").rglob("*.h"), *(root / "include").rglob("*.h")]):
        name = path.relative_to(root).as_posix()
        alone = ["-include", str(path), "/dev/null"]
        if name.startswith(OPENCL_C):
            continue
        if is_first_of_source(path) and name not in C_AND_CXX:
            continue
        if name.startswith(C_AND_CXX) or not name.startswith(CXX):
            yield name, c + alone
        if name.startswith(C_AND_CXX + CXX):
            yield name, cxx + alone


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--c", default="cc")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--isystem", action="append", default=[])
    wanted = list(commands(parser.parse_args()))

    def run(item):
        return subprocess.run(item[1], capture_output=True, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (name, _), result in zip(wanted, pool.map(run, wanted)):
            if result.returncode:
                failed += 1
                print(f"{name}:\n{result.stderr}")
    print(f"{len(wanted)} compilations of headers alone, {failed} failed")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
