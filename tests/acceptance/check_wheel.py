# SPDX-License-Identifier: MIT
"""The wheel, in a fresh virtual environment with PyPI's PyOpenCL: it finds the driver by itself, a kernel runs, and uninstalling leaves nothing."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv

PROGRAM = """
import numpy, pyopencl
platform, = [p for p in pyopencl.get_platforms() if p.name == "Trefoil"]
context = pyopencl.Context(platform.get_devices())
queue = pyopencl.CommandQueue(context)
host = numpy.arange(1000, dtype=numpy.float32)
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=host)
program = pyopencl.Program(context, "kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }").build()
program.twice(queue, host.shape, None, buffer)
result = numpy.empty_like(host)
pyopencl.enqueue_copy(queue, result, buffer)
assert (result == 2 * host).all(), result
print("right")
"""


def run(*command):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("OCL_ICD", "OPENCL", "TREFOIL", "PYTHON"))}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600,
                          env={**environment, "TREFOIL_CACHE": "off"})


def make_wheel(source, build, folder):
    """As doc/installing.md says, where the build is that of the Makefile."""
    if build == source / "build" and shutil.which("make"):
        return run("make", "--no-print-directory", "-C", str(source), "wheel")
    return run(sys.executable, f"{source}/tools/make_wheel.py", str(build), "--out", folder)


def commands_of_page(source):
    page = (source / "doc/installing.md").read_text()
    return re.findall(r"^    (pip .*|python .*)$", page[page.index("## The wheel"):], re.M)


def run_page(source, place, wheel, faults):
    """The page's own commands, in the virtual environment."""
    commands = commands_of_page(source)
    for command in commands:
        command = command.replace("build/packages/trefoil_opencl-*.whl", str(wheel))
        got = run("sh", "-c", f"PATH={place}/bin:$PATH; {command}")
        if got.returncode or "get_platforms" in command and "Trefoil" not in got.stdout:
            faults.append(f"{command}: {got}")
    if len(commands) != 2:
        faults.append(f"the page has other commands: {commands}")


def main(source, build):
    source, build = pathlib.Path(source).resolve(), pathlib.Path(build).resolve()
    with tempfile.TemporaryDirectory() as folder:
        made = make_wheel(source, build, folder)
        if made.returncode:
            print(f"no wheel: {made.stdout}{made.stderr}")
            return 1
        wheel = str(source / made.stdout.strip().splitlines()[-1])
        place = pathlib.Path(folder) / "venv"
        venv.create(place, with_pip=True)
        python = str(place / "bin/python")
        got = run(python, "-m", "pip", "install", "-q", "pyopencl")
        if got.returncode:
            print(f"pip cannot install PyPI's pyopencl here: {got.stderr.strip().splitlines()[-1:]}")
            return 77
        before = {str(p) for p in place.rglob("*") if p.suffix != ".pyc"}
        got = run(python, "-m", "pip", "install", "-q", "--no-index", wheel)
        if got.returncode:
            print(f"pip does not install the wheel: {got.stderr}")
            return 1
        ran = run(python, "-c", PROGRAM)
        path = run(python, "-m", "trefoil_opencl").stdout.strip()
        faults = []
        run_page(source, place, wheel, faults)
        if ran.stdout.strip() != "right":
            faults.append(f"PyOpenCL: {ran.stdout}{ran.stderr}")
        if not os.access(os.path.join(os.path.dirname(path), "trefoil-helper"), os.X_OK):
            faults.append("trefoil-helper is no program there")
        run(python, "-m", "pip", "uninstall", "-q", "-y", "trefoil-opencl")
        left = {str(p) for p in place.rglob("*") if p.suffix != ".pyc"} - before
        if {p for p in left if "__pycache__" not in p}:
            faults.append(f"uninstalling leaves {left}")
        print("\n".join(faults) or f"{os.path.basename(wheel)}, {os.path.getsize(wheel) / 1e6:.0f} MB: PyOpenCL runs on it")
        return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
