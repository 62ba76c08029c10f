# SPDX-License-Identifier: MIT
"""libtrefoil.so links neither LLVM nor C++ and exports only the ICD entry points and the interface of debuggers; the
compiler library exports one symbol and needs no shared LLVM that is not there."""
import os
import re
import subprocess
import sys

ICD_SYMBOLS = {
    "clGetExtensionFunctionAddress",
    "clGetPlatformInfo",
    "clIcdGetPlatformIDsKHR",
    "clIcdGetFunctionAddressForPlatformKHR",
    "clIcdSetPlatformDispatchDataKHR",
    "__jit_debug_descriptor",  # debuggers look for these two
    "__jit_debug_register_code",
}
# What an instrumented library exports beside its own names.
SANITIZER_SYMBOL = re.compile(r"__(asan|ubsan|tsan|odr_asan)_")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(library):
    names = set()
    for line in output("nm", "-D", "--defined-only", library).splitlines():
        name = line.split()[-1].split("@")[0]
        if not SANITIZER_SYMBOL.match(name):
            names.add(name)
    return names


def main(build):
    library = os.path.join(build, "libtrefoil.so")
    compiler = os.path.join(build, "libtrefoil-compiler.so")
    faults = []
    linked = output("ldd", library)
    sanitized = re.search(r"lib(asan|tsan|ubsan)", linked)  # these bring libstdc++ along
    for word in ("LLVM", "clang", "stdc++"):
        if word in linked and not (word == "stdc++" and sanitized):
            faults.append(f"libtrefoil.so links {word}:\n{linked}")
    names = exported(library)
    if not {"clGetExtensionFunctionAddress", "clIcdGetPlatformIDsKHR"} <= names:
        faults.append(f"an ICD entry point is missing: {sorted(names)}")
    if names - ICD_SYMBOLS:
        faults.append(f"libtrefoil.so exports more: {sorted(names - ICD_SYMBOLS)}")
    names = exported(compiler)
    if len(names) != 1:
        faults.append(f"libtrefoil-compiler.so exports not one symbol: {sorted(names)[:20]}")
    if "not found" in output("ldd", compiler):
        faults.append("libtrefoil-compiler.so needs a library that is not there")
    print("\n".join(faults) or "both libraries as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
