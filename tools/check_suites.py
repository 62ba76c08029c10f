#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each source of src/base, src/cache, src/abi and src/core has a suite, and that the suite that
runs on every device calls each slot of the device interface. Exit status 1 otherwise.

    tools/check_suites.py ROOT

The suite of x.c is test_x.c or test_core_x.c in tests/unit or tests/api. A source without one has
a line in tests/suites.txt that says which suites test it; a line that says nothing new or
names what is not there is an error.
"""

import pathlib
import re
import sys

ROOMS = ("base", "cache", "abi", "core")
TABLE = "tests/suites.txt"
INTERFACE = "src/core/platform/device_interface.h"
MAX_SLOTS = 23


def read_table(path):
    """source -> (line, suites)"""
    table = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if words:
            table[words[0]] = (number, words[1:])
    return table


def suites_of(root):
    """name of the CTest test -> its source"""
    return {f"{folder}_{path.stem.removeprefix('test_')}": path
            for folder in ("unit", "api", "device")
            for path in (root / "tests" / folder).rglob("test_*.c")}


def own_suites(stem, suites):
    return [f"{folder}_{prefix}{stem}" for folder in ("unit", "api") for prefix in ("", "core_")
            if f"{folder}_{prefix}{stem}" in suites]


def check(root):
    """Yields what is wrong."""
    suites = suites_of(root)
    table = read_table(root / TABLE)
    sources = {path.relative_to(root / "src").as_posix(): path.stem
               for room in ROOMS for path in (root / "src" / room).rglob("*.c")}
    for room in ROOMS:
        if not any(source.startswith(f"{room}/") for source in sources):
            yield f"src/{room}: no sources"
    for source, stem in sorted(sources.items()):
        own = own_suites(stem, suites)
        if not own and source not in table:
            yield f"src/{source}: no tests/unit/*/test_{stem}.c, and no line in {TABLE}"
        if own and source in table:
            yield f"{TABLE}:{table[source][0]}: {source} has a suite of its own: {own[0]}"
    for source, (line, names) in table.items():
        if source not in sources:
            yield f"{TABLE}:{line}: no src/{source}"
        if not names:
            yield f"{TABLE}:{line}: {source}: no suite"
        for name in names:
            if name not in suites:
                yield f"{TABLE}:{line}: no suite {name}"


def without_comments(path):
    return re.sub(r"//.*|/\*.*?\*/", "", path.read_text())


def check_slots(root):
    """Yields what is wrong."""
    ops = without_comments(root / INTERFACE).split("struct tf_device_ops {")[1].split("\n};")[0]
    members = [text for text in ops.split(";") if text.strip()]
    slots = re.findall(r"\(\*(\w+)\)\(", ops)
    tests = [without_comments(path) for path in (root / "tests/device").glob("*.[ch]")]
    tests = [text for text in tests if '"device/every_device.h"' in text]
    tests.append(without_comments(root / "tests/device/rig.h"))
    called = set(re.findall(r"(?:OPS|ops)->(\w+)\(", "\n".join(tests)))
    if len(slots) != len(members):
        yield f"{INTERFACE}: {len(members)} members, of which {len(slots)} are seen"
    if len(slots) > MAX_SLOTS:
        yield f"{INTERFACE}: {len(slots)} slots, at most {MAX_SLOTS}"
    for slot in slots:
        if slot not in called:
            yield f"{INTERFACE}: no test that runs on every device calls {slot}"


def main():
    root = pathlib.Path(sys.argv[1])
    faults = [*check(root), *check_slots(root)]
    print("\n".join(faults))
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
