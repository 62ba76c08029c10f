#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the include rules of src/: layers point down. Exit status 1 on an upward include.

Long files and functions are listed as notes: each is a question, not an error.
"""

import pathlib
import re
import sys

# layer: what it may include besides itself
ALLOWED = {
    "base": (),
    "core": ("base/", "CL/"),
    "api": ("core/", "base/", "CL/"),
    "compiler": ("core/kernel_info.h", "builtins/", "base/", "CL/"),
    "builtins": ("devices/cpu/cpu_abi.h", "core/pipe_layout.h", "base/"),
    "devices": ("core/device.h", "core/device_caps.h", "core/kernel_info.h", "core/error.h",
                "core/image_layout.h", "core/image_format.h", "compiler/", "builtins/",
                "base/", "CL/"),
}
# The one file that names every device.
EXEMPT = {"devices/registry.c"}
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
INCLUDE = re.compile(
    r'\s*#\s*include\s+[<"]((?:base|core|api|compiler|builtins|devices|CL)/[^">]+)[">]')


def layer_rules(rel):
    """The include prefixes that a file may use."""
    parts = rel.split("/")
    layer = parts[0]
    own = "/".join(parts[:2]) + "/" if layer == "devices" else layer + "/"
    allowed = (own,) + ALLOWED[layer]
    # The compiler library is linked with the CPU device's passes, which it calls through
    # their one header.
    if layer == "compiler":
        allowed += ("devices/cpu/wg/pipeline.h", "devices/cpu/codegen/", "devices/cpu/cpu_abi.h")
    return allowed


def function_lengths(lines):
    """Yields (first line, length) of each brace block that starts in column 0."""
    start = None
    for i, line in enumerate(lines, 1):
        if line == "{":
            start = i
        elif line == "}" and start:
            yield start, i - start + 1
            start = None


def check(path, root):
    """Yields (is_error, text) for one file."""
    rel = path.relative_to(root).as_posix()
    lines = path.read_text().splitlines()
    layer = rel.split("/")[0]
    if layer in ALLOWED and rel not in EXEMPT:
        for i, line in enumerate(lines, 1):
            m = INCLUDE.match(line)
            if m and not m.group(1).startswith(layer_rules(rel)):
                yield True, f"{rel}:{i}: {layer} may not include {m.group(1)}"
    if len(lines) > MAX_FILE_LINES:
        yield False, f"{rel}: {len(lines)} lines"
    for start, n in function_lengths(lines):
        if n > MAX_FUNCTION_LINES:
            yield False, f"{rel}:{start}: function of {n} lines"


def main():
    root = pathlib.Path(sys.argv[1])
    files = [p for e in ("*.c", "*.h", "*.cpp") for p in sorted(root.rglob(e))]
    if not files:
        print(f"no source files in {root}")
        return 1
    findings = [f for p in files for f in check(p, root)]
    for is_error, text in findings:
        print(("error: " if is_error else "note: ") + text)
    errors = sum(is_error for is_error, _ in findings)
    print(f"{len(files)} files, {errors} upward includes")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
