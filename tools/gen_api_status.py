#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes doc/api-status.md from src/api/entrypoints.def.

    gen_api_status.py           writes the page
    gen_api_status.py --check   exit status 1 if the page is stale
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/api/entrypoints.def"
PAGE = ROOT / "doc/api-status.md"
ENTRY = re.compile(r"^TF_(ENTRY|BY_NAME)\((\w+), \w+, [^,]+, (\w+), \(")
SECTION = re.compile(r"^// ((?:OpenCL \d\.\d|cl_\w+).*)$")
STATES = {
    "done": "done",
    "absent": "extension not offered",
}

HEAD = """# Entry points

Generated from `src/api/entrypoints.def` by `tools/gen_api_status.py`; do not edit.

The first list is the dispatch table of OpenCL 3.1, in its order. Every function of OpenCL 1.0
to 3.1 is done. Functions of extensions that are not offered return
`CL_INVALID_OPERATION` (through `errcode_ret` where there is one; else NULL) and say so in the
log with `TREFOIL_LOG=error`. The second list are functions that are only asked for by name.
"""


def parse(text):
    """[(in table, section, state, name)]; every line that looks like an entry must parse."""
    entries, section = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        m = SECTION.match(line)
        if m:
            section = m.group(1)
        if not re.search(r"^\s*TF_(ENTRY|BY_NAME)\b", line):
            continue
        m = ENTRY.match(line)
        if not m or m.group(2) not in STATES:
            sys.exit(f"{SOURCE.name}:{number}: not an entry: {line[:60]}")
        entries.append((m.group(1) == "ENTRY", section, m.group(2), m.group(3)))
    return entries


def table(entries):
    lines = ["| Function | Since | State |", "|---|---|---|"]
    lines += [f"| {name} | {section} | {STATES[state]} |" for _, section, state, name in entries]
    return "\n".join(lines) + "\n"


def page(entries):
    in_table = [e for e in entries if e[0]]
    counts = ", ".join(f"{sum(e[2] == s for e in in_table)} {text}" for s, text in STATES.items())
    return (f"{HEAD}\n## Dispatch table\n\n{len(in_table)} functions: {counts}.\n\n"
            f"{table(in_table)}\n## By name\n\n{table([e for e in entries if not e[0]])}")


def main():
    text = page(parse(SOURCE.read_text()))
    if "--check" in sys.argv[1:]:
        if PAGE.exists() and PAGE.read_text() == text:
            return 0
        print("doc/api-status.md is stale: run tools/gen_api_status.py")
        return 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
