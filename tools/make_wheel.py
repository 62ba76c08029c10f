#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a Python wheel of what `cmake --install` installs of driver and compiler: both libraries and
the helper where PyOpenCL's own wheels look for drivers, with a trefoil.icd, and a package that says where.

    tools/make_wheel.py BUILD [--out FOLDER]

PyOpenCL's wheels carry an ICD loader that reads pyopencl/.libs beside the system's folder. It opens what
the file says as it stands, and only names without a slash are looked for there (by the path of libraries
of PyOpenCL's module): so the libraries lie there, too. The platform of the wheel is what the libraries need: the script
reads it from them, and refuses what PEP 600 does not allow.
"""
import argparse
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "trefoil_opencl"
# Of PEP 600's list, what an ELF file of ours may name.
ALLOWED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1", "libstdc++.so.6",
           "libz.so.1", "ld-linux-x86-64.so.2"}
INIT = '''# SPDX-License-Identifier: MIT
"""Trefoil, OpenCL on plain CPUs. PyOpenCL from a wheel finds it by itself; any other program with

    OCL_ICD_VENDORS=$(python -m trefoil_opencl)
"""
import os

#: The driver; loaders take its path in OCL_ICD_VENDORS.
LIBRARY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                       "pyopencl", ".libs", "libtrefoil.so")
'''
MAIN = '''# SPDX-License-Identifier: MIT
from trefoil_opencl import LIBRARY

print(LIBRARY)
'''
METADATA = """Metadata-Version: 2.1
Name: trefoil-opencl
Version: {version}
Summary: OpenCL on plain CPUs, for PyOpenCL and other programs
License: MIT AND Apache-2.0 WITH LLVM-exception
Requires-Python: >=3.8
Provides-Extra: pyopencl
Requires-Dist: pyopencl; extra == "pyopencl"
Description-Content-Type: text/plain

A driver for the OpenCL ICD loader that runs kernels on the processor. PyOpenCL's wheels find it when it is
installed; other programs with OCL_ICD_VENDORS=$(python -m trefoil_opencl).
"""
WHEEL = """Wheel-Version: 1.0
Generator: trefoil
Root-Is-Purelib: false
Tag: {tag}
"""


def run(*command, **environment):
    return subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **environment}).stdout


def version_of(build):
    return re.search(r"^CMAKE_PROJECT_VERSION:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)


def platform_of(files):
    """The oldest manylinux that has all the symbols."""
    newest, machine = (2, 17), None
    for path in files:
        text = run("readelf", "-hdVW", str(path))
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", text))
        if needed - ALLOWED:
            sys.exit(f"{path.name} needs {', '.join(sorted(needed - ALLOWED))}: no wheel may")
        newest = max([newest, *(tuple(map(int, v)) for v in re.findall(r"GLIBC_(\d+)\.(\d+)", text))])
        machine = re.search(r"Machine:\s+(.*)", text).group(1)
    if "X86-64" not in machine:
        sys.exit(f"no wheels for {machine}")
    return f"manylinux_{newest[0]}_{newest[1]}_x86_64"


def installed(build, folder):
    """The files of driver and compiler, without symbols for debuggers."""
    for component in ("runtime", "compiler"):
        run("cmake", "--install", str(build), "--strip", "--component", component, DESTDIR=str(folder))
    # The whole helper, which a wheel does without, would double it.
    files = next(folder.rglob("libtrefoil.so")).parent.iterdir()
    return sorted(p for p in files if p.name != "trefoil-helper-whole"), \
        sorted(p for p in folder.rglob("*") if p.name == "LICENSE" or p.name.endswith("-COPYRIGHT"))


class Writer:
    """A wheel: a zip file with a list of what is in it, the same bytes for the same files."""

    def __init__(self, path, info):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.info = info
        self.record = []

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self):
        name = f"{self.info}/RECORD"
        self.add(name, "\n".join([*self.record, f"{name},,", ""]).encode())
        self.zip.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    out = options.out or options.build / "packages"
    out.mkdir(parents=True, exist_ok=True)
    version = version_of(options.build)
    with tempfile.TemporaryDirectory() as folder:
        files, licences = installed(options.build.resolve(), pathlib.Path(folder))
        tag = f"py3-none-{platform_of(files)}"
        path = out / f"{PACKAGE}-{version}-{tag}.whl"
        info = f"{PACKAGE}-{version}.dist-info"
        wheel = Writer(path, info)
        wheel.add(f"{PACKAGE}/__init__.py", INIT.encode())
        wheel.add(f"{PACKAGE}/__main__.py", MAIN.encode())
        for file in files:
            wheel.add(f"pyopencl/.libs/{file.name}", file.read_bytes(), executable=os.access(file, os.X_OK))
        wheel.add("pyopencl/.libs/trefoil.icd", b"libtrefoil.so\n")
        for file in licences:
            wheel.add(f"{info}/licenses/{file.name}", file.read_bytes())
        wheel.add(f"{info}/METADATA", METADATA.format(version=version).encode())
        wheel.add(f"{info}/WHEEL", WHEEL.format(tag=tag).encode())
        wheel.close()
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
