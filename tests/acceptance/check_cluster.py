# SPDX-License-Identifier: MIT
"""examples/cluster on four ranks of this machine: with StarPU, or with plain MPI and PyOpenCL.

    check_cluster.py starpu|mpi EXAMPLES

Every rank has to find its part right, and to have run the kernels on Trefoil; with wrong kernels the same programs have to
say so. Skipped where what an engine needs is not installed, or mpirun starts nothing here."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

RANKS = 4
STARPU = {"starpu_matrix": ("multiply_add", ["--blocks", "4", "--size", "48"]),
          "starpu_stencil": ("heat", ["--width", "200", "--height", "32", "--strips", "1", "--steps", "4"])}
MPI = {"mpi_matrix.py": ("multiply_add", ["--size", "96"]),
       "mpi_stencil.py": ("heat", ["--width", "200", "--height", "32", "--steps", "4"])}
WRONG = (("sum += a[", "sum += 2 * a["), ("0.25f *", "0.5f *"))


def skip(reason):
    print(f"skip: {reason}")
    sys.exit(77)


def python_with(*modules):
    """This Python or Debian's, whichever has the modules."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", f"import {', '.join(modules)}"], capture_output=True, check=False).returncode == 0:
            return python
    return skip(f"no Python has {', '.join(modules)}")


def environment(folder):
    """All that MPI, StarPU and PyOpenCL write goes into the folder; ranks of one machine share processors and memory only."""
    return {**os.environ, "HOME": folder, "XDG_CACHE_HOME": folder, "TMPDIR": folder, "TREFOIL_THREADS": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_plm": "isolated",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
            "STARPU_HOME": folder, "STARPU_SILENT": "1", "STARPU_WORKERS_NOBIND": "1", "STARPU_MPI_NOBIND": "1",
            "PYOPENCL_NO_CACHE": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def build(example, env):
    if not shutil.which("mpicc"):
        skip("mpicc is not installed")
    if subprocess.run(["pkg-config", "--exists", "starpumpi-1.3", "OpenCL"], check=False).returncode:
        skip("StarPU-MPI 1.3 is not installed")
    made = subprocess.run(["make", "-C", example, "CFLAGS=-Werror"], capture_output=True, text=True, check=False, env=env)
    if made.returncode:
        sys.exit(made.stdout + made.stderr)


def run(ranks, command, example, env):
    ran = subprocess.run(["mpirun", "-n", str(ranks), *command], capture_output=True, text=True, check=False, cwd=example, env=env)
    return ran.returncode, ran.stdout + ran.stderr


def kernels_of(trace):
    return {event["name"] for event in json.loads(trace.read_text())["traceEvents"] if event.get("cat") == "work"}


def check(program, kernel, options, python, example, env):
    """What was wrong with one program, in words."""
    command = [*python, f"./{program}", *options]
    kernels = pathlib.Path(example) / "kernels.cl"
    right_text = kernels.read_text()
    wrong_text = right_text
    for before, after in WRONG:
        assert before in wrong_text
        wrong_text = wrong_text.replace(before, after)
    kernels.write_text(wrong_text)  # one rank, first: it also writes what StarPU measures once a machine
    status, text = run(1, command, example, env)
    kernels.write_text(right_text)
    if status == 0 or "rank 0 has a wrong result" not in text:
        yield f"{program} finds wrong kernels right, status {status}:\n{text}"

    with tempfile.TemporaryDirectory() as traces:
        status, text = run(RANKS, command, example, {**env, "TREFOIL_TRACE": f"{traces}/%p.json"})
        print(text, end="")
        if status or f"{RANKS} ranks" not in text or "right on all ranks" not in text:
            yield f"{program}: status {status}:\n{text}"
            return
        ran_on = [path for path in pathlib.Path(traces).iterdir() if kernel in kernels_of(path)]
        if len(ran_on) != RANKS:
            yield f"{program}: {len(ran_on)} of {RANKS} ranks ran {kernel} on Trefoil"


def main(engine, examples):
    if not shutil.which("mpirun"):
        skip("mpirun is not installed")
    with tempfile.TemporaryDirectory(prefix="tf") as folder:  # a short name: MPI makes sockets in it
        example, env, python = f"{folder}/cluster", environment(folder), []
        shutil.copytree(examples, example)
        if engine == "starpu":
            build(example, env)
        else:
            python = [python_with("mpi4py", "pyopencl", "numpy")]
        status, text = run(RANKS, ["true"], example, env)
        if status:
            skip(f"mpirun starts nothing here: {' '.join(text.split())[:300]}")
        faults = [fault for program, (kernel, options) in (STARPU if engine == "starpu" else MPI).items()
                  for fault in check(program, kernel, options, python, example, env)]
    print("\n".join(faults) or "passed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
