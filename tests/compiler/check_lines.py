# SPDX-License-Identifier: MIT
"""-gline-tables-only changes no byte of code, in any form and level, and names lines of the source: each file
with lanes of AVX-512 and in one of the other ways, by turns.

    check_lines.py TREFOILC STEP FOLDER ..      of every STEP-th kernel's file in the folders
"""
import concurrent.futures
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

LANES = ("--cpu=x86-64-v4",)
OTHERS = (("--cpu=x86-64-v3",), ("--cpu=x86-64",), ("--form=loops",), ("--form=fibers",), ("--form=gang_fibers",),
          ("--quick",))
ALLOCATED, WITHOUT_BYTES = 2, 8
# Clang gives each of its loops a place, which passes once took for a wish.
ALWAYS = {"atomics_on_one_word.cl"}


def sections(data):
    """{name: (flags, bytes)}; without bytes, where the file has none."""
    at, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    heads = [struct.unpack_from("<IIQQQQ", data, at + i * size) for i in range(count)]
    strings = heads[names][4]
    found = {}
    for name, kind, flags, _, offset, length in heads:
        start = strings + name
        text = data[start:data.index(b"\0", start)].decode()
        found[text] = flags, b"" if kind == WITHOUT_BYTES else data[offset:offset + length]
    return found


def compile_it(program, path, out, *options):
    run = subprocess.run([program, "--emit=obj", *options, "-o", str(out), str(path)], capture_output=True, text=True,
                         check=False)
    return sections(out.read_bytes()) if run.returncode == 0 else None


def instructions(program, path, *options):
    """As text, without those that only set a register to 0: LLVM breaks a dependency (BreakFalseDeps) by one where a register
    was written few instructions before, and counts the frame's directives, which come with lines, as instructions."""
    run = subprocess.run([program, "--emit=asm", *options, str(path)], capture_output=True, text=True, check=True)
    lines = (re.sub(r"\s*#.*", "", line).strip() for line in run.stdout.splitlines())
    code = [line for line in lines if line and not re.match(r"\.(?!LBB)|v?xor\w* (%\w+), \1(, |$)", line.replace("\t", " "))]
    assert code, options
    return code


def options_of(text):
    """Build options of a file for trefoil-run; None: its program is none that trefoilc takes alone."""
    line = re.search(r"^// BUILD:(.*)$", text, re.M)
    if not line:
        return []
    options = re.search(r'options="([^"]*)"', line[1])
    rest = line[1].replace(options[0], "") if options else line[1]
    return None if rest.strip() else shlex.split(options[1]) if options else []


def compare(program, path, ways, folder):
    """Faults, and how many objects were compared, and how many of those have lines."""
    text = path.read_text(errors="replace")
    options = options_of(text)
    faults, compared, lined = [], 0, 0
    if options is None:
        return faults, 0, 0
    out = pathlib.Path(folder) / (str(path).replace("/", "_") + ".o")
    for kernel in list(dict.fromkeys(re.findall(r"^// RUN: (\w+)", text, re.M)))[:2]:
        for way in ways:
            asked = (*options, *way, f"--kernel={kernel}")
            plain = compile_it(program, path, out, *asked)
            if plain is None:
                continue
            with_lines = compile_it(program, path, out, *asked, "-gline-tables-only")
            compared += 1
            lined += with_lines is not None and ".debug_line" in with_lines
            different = with_lines is None or any(
                with_lines.get(name) != (flags, data) for name, (flags, data) in plain.items()
                if flags & ALLOCATED and not name.startswith(".eh_frame"))
            if different and (with_lines is None or instructions(program, path, *asked) !=
                              instructions(program, path, *asked, "-gline-tables-only")):
                faults.append(f"{path}, {kernel}, {' '.join(way)}: other code with lines")
    out.unlink(missing_ok=True)
    return faults, compared, lined


def main(program, step, *folders):
    every = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.cl"))
    paths = [path for i, path in enumerate(every) if i % int(step) == 0 or path.name in ALWAYS]
    faults, compared, lined = [], 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for more, objects, with_lines in pool.map(lambda at: compare(program, paths[at], (LANES, OTHERS[at % len(OTHERS)]), folder),
                                                      range(len(paths))):
            faults += more
            compared += objects
            lined += with_lines
    if compared == 0 or lined < compared:
        faults.append(f"{compared} objects, {lined} of them with lines")
    print("\n".join(faults) or f"{compared} objects of {len(paths)} files are the same with lines")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
