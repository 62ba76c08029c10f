#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What modules become, as LLVM's text.

    check_text.py TREFOILC FOLDER FILE.spvasm ...

A line "; TEXT OPTIONS: expression" of a file says what is found in the text of FOLDER/FILE.spv, read with
these build options."""
import pathlib
import re
import subprocess
import sys

WANTED = re.compile(r"^; TEXT ?(.*?): (.*)$", re.MULTILINE)


def main():
    trefoilc, folder, *files = sys.argv[1:]
    checked = faults = 0
    for file in map(pathlib.Path, files):
        texts = {}
        for options, expression in WANTED.findall(file.read_text()):
            if options not in texts:
                command = [trefoilc, *options.split(), "--emit=ll", f"{folder}/{file.stem}.spv"]
                texts[options] = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            checked += 1
            if not re.search(expression, texts[options]):
                print(f"{file.name}: with '{options}' not found: {expression}\n{texts[options]}")
                faults += 1
    print(f"{checked} checked, {faults} faults")
    return 1 if faults or not checked else 0


sys.exit(main())
