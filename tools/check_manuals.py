#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each program takes the options of its text, doc/man/NAME.txt, and no others, and its --help and the page of the build are
what tools/gen_manual.py makes of it.

    tools/check_manuals.py ROOT FOLDER_OF_PAGES PROGRAM ..
    tools/check_manuals.py ROOT      only what can be seen in the sources
"""
import pathlib
import re
import subprocess
import sys

import gen_manual

# Literals of the sources that are options: by themselves, of getopt's table and its short ones, words that are commands.
LITERAL = re.compile(r'"(--?[a-zA-Z][\w-]*)=?[\w-]*"')
LONG = re.compile(r'\{"([a-z-]+)", (?:required|no)_argument')
SHORT = re.compile(r'getopt_long\(argc, argv, "([\w:]+)"')
COMMANDS = re.compile(r"commands\[\] = \{([^}]*)\}")
OPTION = re.compile(r"--?[a-zA-Z][\w-]*")
ARGPARSE = re.compile(r'add_argument\("(--?[\w-]+)"')
ALIEN = re.compile(r"-(cl-|D|I|g$|std|x$)")  # of builds or compilers, not of the program
OF_ARGPARSE = {"-h", "--help"}  # its own


def sources(root, name):
    folder = root / "tools" / name.replace("-", "_")
    return sorted(folder.glob("*.c")) + sorted(folder.glob("*.py")) or [folder.with_suffix(".c")]


def taken(paths):
    """The options and commands that sources take."""
    text = "\n".join(path.read_text() for path in paths)
    if any(path.suffix == ".py" for path in paths):
        return set(ARGPARSE.findall(text)) | OF_ARGPARSE
    options = {o for o in LITERAL.findall(text) if not ALIEN.match(o)}
    options |= {"--" + name for name in LONG.findall(text)}
    options |= {"-" + letter for letters in SHORT.findall(text) for letter in letters if letter != ":"}
    options |= {word for words in COMMANDS.findall(text) for word in re.findall(r'"(\w+)"', words)}
    return options


def written(text):
    """Those that have an item in the text."""
    sections = gen_manual.parse(text)[2]
    heads = [head for title in ("OPTIONS", "COMMANDS") for kind, head, *_ in gen_manual.blocks(sections.get(title, []))
             if kind == "item"]
    return {o for head in heads for o in (OPTION.findall(head) if "-" in head else head.split())} - {"FILE"}


def sources_differ(root, name, text):
    said, takes = written(text), taken(sources(root, name))
    yield from (f"{name} takes {o}, which doc/man/{name}.txt does not say" for o in sorted(takes - said))
    yield from (f"{name} does not take {o}, which doc/man/{name}.txt says" for o in sorted(said - takes))


def made_differ(pages, program, text):
    name = pathlib.Path(program).name
    page = pages / f"{name}.1"
    if not page.exists() or page.read_text() != gen_manual.page(text):
        yield f"{page} is not what is made of doc/man/{name}.txt now"
    result = subprocess.run([program, "--help"], capture_output=True, text=True, check=False, timeout=120)
    if result.returncode or result.stderr or result.stdout != gen_manual.help_text(text):
        yield f"{name} --help is not what is made of doc/man/{name}.txt now: {result}"
    result = subprocess.run([program, "--no-such-option"], capture_output=True, text=True, check=False, timeout=120)
    if result.returncode != 2 or result.stdout or "--help" not in result.stderr:
        yield f"{name} --no-such-option: {result}"


def main(root, pages=None, *programs):
    root = pathlib.Path(root)
    texts = {path.stem: path.read_text() for path in sorted((root / "doc/man").glob("*.txt"))}
    faults = [fault for name, text in texts.items() for fault in sources_differ(root, name, text)]
    if pages:
        faults += [fault for program in programs
                   for fault in made_differ(pathlib.Path(pages), program, texts[pathlib.Path(program).name])]
        faults += [f"{name}: a text of no program" for name in sorted(texts.keys() - {pathlib.Path(p).name for p in programs})]
    print("\n".join(faults) or f"{len(texts)} programs say what their texts say")
    return 1 if faults or not texts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
