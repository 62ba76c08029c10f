#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every function that OpenCL C declares in the built-ins library, under the right name?

Takes the declarations of Clang's own opencl-c.h, makes a function that calls each of them,
compiles that for spir64 as a user's program is, and looks the symbols up in the library's
index. Functions that the library does not have yet stand in a list by name; one that is
missing and not listed, or listed and complete, is an error.

    check_declared.py CLANG SYMBOLS NOT_YET [--update]
"""
import os
import re
import subprocess
import sys

# Functions of other vendors' extensions, and what the compiler itself resolves.
IGNORED = re.compile(r"^(amd_|intel_(?!sub_group_(shuffle|broadcast|reduce|scan|block_[rw]))|arm_"
                     r"|__|printf$|cl_)")

TYPE = re.compile(r"u?(char|short|int|long)\d*|(float|double|half)\d*|\w+_t|\w+_flags"
                  r"|memory_(order|scope)")


def compiler(clang, *options):
    resource = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True,
                              check=True).stdout.strip()
    return [clang, "-cc1", "-triple", "spir64-unknown-unknown", "-x", "cl",
            "-finclude-default-header", "-internal-isystem", os.path.join(resource, "include"),
            *options, "-o", "-", "-"]


def declarations(clang, standard):
    """[(return type, name, [argument types])] of opencl-c.h"""
    text = subprocess.run(compiler(clang, standard, "-E", "-P"), input="", capture_output=True,
                          text=True, check=True).stdout
    for line in text.split("\n"):
        line = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", "", line).strip()
        match = re.fullmatch(r"((?:\w+ )+\*?)(\w+)\(([^()]*)\) *;", re.sub(r" +", " ", line))
        if match and not IGNORED.match(match[2]) and "typedef" not in line:
            args = [arg.strip() for arg in match[3].split(",")]
            args = [] if args in (["void"], [""]) else args
            yield match[1].strip(), match[2], [argument_type(arg) for arg in args]


def argument_type(arg):
    """"const __global float *p" -> "const __global float *" """
    if "*" in arg:
        return arg[:arg.rindex("*") + 1]
    words = arg.split()
    if len(words) > 1 and not TYPE.fullmatch(words[-1]):
        words.pop()
    return " ".join(words)


def calls(clang, standard):
    """Text of a program with one call a declaration."""
    out, names = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable"], set()
    for number, (ret, name, types) in enumerate(declarations(clang, standard)):
        if any(word in f"{ret} {' '.join(types)}" for word in ("msaa", "pipe",
               "queue_t", "reserve_id", "ndrange", "clk_", "intel", "block")):
            continue
        if name.startswith("atomic_store") and "atomic_half" in types[0]:
            continue  # Clang's own table, which programs see, has another type for the value
        if name.startswith("intel_sub_group_block_write_ui") and "read_only" in types[0]:
            continue  # a slip of the header
        names.add(name)
        params = ", ".join(f"{type_} a{i}" for i, type_ in enumerate(types))
        args = ", ".join(f"a{i}" for i in range(len(types)))
        back = "" if ret == "void" else "return "
        out.append(f"{ret} call{number}({params or 'void'}) {{ {back}{name}({args}); }}")
    return "\n".join(out) + "\n", names


def main():
    clang, symbols_path, list_path = sys.argv[1:4]
    with open(symbols_path, encoding="utf-8") as file:
        known = {line.split()[0] for line in file}
    checked, missing = 0, {}
    for standard in ("-cl-std=CL1.2", "-cl-std=CL3.0"):
        text, _ = calls(clang, standard)
        run = subprocess.run(compiler(clang, standard, "-emit-llvm", "-disable-llvm-passes", "-w",
                                      "-ferror-limit", "20"),
                             input=text, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{standard}: {run.stderr[:3000]}")
        for symbol in re.findall(r"^declare .*@(_Z\w+)\(", run.stdout, re.MULTILINE):
            checked += 1
            if symbol not in known:
                length = re.match(r"_Z(\d+)", symbol)
                start = length.end()
                missing.setdefault(symbol[start:start + int(length[1])], set()).add(symbol)
    if checked < 10000:
        sys.exit(f"only {checked} declarations found: the header is not what it was")
    if "--update" in sys.argv:
        with open(list_path, "w", encoding="utf-8") as file:
            file.write("".join(f"{name}\n" for name in sorted(missing)))
    with open(list_path, encoding="utf-8") as file:
        listed = {line.strip() for line in file if line.strip()}
    for name in sorted(set(missing) - listed):
        print(f"{name}: not in the library: {' '.join(sorted(missing[name])[:3])}")
    for name in sorted(listed - set(missing)):
        print(f"{name}: complete, but listed in {list_path}")
    print(f"{checked} declarations, {checked - sum(map(len, missing.values()))} in the library")
    return set(missing) != listed


if __name__ == "__main__":
    sys.exit(main())
