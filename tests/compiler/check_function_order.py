#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions that a small kernel needs lie together in libtrefoil-compiler.so, in the order of the file
that the build made (tools/first_functions): most of the first ones on few pages.

    check_function_order.py LIBRARY NAMES
"""
import mmap
import struct
import sys

FIRST = 4000
# Of the code: a function has 300 bytes or so.
MOST_BYTES = 4 << 20
SYMTAB, FUNC = 2, 2


def functions(path):
    """{name: address} of the functions of an ELF file."""
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    offset, size, count = struct.unpack_from("<Q", data, 40) + struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + n * size) for n in range(count)]
    found = {}
    for _, kind, _, _, start, bytes_, link, _, _, _ in sections:
        if kind != SYMTAB:
            continue
        texts = sections[link][4]
        for name, info, _, _, value, _ in struct.iter_unpack("<IBBHQQ", data[start:start + bytes_]):
            if info & 15 == FUNC:
                end = data.find(b"\0", texts + name)
                found[data[texts + name:end].decode(errors="replace")] = value
    return found


def main():
    library, names = sys.argv[1:]
    with open(names, encoding="utf-8") as file:
        first = file.read().split()[:FIRST]
    if not first:
        print("skipped: the build could not trace processes")
        return 77
    there = functions(library)
    if not there:
        print("skipped: the library has no symbols")
        return 77
    addresses = sorted(there[name] for name in first if name in there)
    middle = addresses[len(addresses) // 2]
    near = sum(abs(address - middle) <= MOST_BYTES // 2 for address in addresses)
    print(f"{near} of {len(first)} functions within {MOST_BYTES >> 20} MiB")
    return 0 if len(first) == FIRST and near >= FIRST * 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
