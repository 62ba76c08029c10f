# SPDX-License-Identifier: MIT
"""TREFOIL_PERF=jitdump: names, code and lines of kernels, as perf wants to read them; and perf's own
opinion of the file where it may count here."""
import collections
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

KERNEL = """// BUILD: options="%s"
// RUN: spin global=64
// ARG: out int[64]
// EXPECT: completes
kernel void spin(global int *out)
{
    int sum = 0;
    for (int i = 0; i < %d; i++)
        sum += i ^ out[get_global_id(0)];
    out[get_global_id(0)] = sum;
}
"""
HEAD, RECORD, LOAD, INFO, ENTRY = "<IIIIIIQQ", "<IIQ", "<IIQQQQ", "<QQ", "<QII"
CODE_LOAD, CODE_DEBUG_INFO = 0, 2


def text_at(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


def read(data):
    """[(name, address, code, [(address, line, file)])], process"""
    magic, version, at, machine, _, process, _, _ = struct.unpack_from(HEAD, data)
    assert (magic, version, at) == (0x4A695444, 1, struct.calcsize(HEAD)), "head"
    found, lines, last = [], collections.defaultdict(list), 0
    while at < len(data):
        kind, size, time = struct.unpack_from(RECORD, data, at)
        assert time >= last and size >= struct.calcsize(RECORD), "record"
        last, here = time, at + struct.calcsize(RECORD)
        if kind == CODE_DEBUG_INFO:
            code, count = struct.unpack_from(INFO, data, here)
            here += struct.calcsize(INFO)
            for _ in range(count):
                address, line, _ = struct.unpack_from(ENTRY, data, here)
                file, here = text_at(data, here + struct.calcsize(ENTRY))
                lines[code].append((address, line, file))
        else:
            assert kind == CODE_LOAD, f"record {kind}"
            owner, _, _, address, code_bytes, _ = struct.unpack_from(LOAD, data, here)
            assert owner == process, "process"
            name, here = text_at(data, here + struct.calcsize(LOAD))
            found.append((name, address, data[here:here + code_bytes], lines.pop(address, [])))
            here += code_bytes
        assert here == at + size, "bytes of a record"
        at += size
    return found, process


def run(runner, folder, options, rounds, prefix=()):
    path = folder / "spin.cl"
    path.write_text(KERNEL % (options, rounds))
    process = subprocess.Popen([*prefix, str(runner), "--platform", "Trefoil", str(path)],
                               env={**os.environ, "TREFOIL_PERF": "jitdump", "TREFOIL_CACHE": "off"},
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    text, _ = process.communicate(timeout=200)
    return process, text


def check_file(runner, folder, faults):
    for options, wanted in (("-g -cl-opt-disable", {7, 8, 9, 10}), ("", {8, 9})):
        process, text = run(runner, folder, options, 10)
        dump = pathlib.Path(f"/tmp/jit-{process.pid}.dump")
        try:
            found, owner = read(dump.read_bytes())
        except (OSError, AssertionError, struct.error, ValueError) as problem:
            faults.append(f"{options}: {problem}: {text}")
            continue
        finally:
            dump.unlink(missing_ok=True)
        names = {name for name, *_ in found}
        if process.returncode or owner != process.pid or "spin (kernel)" not in names or any(
                not name.startswith(("spin (kernel)", "trefoil.")) for name in names):
            faults.append(f"{options}: {process.returncode}, {owner}, {found}: {text}")
        lines = {line for _, _, _, each in found for _, line, file in each if file == "kernel.cl"}
        inside = all(address <= at < address + len(code) for _, address, code, each in found for at, _, _ in each)
        if not inside or not wanted <= lines:
            faults.append(f"{options}: lines {lines}, inside {inside}")


def check_perf(runner, folder, faults):
    """The objects that perf makes lie beside the dump, and are named after the process."""
    if not shutil.which("perf"):
        return "no perf"
    recorded, made = folder / "perf.data", folder / "perf.jit.data"
    process, text = run(runner, folder, "-g", 3000000, (
        "perf", "record", "-q", "-k", "mono", "-e", "cpu-clock", "-o", str(recorded), "--",
        "sh", "-c", 'echo process $$; exec "$0" "$@"'))
    started = re.search(r"^process (\d+)$", text, re.M)
    if process.returncode or not started:
        return f"perf may not count here: {text[-200:]}"

    def perf(*command):
        return subprocess.run(["perf", *command], capture_output=True, text=True, check=False, timeout=200)

    result = perf("inject", "--jit", "-i", str(recorded), "-o", str(made))
    report = perf("report", "-i", str(made), "--stdio", "--sort", "symbol")
    for path in pathlib.Path("/tmp").glob(f"jit*-{started[1]}[-.]*"):
        path.unlink()
    if result.returncode or "spin (kernel)" not in report.stdout:
        faults.append(f"perf does not know the kernel: {result.stderr}\n{report.stdout[:1500]}{report.stderr[:500]}")
    return "perf names the kernel"


def main(runner):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        check_file(runner, pathlib.Path(folder), faults)
        said = check_perf(runner, pathlib.Path(folder), faults)
    print("\n".join(faults) or f"perf's files are as they should be; {said}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
