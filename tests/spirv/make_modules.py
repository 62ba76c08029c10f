#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes SPIR-V modules of kernels that describe themselves, for trefoil-run --modules.

    make_modules.py CLANG[,LLVM-SPIRV] OUT NOT_CONVERTED FILE.cl ...

Each BUILD of a file becomes a program of its own: OUT/NAME.cl with the directives of that BUILD
alone, and OUT/NAME.spv, made by Clang with LLVM's own SPIR-V back end or by the translator of
bitcode that is named. NOT_CONVERTED lists files for
which that cannot be, each with the reason; one that fails without being there is an error. Files that
are up to date stay.
"""

import pathlib
import re
import shlex
import subprocess
import sys

# Of SPIR-V, that the back end may use.
EXTENSIONS = ("SPV_EXT_shader_atomic_float_add", "SPV_EXT_shader_atomic_float16_add",
              "SPV_EXT_shader_atomic_float_min_max", "SPV_KHR_shader_clock",
              "SPV_KHR_uniform_group_instructions", "SPV_KHR_bit_instructions",
              "SPV_KHR_integer_dot_product", "SPV_KHR_subgroup_rotate")

# As Trefoil's own header has it.
HALF = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#line 1\n"

DIRECTIVE = re.compile(r"^(\s*)// ([A-Z]+):", re.MULTILINE)
BUILD = re.compile(r'^\s*// BUILD: (.*)$', re.MULTILINE)


def parts(text):
    """(options, text with the directives of one BUILD only) of each BUILD that shall succeed."""
    builds = [*BUILD.finditer(text)]
    if not builds:
        yield "", text
    for i, build in enumerate(builds):
        if build.group(1).startswith("fails"):
            continue
        start = build.start()
        end = builds[i + 1].start() if i + 1 < len(builds) else len(text)
        mute = lambda s: DIRECTIVE.sub(r"\1//- \2:", s)
        given = re.search(r'options="([^"]*)"', build.group(1))
        yield (given.group(1) if given else "",
               text[:builds[0].start()] + mute(text[builds[0].start():start])
               + text[start:end] + mute(text[end:]))


def convert(clang, translator, options, source, module):
    """None, or what went wrong."""
    words = [clang, *(w for w in shlex.split(options) if w != "-cl-opt-disable"), "-O1", "-w", "-c",
             str(source)]
    if not any(w.startswith("-cl-std") for w in words):
        words.append("-cl-std=CL1.2")
    if translator:
        bitcode = module.with_suffix(".bc")
        commands = [words + ["--target=spir64", "-emit-llvm", "-Xclang", "-finclude-default-header",
                             "-o", str(bitcode)],
                    [translator, "--spirv-ext=+all", str(bitcode), "-o", str(module)]]
    else:
        commands = [words + ["--target=spirv64", "-mllvm", "-spirv-ext="
                             + ",".join("+" + e for e in EXTENSIONS), "-o", str(module)]]
    for command in commands:
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if result.returncode:
            return (result.stderr.strip().splitlines() or ["fails"])[0]
    return None


def main():
    clang, out, list_path, *files = sys.argv[1:]
    clang, _, translator = clang.partition(",")
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    listed = dict(line.split(": ", 1) for line in pathlib.Path(list_path).read_text().splitlines()
                  if line and not line.startswith("#"))
    newest = max(pathlib.Path(p).stat().st_mtime for p in (__file__, list_path))
    made, failed = [], []
    for path in map(pathlib.Path, files):
        for i, (options, text) in enumerate(parts(path.read_text(encoding="utf-8-sig"))): # without a byte order mark
            name = path.stem + (f"_{i}" if i else "")
            if name in listed or path.stem in listed:
                continue
            source, module = out / (name + ".cl"), out / (name + ".spv")
            made.append(str(source))
            if module.exists() and module.stat().st_mtime > max(newest, path.stat().st_mtime):
                continue
            source.write_text(HALF + text)
            fault = convert(clang, translator, options, source, module)
            if fault:
                failed.append(f"{name}: {fault}")
                module.unlink(missing_ok=True)
    (out / "list.txt").write_text("\n".join(made) + "\n")
    print("\n".join(failed))
    return 1 if failed else 0


sys.exit(main())
