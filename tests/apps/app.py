# SPDX-License-Identifier: MIT
"""What the scripts of this folder share. Each runs a program or library of others with OpenCL and
compares what it computes with its own answer without, or with NumPy's.

Exit status 0: passed; 1: failed; 77: skipped, and the last line says why."""
import ctypes
import ctypes.util
import os
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
SYSTEM_PYTHON = "/usr/bin/python3"  # Debian's modules are not those of any Python


def skip(reason):
    print(f"skip: {reason}")
    sys.exit(SKIP)


def modules(*names):
    """Imports them, in Debian's Python where this one has them not."""
    try:
        return [__import__(name, fromlist=["_"]) for name in names]
    except ImportError as problem:
        if os.path.exists(SYSTEM_PYTHON) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
        return skip(f"{problem.name} is not installed")


def library(name):
    path = ctypes.util.find_library(name)
    return ctypes.CDLL(path) if path else skip(f"lib{name} is not installed")


def handle(thing):
    """Of an object of PyOpenCL, for a library's function."""
    return ctypes.c_void_p(thing.int_ptr)


def run_cpp(source, header, *libraries):
    """Compiles and runs a program that uses a library of headers; its status. On the CPU that we are."""
    compiler = shutil.which("c++") or skip("there is no C++ compiler")
    with tempfile.TemporaryDirectory() as folder:
        has = subprocess.run([compiler, "-x", "c++", "-std=c++14", "-fsyntax-only", "-"], input=f"#include <{header}>\n",
                             capture_output=True, text=True, check=False)
        if f"{header}: No such file" in has.stderr:
            return skip(f"{header} is not installed")
        built = subprocess.run([compiler, "-x", "c++", "-std=c++14", "-w", "-DCL_TARGET_OPENCL_VERSION=120", "-", "-o",
                                f"{folder}/program", *libraries], input=source, capture_output=True, text=True, check=False)
        if built.returncode:
            print(built.stderr[:3000])
            return 1
        return subprocess.run([f"{folder}/program"], check=False, env={**os.environ, "HOME": folder}).returncode


def trefoil(cl):
    """A context and a queue of PyOpenCL on the platform called Trefoil."""
    platform = next((p for p in cl.get_platforms() if p.name.startswith("Trefoil")), None)
    if not platform:
        print("no platform called Trefoil")
        sys.exit(1)
    context = cl.Context(platform.get_devices())
    return context, cl.CommandQueue(context)


class Results:
    """Cases with a greatest difference each."""

    def __init__(self):
        self.failed = 0

    def case(self, name, difference, most):
        holds = difference <= most  # not so for NaN
        self.failed += not holds
        print(f"{name}: differs by {difference:.3g}, at most {most:.3g} may be{'' if holds else ': FAILED'}")

    def end(self):
        print("failed" if self.failed else "passed")
        return 1 if self.failed else 0
