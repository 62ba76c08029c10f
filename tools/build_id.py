#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the option that gives a program the build id of an ELF file, for compilers that drive linkers.

    tools/build_id.py LIBRARY FILE
"""
import struct
import sys

PT_NOTE, NT_GNU_BUILD_ID = 4, 3


def build_id(data):
    parts_at, = struct.unpack_from("<Q", data, 32)
    part_bytes, part_count = struct.unpack_from("<HH", data, 54)
    for i in range(part_count):
        kind, _, at, _, _, size = struct.unpack_from("<IIQQQQ", data, parts_at + i * part_bytes)
        end = at + size
        while kind == PT_NOTE and at + 12 < end:
            name_bytes, id_bytes, note = struct.unpack_from("<III", data, at)
            at += 12 + (name_bytes + 3) // 4 * 4
            if note == NT_GNU_BUILD_ID:
                return data[at:at + id_bytes].hex()
            at += (id_bytes + 3) // 4 * 4
    sys.exit("no build id")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as library:
        text = f"-Wl,--build-id=0x{build_id(library.read(1 << 20))}\n"
    with open(sys.argv[2], "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main()
