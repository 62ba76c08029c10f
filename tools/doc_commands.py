#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that a page shows is run by a test, or tools/doc_commands.txt says why not.

    tools/doc_commands.py run BUILD     runs what the list has to be run
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIST = "tools/doc_commands.txt"
# How a line of a shell begins, in a block that may be anything else.
COMMAND = re.compile(r"    (?:\$ )?((?:[A-Z_]+=(?:\$\([^)]*\)|\S+) )*(?:make|cd|git|pip|python3?|gdb|perf|mpirun|ctest|cmake|valgrind|export|apt-get|sudo|"
                     r"program|trefoil[a-z-]*|(?:build|tools|tests|\.ci|bench|\.)/\S+)(?: [^\n]*)?)$")
TELLING = re.compile(r"trefoil: ")  # what programs print
ENTRY = re.compile(r"^(\S+\.md): (.*)\n    (test|run|none) (.+)$", re.M)
CONSOLE = re.compile(r"^```(console|sh|bash|shell)\b", re.M)


def shown(text):
    """Commands of blocks of four spaces, without what is said of them."""
    for line in text.splitlines():
        if (m := COMMAND.match(line)) and not TELLING.match(m[1]):
            yield re.split(r"\s{2,}# ", m[1])[0].rstrip()


def entries(root):
    return [(m[1], m[2], m[3], m[4]) for m in ENTRY.finditer((root / LIST).read_text())]


def faults(root, pages):
    """Of the pages, by their paths from the root; `tests` is the text of all lists of tests."""
    tests = "\n".join(p.read_text() for p in (root / "tests").rglob("CMakeLists.txt"))
    listed = {(page, command) for page, command, _, _ in entries(root)}
    seen = set()
    for page in pages:
        text = (root / page).read_text()
        for command in shown(text):
            seen.add((page, command))
        for kind in CONSOLE.findall(text):
            if kind != "console" or f"${{CMAKE_SOURCE_DIR}}/{page}" not in tests:
                yield f"{page}: a block of {kind} that acceptance_tutorial does not run"
    for page, command in sorted(seen - listed):
        yield f"{page}: {LIST} does not say what runs: {command}"
    for page, command in sorted(listed - seen):
        yield f"{LIST}: {page} does not show: {command}"
    for _, _, how, name in entries(root):
        short = name.removeprefix("acceptance_")
        if how == "test" and not re.search(rf"tf_acceptance_test\({short}\b", tests) and \
                not (short.startswith("cluster_") and "tf_acceptance_test(cluster_${engine}" in tests):
            yield f"{LIST}: no test {name}"


def run(root, build):
    failed, count = 0, 0
    with tempfile.TemporaryDirectory() as out:
        for _, shown_as, how, command in entries(root):
            if how != "run":
                continue
            count += 1
            result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, cwd=root, timeout=500,
                                    env={**os.environ, "OUT": out, "BUILD": str(build)})
            if result.returncode:
                failed += 1
                print(f"{shown_as}: {command}: {result.returncode}\n{result.stdout[-1500:]}{result.stderr[-1500:]}")
    print(f"{failed} of {count} commands failed" if failed else f"{count} commands run")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "run":
        sys.exit(__doc__)
    sys.exit(run(pathlib.Path(__file__).resolve().parent.parent, pathlib.Path(sys.argv[2]).resolve()))
