#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every environment variable in the table of base/env.c is described in doc/debugging.md, and
the other way round; no other source file reads a TREFOIL_* variable past the table."""
import pathlib
import re
import sys

NAME = re.compile(r"TREFOIL_[A-Z_]+")
DIRECT = re.compile(r'\bgetenv\s*\(\s*"(TREFOIL_[A-Z_]+)"')


def main():
    top = pathlib.Path(__file__).resolve().parent.parent
    table = set(re.findall(r'\{\s*"(TREFOIL_[A-Z_]+)"', (top / "src/base/env.c").read_text()))
    # Described: the first column of a table row.
    text = (top / "doc/debugging.md").read_text()
    described = set(re.findall(r"^\| `(TREFOIL_[A-Z_]+)", text, re.M))
    faults = [f"{name}: in base/env.c, not described in doc/debugging.md" for name in sorted(table - described)]
    faults += [f"{name}: described in doc/debugging.md, not in base/env.c" for name in sorted(described - table)]
    for path in sorted((top / "src").rglob("*.[ch]*")):
        for name in DIRECT.findall(path.read_text()):
            faults.append(f"{path.relative_to(top)}: reads {name} without base/env.h")
    if "secure_getenv(" not in (top / "src/base/env.c").read_text():
        faults.append("src/base/env.c: a setuid program must not obey its caller's variables")
    if not table:
        faults.append("no variable found in base/env.c: has the table changed?")
    print("\n".join(faults) or f"{len(table)} variables, all described")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
