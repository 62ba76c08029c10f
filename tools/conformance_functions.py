#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs functions of a built Khronos suite's math_brute_force in full length (not wimpy), scalars,
one process at a time, and keeps a table of them in doc/conformance.md: what stands there is not
run again, so that any day goes on where the last one stopped.

    nice -n 19 tools/conformance_functions.py SUITE_BUILD --vendors build/vendors --until 18:00
    tools/conformance_functions.py SUITE_BUILD --vendors build/vendors --kind double exp log

A cell says the largest error in ulp that the test found, the day, and the processor time in
seconds. What fails is printed and not entered.
"""
import argparse
import datetime
import os
import re
import sys
import types

import conformance

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "doc", "conformance.md")
PROGRAM = "math_brute_force/test_bruteforce"
KINDS = ("float", "double")
# Words after the function: scalars, and without what the other kinds test.
WORDS = {"float": ["-1", "-d", "-g", "-r"], "double": ["-1", "-f", "-g", "-r"]}
HEAD = "| Function | float | double |"
RULE = "|---|---|---|"
LARGEST = re.compile(r"passed\s+([0-9.]+) @")


def read_table(text):
    """Lines before the table, {function: {kind: cell}}, lines after it."""
    lines = text.split("\n")
    start = lines.index(HEAD)
    end = start + 2
    table = {}
    while end < len(lines) and lines[end].startswith("|"):
        cells = [cell.strip() for cell in lines[end].strip("|").split("|")]
        table[cells[0].strip("`")] = dict(zip(KINDS, cells[1:]))
        end += 1
    return lines[:start], table, lines[end:]


def write_table(page, before, table, after):
    rows = [f"| `{name}` | {cells.get('float', '')} | {cells.get('double', '')} |"
            for name, cells in sorted(table.items())]
    with open(page + ".new", "w", encoding="utf-8") as file:
        file.write("\n".join(before + [HEAD, RULE] + rows + after))
    os.replace(page + ".new", page)


def enter(page, name, kind, cell):
    """The page may have changed since the last function."""
    with open(page, encoding="utf-8") as file:
        before, table, after = read_table(file.read())
    table.setdefault(name, {})[kind] = cell
    write_table(page, before, table, after)


def cell_of(entry):
    """What the test printed of a function: its largest error, unless it looks for equality."""
    found = LARGEST.findall(entry.get("log", ""))
    error = f"{max(map(float, found)):.2f} ulp, " if found else ""
    return f"{error}{datetime.date.today().isoformat()}, {entry['seconds']:.0f} s"


def next_time(text):
    """The next time that a clock shows this, HH:MM."""
    now = datetime.datetime.now()
    hours, minutes = map(int, text.split(":"))
    then = now.replace(hour=hours, minute=minutes, second=0, microsecond=0)
    return then if then > now else then + datetime.timedelta(days=1)


def is_over(until):
    return until is not None and datetime.datetime.now() >= until


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help="build folder of the suite")
    parser.add_argument("functions", nargs="*", help="default: all")
    parser.add_argument("--kind", choices=KINDS, default="float")
    parser.add_argument("--page", default=PAGE, help="file with the table")
    parser.add_argument("--until", metavar="HH:MM", type=next_time, help="begins no function from then on")
    parser.add_argument("--vendors", help="ICD file or folder (default: the system's)")
    parser.add_argument("--limit", type=int, default=7200, help="CPU seconds of one function")
    options = parser.parse_intermixed_args()
    with open(options.page, encoding="utf-8") as file:
        known = read_table(file.read())[1]
    program = os.path.join(options.suite, "test_conformance", PROGRAM)
    run_options = types.SimpleNamespace(suite=options.suite, vendors=options.vendors, full=True,
                                        limit=options.limit, memory=None, keep=4000, spirv=None,
                                        argument=WORDS[options.kind], keeps_log=True,
                                        sizes="small")
    failed = False
    for name in options.functions or conformance.list_subtests(program):
        if known.get(name, {}).get(options.kind):
            continue
        if is_over(options.until):
            break
        entry = conformance.run_subtest(run_options, ("math_brute_force", PROGRAM, []), name)
        print(f"{entry['outcome']:6} {entry['seconds']:8.1f} s  {options.kind} {name}", flush=True)
        if entry["outcome"] == "pass":
            enter(options.page, name, options.kind, cell_of(entry))
        else:
            failed = True
            print(entry.get("log", ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
