#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares each program's --help with its page in doc/man: both name the same options.

    tools/check_manuals.py FOLDER_OF_PAGES PROGRAM ..
"""
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"(?<![\w/.-])(--?[a-zA-Z][\w-]*)")
UNIVERSAL = {"--help", "--version", "-h"}
ALIEN = re.compile(r"-(cl-|D|g$|std)")  # of builds, not of the program


def options(text):
    text = re.sub(r"\btrefoilc +--?[\w-]+", "", text)  # as others name it
    return {o for o in OPTION.findall(text) if not ALIEN.match(o)} - UNIVERSAL


def page_text(path):
    text = path.read_text()
    for font in (r"\fB", r"\fI", r"\fR", r"\fP", r"\&"):
        text = text.replace(font, "")
    # The examples and other programs' options stand between .nf and .fi.
    text = re.sub(r"^\.nf\n.*?^\.fi$", "", text, flags=re.M | re.S)
    text = re.sub(r'^\.\\".*$', "", text, flags=re.M)
    return re.sub(r'^\.[A-Z]+ ?', "", text.replace("\\-", "-"), flags=re.M)


def check(folder, program):
    name = pathlib.Path(program).name.removesuffix(".py")
    page = folder / f"{name}.1"
    if not page.exists():
        return [f"{name}: no page"]
    command = [sys.executable, program] if program.endswith(".py") else [program]
    result = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False, timeout=120)
    if result.returncode or not result.stdout:
        return [f"{name} --help: {result.returncode}"]
    said, written = options(result.stdout), options(page_text(page))
    return [f"{name}: {o} is not in its page" for o in sorted(said - written)] + \
           [f"{name}: {o} of its page is not in --help" for o in sorted(written - said)]


def main(folder, *programs):
    faults = [fault for program in programs for fault in check(pathlib.Path(folder), program)]
    pages = {p.stem for p in pathlib.Path(folder).glob("*.1")} - {pathlib.Path(p).name.removesuffix(".py") for p in programs}
    faults += [f"{page}: a page of no program" for page in sorted(pages)]
    print("\n".join(faults) or f"{len(programs)} programs say what their pages say")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
