#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what the documents name: files and functions that they quote, pages that they link to, tests that they call by
name, options of our programs, targets of make, variables of the environment; all must be there; and commands, which tests must
run (doc_commands.py). doc/decisions tell of the past
and may name what is gone; their links count.

    tools/check_docs.py [root]
"""
import pathlib
import re
import sys

import doc_commands

ROOMS = "src|tests|tools|doc|include|bench|examples|cmake|packaging"
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"({ROOMS})/[\w./*+-]+$")
FUNCTION = re.compile(r"(tf_\w*\w)(\(\))?$")
READERS_OWN = re.compile(r"NAME|noun_verb")
TEST = re.compile(r"(unit|api|acceptance|builtins|device|compiler)_(\w+)$")
PROGRAMS = ("trefoil-run", "trefoilc", "trefoil-info", "trefoil-cache", "trefoil-report")
CALL = re.compile(rf"(?<![\w/.-])(?:build/)?({'|'.join(PROGRAMS)})((?: [^`|;&\n()]+)?)")
OPTION = re.compile(r"(?<=\s)--[a-z][\w-]*")
MAKE = re.compile(r"(?:^    |`|; )make ([a-z][\w-]*)", re.M)
VARIABLE = re.compile(r"\bTREFOIL_[A-Z_]*[A-Z]\b")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


class Tree:
    def __init__(self, root):
        self.root = root
        self.code = "\n".join(p.read_text(errors="replace") for room in ("src", "tests", "include", "tools")
                              for p in sorted((root / room).rglob("*")) if p.suffix in (".c", ".h", ".cpp", ".def", ".py", ".txt"))
        self.words = set(re.findall(r"\w+", self.code))
        self.suites = {p.stem.removeprefix("test_") for p in (root / "tests").rglob("test_*")}
        # tools/check_manuals.py compares the texts with what the programs take.
        self.options = {p: set(re.findall(r"--[a-z][\w-]*", (root / f"doc/man/{p}.txt").read_text()))
                        for p in PROGRAMS}
        self.targets = {t for line in re.findall(r"^([\w -]+):", (root / "Makefile").read_text(), re.M) for t in line.split()}
        self.variables = set(VARIABLE.findall((root / "src/base/env.c").read_text()))
        self.lists = "\n".join(p.read_text() for p in (root / "tests").rglob("CMakeLists.txt"))

    def has_path(self, name):
        """A program counts by its source."""
        return (self.root / name).exists() or (self.root / (name + ".c")).exists() or ("*" in name and any(self.root.glob(name)))

    def has_function(self, name):
        return name in self.words or name.endswith("_") and any(word.startswith(name) for word in self.words)

    def has_test(self, kind, name):
        if kind in ("unit", "api"):
            return name in self.suites
        return name in self.suites or re.search(rf"\b({kind}_{name}|{name})\b", self.lists) or self.has_function(f"{kind}_{name}")


def faults_of_commands(tree, text):
    for call in CALL.finditer(text):
        for option in set(OPTION.findall(call[2])) - tree.options[call[1]]:
            yield f"{call[1]} has no option {option}"
    for target in set(MAKE.findall(text)) - tree.targets:
        yield f"make knows no {target}"
    for variable in set(VARIABLE.findall(text)) - tree.variables:
        yield f"nothing reads {variable}"


def faults(tree, page):
    text = page.read_text()
    is_past = "decisions" in page.parts or page.name == "CHANGELOG.md"
    for quoted in () if is_past else QUOTED.findall(text):
        if READERS_OWN.search(quoted):
            continue
        if PATH.match(quoted) and not tree.has_path(quoted.rstrip("/.,")):
            yield f"no {quoted}"
        if (m := FUNCTION.match(quoted)) and not tree.has_function(m[1]):
            yield f"nothing is called {quoted}"
        if "changes" in page.parts and (m := TEST.match(quoted)) and not tree.has_test(*m.groups()):
            yield f"no test {quoted}"
    if not is_past:
        yield from faults_of_commands(tree, text)
    for link in LINK.findall(text):
        if not re.match(r"\w+:", link) and not (page.parent / link).exists():
            yield f"no page {link}"


def main(root="."):
    root = pathlib.Path(root).resolve()
    tree = Tree(root)
    pages = [*sorted((root / "doc").rglob("*.md")), *sorted((root / "src").rglob("*.md")), *sorted(root.glob("*.md"))]
    found = [f"{page.relative_to(root)}: {fault}" for page in pages for fault in faults(tree, page)]
    users = [str(page.relative_to(root)) for page in [*pages, root / "bench/README.md"] if "decisions" not in page.parts]
    found += doc_commands.faults(root, users)
    print("\n".join(found) or f"what {len(pages)} pages name is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
