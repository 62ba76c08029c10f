#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The checks of the tree can fail: each fault is planted in a copy, and must be found.

    check_rules.py ROOT BUILD COMPILER
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOUR = [f"src/base/round_{i}.h" for i in range(4)]
# what is wrong -> (tool, {file: its text, None: no such file, or a function of its text}, what is said)
PLANTS = {
    "an include that points upward":
        ("layers", {"src/base/hash.c": lambda t: '#include "core/object/error.h"\n' + t},
         "base/hash.c:1: includes core/object/error.h"),
    "one without a blank":
        ("layers", {"src/base/hash.c": lambda t: '#include"core/object/error.h"\n' + t},
         "base/hash.c:1: includes core/object/error.h"),
    "an include by a path of its own":
        ("layers", {"src/base/hash.c": lambda t: '#include "../core/object/error.h"\n' + t},
         "base/hash.c:1: an include by another path"),
    "a device that looks into core":
        ("layers", {"src/devices/cpu/cpu.c": lambda t: '#include "core/memory/mem.h"\n' + t},
         "devices/cpu/cpu.c:1: includes core/memory/mem.h"),
    "a circle of four files":
        ("layers", {f: (lambda t, i=i: f'#include "{FOUR[i - 3][4:]}"\n') for i, f in enumerate(FOUR)},
         "a circle of 4 files: base/round_0 base/round_1 base/round_2 base/round_3"),
    "a circle of rooms":
        ("layers", {"src/core/object/object.h": lambda t: '#include "core/memory/mem.h"\n' + t},
         "a circle of rooms: core/memory core/object"),
    "one name twice":
        ("layers", {"src/core/memory/hash.c": lambda t: ""}, "one name, several files: base/hash.c"),
    "too many files":
        ("layers", {f"src/core/memory/more_{i}.c": lambda t: "" for i in range(26)},
         "files, at most 25"),
    "a room that nobody knows":
        ("layers", {"src/core/attic/attic.c": lambda t: ""}, "a room without a row"),
    "a kind of file that is not looked at":
        ("layers", {"src/base/hidden.inc": lambda t: ""}, "base/hidden.inc: a kind of file"),
    "a source without a suite":
        ("suites", {"src/core/memory/lonely.c": lambda t: ""}, "src/core/memory/lonely.c: no tests/"),
    "a suite that is gone":
        ("suites", {"tests/api/command/test_map.c": None}, "no suite api_map"),
    "a line that says nothing new":
        ("suites", {"tests/suites.txt": lambda t: t + "base/hash.c unit_hash\n"},
         "base/hash.c has a suite of its own"),
    "a slot that no test calls":
        ("suites", {"src/core/platform/device_interface.h":
                    lambda t: t.replace("(*mem_unmap)(", "(*mem_unmapped)(", 1)},
         "calls mem_unmapped"),
    "a call in a comment only":
        ("suites", {"src/core/platform/device_interface.h":
                    lambda t: t.replace("(*mem_unmap)(", "(*mem_unmapped)(", 1),
                    "tests/device/rig.h": lambda t: t + "// OPS->mem_unmapped(dev)\n"},
         "calls mem_unmapped"),
    "a slot that the check does not see":
        ("suites", {"src/core/platform/device_interface.h":
                    lambda t: t.replace("struct tf_device_ops {", "struct tf_device_ops {\n    fn *plain;", 1)},
         "members, of which"),
    "an entry point that the page lacks":
        ("status", {"src/api/entrypoints.def": lambda t: t.replace("TF_ENTRY(done", "  TF_ENTRY(done", 1)},
         "not an entry"),
    "an option that no text names":
        ("manuals", {"tools/trefoilc/arguments.c": lambda t: t.replace('"--quick"', '"--quickly"', 1)},
         "trefoilc takes --quickly, which doc/man/trefoilc.txt does not say"),
    "an option of a text that no program takes":
        ("manuals", {"doc/man/trefoil-run.txt": lambda t: t.replace("  --modules FOLDER", "  --folder FOLDER", 1)},
         "trefoil-run does not take --folder"),
    "a page that was edited":
        ("status", {"doc/api-status.md": lambda t: t.replace("| done |", "| absent |", 1)}, "is stale"),
}
TOOLS = {"layers": ["check_layers.py", "src"], "suites": ["check_suites.py", "."],
         "status": ["gen_api_status.py", "--check"], "manuals": ["check_manuals.py", "."]}


def run(root, tool, *more):
    result = subprocess.run([sys.executable, "tools/" + TOOLS[tool][0], *TOOLS[tool][1:], *more],
                            cwd=root, capture_output=True, text=True, timeout=120)
    return result.returncode, result.stdout + result.stderr


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        path.unlink(missing_ok=True)
    else:
        path.write_text(text)


def find(root, what):
    """Plants a fault, runs the check, takes the fault away again. Yields what is wrong."""
    tool, changes, said = PLANTS[what]
    before = {name: (root / name).read_text() if (root / name).exists() else None for name in changes}
    for name, change in changes.items():
        put(root / name, change(before[name] or "") if change else None)
    if [(root / name).read_text() if (root / name).exists() else None for name in changes] == list(before.values()):
        yield f"{what}: nothing was planted"
    status, text = run(root, tool)
    if status != 1 or said not in text:
        yield f"{what}: status {status}, {text[-500:]}"
    for name, text in before.items():
        put(root / name, text)
    shutil.rmtree(root / "src/core/attic", ignore_errors=True)


def check_calls(root, build, compiler):
    """Yields what is wrong: calls are read from object files, here links to those of the build."""
    copy = root / "objects"
    for path in build.rglob("*.o"):
        link = copy / path.relative_to(build)
        if "/checked" not in link.as_posix() and "_checked.dir" not in link.as_posix():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
    status, text = run(root, "layers", "--build", str(copy))
    if status:
        yield f"without a planted call: status {status}, {text[-500:]}"
    for name, callee, said in (
            ("base/hash.c.o", "tf_fail", "base/hash.c: calls tf_fail() of core/object/error.c"),
            ("devices/cpu/cpu.c.o", "tf_fork_watch", "cpu.c: calls tf_fork_watch() of core/command/fork.c")):
        target = next(path for path in copy.rglob("*.o") if path.as_posix().endswith(".dir/" + name))
        real = target.readlink()
        target.unlink()
        subprocess.run([compiler, "-x", "c", "-c", "-", "-o", target], check=True, text=True,
                       input=f"void {callee}(void); void f(void); void f(void) {{ {callee}(); }}\n")
        status, text = run(root, "layers", "--build", str(copy))
        if status != 1 or said not in text:
            yield f"a call of {callee}(): status {status}, {text[-500:]}"
        target.unlink()
        target.symlink_to(real)
    target.unlink()
    status, text = run(root, "layers", "--build", str(copy))
    if status != 1 or "no object file of" not in text:
        yield f"an object file is gone: status {status}, {text[-500:]}"


def main():
    top, build, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    faults = []
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ("src", "tests", "tools", "doc"):
            shutil.copytree(top / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
        for tool in TOOLS:
            if run(root, tool)[0]:
                faults.append(f"{tool} fails before anything is planted")
        for what in PLANTS:
            faults += find(root, what)
        faults += check_calls(root, build, compiler)
    print("\n".join(faults))
    print(f"{len(PLANTS) + 3} planted, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
