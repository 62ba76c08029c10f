#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the conda recipe with the tree, without conda: version, options that CMake knows, files that are there, what is
installed, the kernel of its test.

    tools/check_conda.py ROOT BUILD
"""
import os
import pathlib
import re
import subprocess
import sys


def check_options(root, script):
    known = "\n".join(p.read_text() for p in (root / "CMakeLists.txt", *(root / "cmake").glob("*.cmake")))
    # A program that is looked for has the version in a loop: TF_LLVM_CONFIG_${v}.
    for option in re.findall(r"-D(\w+)=", script):
        if not option.startswith("CMAKE_") and not re.search(rf"\b{re.sub(r'_[0-9]+$', '', option)}(\b|_\$)", known):
            yield f"build.sh: CMake does not know {option}"


def check_installed(root, build, recipe):
    """What the test looks for, CMake installs."""
    scripts = "\n".join(p.read_text(errors="replace") for p in build.rglob("cmake_install.cmake"))
    for path in re.findall(r"test -f \$PREFIX/(\S+)", recipe):
        if path.rpartition("/")[2] not in scripts:
            yield f"meta.yaml: nothing installs {path}"
    for program in set(re.findall(r"vendors (trefoil-\w+)", recipe)):
        if program not in scripts:
            yield f"meta.yaml: nothing installs {program}"
    for path in re.findall(r"^    - ([\w.]+)$", recipe.partition("license_file:")[2], re.M):
        if not (root / path).exists():
            yield f"meta.yaml: no {path}"


def main(root, build):
    root, build = pathlib.Path(root), pathlib.Path(build).resolve()
    folder = root / "packaging/conda"
    recipe, script = (folder / "meta.yaml").read_text(), (folder / "build.sh").read_text()
    version = re.search(r"project\(trefoil VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]
    faults = [*check_options(root, script), *check_installed(root, build, recipe)]
    if f'set version = "{version}"' not in recipe:
        faults.append(f"meta.yaml: the version is not {version}")
    if re.search(r"\t", recipe):
        faults.append("meta.yaml: a tab")
    if subprocess.run(["bash", "-n", str(folder / "build.sh")], check=False).returncode:
        faults.append("build.sh: no script")
    for kernel in folder.glob("*.cl"):
        if kernel.name not in recipe or subprocess.run([build / "trefoil-run", str(kernel)], check=False, timeout=200,
                                                       env=os.environ).returncode:
            faults.append(f"{kernel.name} is not run, or fails")
    print("\n".join(faults) or "the recipe fits the tree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
