#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rooms of src/: who may look into whom. Exit status 1 where a rule is broken.

    tools/check_layers.py src [--build FOLDER]

A room is a folder. Errors: an include or, with a build, a call that points upward, a circle of
rooms, a circle of more than MAX_CIRCLE files inside a room, more than MAX_FILES files in one, two
files of one name; and what would hide such a thing: an include by another path than that from
src/, a kind of file that is not looked at, a source that the build has no object file of. Long files and functions are listed as notes: each is a question, not an error.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# The rooms, lowest first: a file may include what stands in its own room and in the rooms
# that its row names. Two products: libtrefoil.so is base, cache, abi, trace, core, api and devices;
# libtrefoil-compiler.so is base, cache, abi, builtins and compiler. Neither knows the other's
# rooms. trefoil-helper, the process to compile in, is base, abi and helper; trefoil-helper-whole is
# that and all of libtrefoil-compiler.so.
CORE = ("core/object", "core/platform", "core/schedule", "core/semaphore", "core/memory",
        "core/program", "core/command", "core/command_buffer")
API = ("api", "api/platform", "api/schedule", "api/semaphore", "api/memory", "api/program", "api/command",
       "api/command_buffer")
CPU = ("devices/cpu/arch", "devices/cpu/fiber", "devices/cpu/facts", "devices/cpu/pool", "devices/cpu/move",
       "devices/cpu/loader", "devices/cpu/helper", "devices/cpu/program", "devices/cpu/tier", "devices/cpu/queue", "devices/cpu/print",
       "devices/cpu/check", "devices/cpu/run", "devices/cpu/family", "devices/cpu/batch",
       "devices/cpu")
WORKGROUP = tuple("compiler/workgroup/" + room for room in (
    "target", "kernel", "item", "analysis", "analysis/operation", "plan", "plan/room", "plan/choice", "plan/pack", "prepare/narrow", "prepare/rounds", "prepare/interior", "prepare/waits", "prepare",
    "gang/value", "gang/memory", "gang/arithmetic", "gang", "check", "split", "group", "report"))
SPIRV = ("compiler/spirv/read", "compiler/spirv/std", "compiler/spirv/groups",
         "compiler/spirv/ops", "compiler/spirv")
COMPILER = ("compiler/job", "compiler/clang", "compiler/ir", "compiler/ir/flow", "compiler/ir/memory", "compiler/ir/vector", "compiler/front",
            "compiler/lower/kept", "compiler/lower/recursion", "compiler/lower", "compiler/lower/arithmetic", "compiler/lower/undefined", *SPIRV, "compiler/spir", "compiler/module", "compiler/check", *WORKGROUP,
            "compiler/workgroup",
            "compiler/codegen/arithmetic", "compiler/codegen/constants", "compiler/codegen/convert", "compiler/codegen/memory", "compiler/codegen", "compiler")
# What a device sees of core.
DEVICE_INTERFACE = ("core/platform/device_interface.h", "core/platform/device_caps.h",
                    "core/object/error.h", "core/object/notifier.h",
                    "core/memory/image_format.h")


def stack(rooms, *below):
    """Rooms of which each may look into those before it and into `below`."""
    return {room: below + rooms[:i] for i, room in enumerate(rooms)}


MAY_INCLUDE = {
    "base": (),
    "cache": ("base",),
    "trace": ("base",),
    "abi": ("base", "CL"),
    **stack(CORE, "base", "abi", "trace", "CL"),
    **stack(API, "base", "abi", "trace", "CL", *CORE),
    **stack(CPU, "base", "cache", "abi", "trace", "CL", *DEVICE_INTERFACE),
    "devices/mock": ("base", "abi", "CL", *DEVICE_INTERFACE),
    "devices": ("base", "abi", "CL", "devices/cpu", "devices/mock", *DEVICE_INTERFACE),
    "builtins": ("base", "abi"),
    "helper": ("base", "abi"),
    **stack(COMPILER, "base", "cache", "abi", "CL", "builtins"),
}

# Lists of what stands above them, each declared where it is looked at: the drivers
# (device_interface.h) and the entry points (dispatch.h). The linker ties them, not a room.
LISTS = ("devices/registry.c", "api/dispatch.c")

# Rooms whose walls are not up yet: what is wrong there is told and counted, and no error.
PENDING = ()

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_FILES = 25
MAX_CIRCLE = 3
TOP = "base|cache|trace|abi|core|api|compiler|builtins|devices|helper|CL"
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]((?:' + TOP + r')/[^">]+)[">]')
ANY_INCLUDE = re.compile(r"\s*#\s*include(?:_next)?\b(.*)")
SYSTEM_INCLUDE = re.compile(r"\s*<[^>]+>")
SUFFIXES = (".c", ".h", ".cpp", ".def")
NO_SOURCES = ("CMakeLists.txt", "README.md")


def folder_of(path):
    return path.rpartition("/")[0]


def room_of(path):
    """The folder; the folders of the processor families are one room with their header."""
    folder = folder_of(path)
    return "devices/cpu/arch" if folder.startswith("devices/cpu/arch/") else folder


def function_lengths(lines):
    """Yields (first line, length) of each brace block that starts in column 0."""
    start = None
    for i, line in enumerate(lines, 1):
        if line == "{":
            start = i
        elif line == "}" and start:
            yield start, i - start + 1
            start = None


def circles(graph):
    """The strongly connected components of more than one node (Tarjan 1972)."""
    index, low, on_stack, path, found = {}, {}, set(), [], []

    def visit(node):
        index[node] = low[node] = len(index)
        path.append(node)
        on_stack.add(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(path.pop())
                on_stack.discard(component[-1])
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


class Tree:
    """The files of src/ with what each includes, and with what each calls where there is a build."""

    def __init__(self, root, build):
        self.root = root
        self.files = {p.relative_to(root).as_posix(): p.read_text().splitlines()
                      for p in sorted(root.rglob("*")) if p.suffix in SUFFIXES
                      if not is_opencl_c(p.relative_to(root).as_posix())}
        self.others = [p.relative_to(root).as_posix() for p in sorted(root.rglob("*"))
                       if p.is_file() and p.suffix not in SUFFIXES and p.name not in NO_SOURCES]
        self.includes = {f: [(n, m.group(1)) for n, line in enumerate(lines, 1)
                             if (m := INCLUDE.match(line))] for f, lines in self.files.items()}
        self.calls = calls_of(build, self.files) if build else {}

    def edges(self):
        """(from, to, how) between files, each once."""
        for source, includes in sorted(self.includes.items()):
            for line, target in includes:
                yield source, target, f"{source}:{line}: includes {target}"
        for source, calls in sorted(self.calls.items()):
            for target, symbol in sorted(calls):
                if not self.is_answer(source, target, symbol):
                    yield source, target, f"{source}: calls {symbol}() of {target}"

    def is_answer(self, source, target, symbol):
        """Devices answer through the functions that their interface declares, which stand in
        core."""
        return source.startswith("devices/") and target.startswith("core/") and any(
            re.search(rf"\b{symbol}\(", "\n".join(self.files[header]))
            for header in DEVICE_INTERFACE if header in self.files)


def is_opencl_c(path):
    """The library of built-ins, which is no C of the host, and its tables."""
    return path.startswith(("builtins/lib/", "builtins/def/")) or path == "builtins/builtins.def"


def calls_of(build, files):
    """file -> {(file, a symbol of it)}, as the object files of a build have it."""
    objects = {}
    for path in sorted(pathlib.Path(build).rglob("*.o")):
        # Those of the mock device are made in tests/, "__" is "..".
        name = path.as_posix().split(".dir/", 1)[-1].removesuffix(".o").removeprefix("__/src/")
        for prefix in ("", "compiler/", "builtins/", "helper/"):
            if prefix + name in files:
                objects[prefix + name] = path
    names = {str(path): name for name, path in objects.items()}
    text = subprocess.run(["nm", "-A", "-P", *names], check=True, capture_output=True,
                          text=True).stdout if names else ""
    defined, wanted = {}, {}
    for line in text.splitlines():
        path, _, rest = line.partition(": ")
        symbol, kind = rest.split()[:2]
        if kind == "U":
            wanted.setdefault(names[path], []).append(symbol)
        elif kind.isupper():
            defined.setdefault(symbol, names[path])
    missing = [f for f in files if f.endswith((".c", ".cpp")) and f not in objects]
    if missing:
        sys.exit(f"{build}: no object file of {' '.join(missing)}")
    return {name: {(defined[s], s) for s in symbols if defined.get(s, name) != name}
            for name, symbols in wanted.items()}


def is_allowed(source, target):
    """Whether a file may include or call what stands in another."""
    room, other = room_of(source), room_of(target)
    if room == other or source == "devices/registry.c":
        return True
    allowed = MAY_INCLUDE.get(room)
    return allowed is not None and (other in allowed or target in allowed
                                    or other.split("/")[0] in allowed and "/" not in other)


def module_of(path):
    """x.c and x.h are one."""
    return path.rsplit(".", 1)[0]


def check_rooms(tree):
    """Yields what is wrong between rooms and inside them."""
    rooms, modules = {}, {}
    for source, target, how in tree.edges():
        called = ": calls " in how
        if called and (source in LISTS or target == LISTS[0]):
            continue
        if not is_allowed(source, target):
            yield how
        if room_of(source) != room_of(target):
            rooms.setdefault(room_of(source), set()).add(room_of(target))
        elif module_of(source) != module_of(target):
            modules.setdefault(module_of(source), set()).add(module_of(target))
    for circle in circles(rooms):
        yield f"a circle of rooms: {' '.join(circle)}"
    for circle in circles(modules):
        if len(circle) > MAX_CIRCLE:
            yield f"a circle of {len(circle)} files: {' '.join(circle)}"


def check_folders(tree):
    """Yields folders of too many files, rooms without a row and names that are there twice."""
    count, names = {}, {}
    for path in tree.files:
        count[folder_of(path)] = count.get(folder_of(path), 0) + 1
        names.setdefault(path.rpartition("/")[2], []).append(path)
    for folder, n in sorted(count.items()):
        if n > MAX_FILES:
            yield f"{folder}: {n} files, at most {MAX_FILES}"
        if room_of(folder + "/") not in MAY_INCLUDE:
            yield f"{folder}: a room without a row in MAY_INCLUDE"
    for name, paths in sorted(names.items()):
        if len(paths) > 1:
            yield f"one name, several files: {' '.join(paths)}"


def check_sight(tree):
    """Yields what the other checks would not see."""
    for path, lines in sorted(tree.files.items()):
        for number, line in enumerate(lines, 1):
            m = ANY_INCLUDE.match(line)
            if m and not INCLUDE.match(line) and not SYSTEM_INCLUDE.match(m.group(1)):
                yield f"{path}:{number}: an include by another path than that from src/"
    for name in (*DEVICE_INTERFACE, *LISTS):
        if name not in tree.files:
            yield f"a rule names {name}, which is not there"
    for room in MAY_INCLUDE:
        if not any(room_of(path) == room for path in tree.files):
            yield f"a row of MAY_INCLUDE for {room}, where nothing is"
    for path in tree.others:
        if not is_opencl_c(path):
            yield f"{path}: a kind of file that is not looked at"


def notes(tree):
    for path, lines in sorted(tree.files.items()):
        if len(lines) > MAX_FILE_LINES:
            yield f"{path}: {len(lines)} lines"
        for start, n in function_lengths(lines):
            if n > MAX_FUNCTION_LINES:
                yield f"{path}:{start}: function of {n} lines"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("root", type=pathlib.Path, help="the folder src")
    arguments.add_argument("--build", help="a build folder: calls are checked, too")
    given = arguments.parse_args()
    tree = Tree(given.root, given.build)
    if not tree.files:
        print(f"no source files in {given.root}")
        return 1
    errors = [*check_rooms(tree), *check_folders(tree), *check_sight(tree)]
    pending_text = r"^(one name|a circle of( \d+)? \w+: )?(" + "|".join(PENDING) + r")\b"
    for text in notes(tree):
        print("note: " + text)
    pending = [e for e in errors if PENDING and re.search(pending_text, e)]
    errors = [e for e in errors if e not in pending]
    for text in pending:
        print("pending: " + text)
    for text in errors:
        print("error: " + text)
    print(f"{len(tree.files)} files, {len(errors)} errors, {len(pending)} pending")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
