# SPDX-License-Identifier: MIT
"""Runs what pages of the documentation show: writes the files of blocks like ```c scale.cl, runs the commands behind $ of
blocks of ```console, one after the other, and compares what they print. `..` stands for anything: a line
of it for some lines, within one for the rest."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def pattern_of(lines):
    parts = [r"(?:.*\n)*" if line == ".." else ".*".join(map(re.escape, line.split(".."))) + r"\n" for line in lines]
    return "".join(parts)


def sessions(text):
    """(command, lines that it prints)"""
    command, lines = None, []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, lines
            command, lines = line[2:], []
        else:
            lines.append(line)
    yield command, lines


def check(page, build, environment, faults):
    commands = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(build, pathlib.Path(folder) / "build")  # as in the source tree
        for kind, name, text in BLOCK.findall(pathlib.Path(page).read_text()):
            if name:
                (pathlib.Path(folder) / name).write_text(text)
            if kind != "console":
                continue
            for command, lines in sessions(text):
                run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=200,
                                     cwd=folder, env=environment)
                commands += 1
                printed = run.stdout + run.stderr
                if run.returncode or not re.fullmatch(pattern_of(lines), printed):
                    faults.append(f"{page}: {command}: status {run.returncode}, printed:\n{printed}expected:\n" + "\n".join(lines))
    return commands


def main(build, tools, *pages):
    faults, commands = [], 0
    with tempfile.TemporaryDirectory() as programs:
        os.symlink(pathlib.Path(tools) / "trefoil_report/trefoil-report.py", pathlib.Path(programs) / "trefoil-report")
        environment = {**os.environ, "PATH": f"{programs}:{build}:{os.environ['PATH']}"}
        for page in pages:
            commands += check(page, pathlib.Path(build).resolve(), environment, faults)
    print("\n".join(faults) or f"{commands} commands of {len(pages)} pages do what is said")
    return 1 if faults or not commands else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
