#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what the documents name: files and functions that they quote, pages that they link to, tests that they call by
name; all must be there. doc/decisions tell of the past and may name what is gone; their links count.

    tools/check_docs.py [root]
"""
import pathlib
import re
import sys

ROOMS = "src|tests|tools|doc|include|bench|examples|cmake|packaging"
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"({ROOMS})/[\w./*+-]+$")
FUNCTION = re.compile(r"(tf_\w*\w)(\(\))?$")
READERS_OWN = re.compile(r"NAME|noun_verb")
TEST = re.compile(r"(unit|api|acceptance|builtins|device|compiler)_(\w+)$")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


class Tree:
    def __init__(self, root):
        self.root = root
        self.code = "\n".join(p.read_text(errors="replace") for room in ("src", "tests", "include", "tools")
                              for p in sorted((root / room).rglob("*")) if p.suffix in (".c", ".h", ".cpp", ".def", ".py", ".txt"))
        self.words = set(re.findall(r"\w+", self.code))
        self.suites = {p.stem.removeprefix("test_") for p in (root / "tests").rglob("test_*")}
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
    for link in LINK.findall(text):
        if not re.match(r"\w+:", link) and not (page.parent / link).exists():
            yield f"no page {link}"


def main(root="."):
    root = pathlib.Path(root).resolve()
    tree = Tree(root)
    pages = [*sorted((root / "doc").rglob("*.md")), *sorted((root / "src").rglob("*.md")), *sorted(root.glob("*.md"))]
    found = [f"{page.relative_to(root)}: {fault}" for page in pages for fault in faults(tree, page)]
    print("\n".join(found) or f"what {len(pages)} pages name is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
