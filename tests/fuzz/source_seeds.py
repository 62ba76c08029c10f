#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what fuzz_guided_source can begin with: the small kernels of the tests.

One in eight with optimization, the others as quick code:

    source_seeds.py FOLDER [MOST_BYTES]
"""
import pathlib
import sys

QUICK = 5  # guided_source.c: so many forms, then the depths


def main():
    folder = pathlib.Path(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
    kernels = pathlib.Path(__file__).resolve().parent.parent / "kernels"
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sorted(kernels.rglob("*.cl")):
        text = path.read_bytes()
        if len(text) > most:
            continue
        how = count % 5 if count % 8 == 0 else QUICK + count % 5
        (folder / f"{path.parent.name}-{path.stem}").write_bytes(bytes([how, 1]) + text)
        count += 1
    print(f"{count} kernels")


if __name__ == "__main__":
    main()
