# SPDX-License-Identifier: MIT
"""The cache on disk as applications meet it: what is found needs no compiler and is the same; what
differs is not found; whatever is wrong with the folder or the files changes nothing but the time.

    check_cache.py PROGRAM TOOL [CHECK ...]

PROGRAM is acceptance_cached_program, TOOL is trefoil-cache."""
import os
import pathlib
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

PROGRAM, TOOL = (os.path.abspath(path) for path in sys.argv[1:3])
SOURCE = "kernel void k(global int *p) { p[get_global_id(0)] = VALUE; }\n"


class Rig:
    """A folder for sources, one for the cache, and runs of the program."""

    def __init__(self, top):
        self.top = pathlib.Path(top)
        self.cache = self.top / "cache"
        self.source = self.top / "k.cl"

    def command(self, options="-DVALUE=1", *more, source=None):
        if source is not None:
            self.source.write_text(source)
        return [PROGRAM, str(self.source), options, *map(str, more)]

    def environment(self, changes):
        # One tier: with both it is a matter of time whether a kernel is worth a second piece of code.
        env = {**os.environ, "TREFOIL_CACHE": str(self.cache), "TREFOIL_LOG": "build", "TREFOIL_TIER": "0", **changes}
        return {name: value for name, value in env.items() if value is not None}

    def run(self, options="-DVALUE=1", *more, source=SOURCE, cwd=None, before=None, **changes):
        """(the results, the log, whether the compiler was opened)"""
        return self.finish(self.command(options, *more, source=source), changes, cwd, before)

    def load(self, path, *more, **changes):
        return self.finish([PROGRAM, "load", str(path), "", *map(str, more)], changes, None, None)

    def finish(self, command, changes, cwd, before):
        done = subprocess.run(command, env=self.environment(changes), cwd=cwd or self.top,
                              capture_output=True, text=True, preexec_fn=before, check=False)
        if done.returncode:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        results, log, opened = self.read(done.stdout)
        # In a process of its own it leaves no trace in ours.
        return results, log, opened or ": build: compiler " in done.stderr

    @staticmethod
    def read(text):
        results, log, opened = [], "", None
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word in ("result", "refused"):
                results.append(rest)
            elif word == "log":
                log = rest
            elif word == "compiler":
                opened = rest == "opened"
        return results, log, opened

    def files(self):
        return [path for path in self.cache.rglob("*") if path.is_file()]


def expect(got, results, opened, what):
    if got[0] != results or got[2] != opened:
        raise AssertionError(f"{what}: got {got}, expected {results}, compiler opened: {opened}")


def miss(got, results, what="a miss"):
    expect(got, results, True, what)


def hit(got, results, what="a hit"):
    expect(got, results, False, what)


ONE, TWO = ["k 64"], ["k 128"]
LIMIT_RUNS = 100


def found_again_without_the_compiler(rig):
    miss(rig.run(), ONE)
    hit(rig.run(), ONE)
    assert len(rig.files()) == 2, rig.files()
    assert stat.S_IMODE(rig.cache.stat().st_mode) == 0o700
    miss(rig.run(TREFOIL_TIER="1"), ONE, "another tier")
    hit(rig.run(TREFOIL_TIER="1"), ONE)
    assert len(rig.files()) == 3, rig.files()
    hit(rig.run(TREFOIL_TIER=None), ONE, "either of both")


def both_tiers_are_found_again(rig):
    source = "".join(f"kernel void k{i}(global int *p) {{ p[get_global_id(0)] = {i}; }}\n" for i in range(3))
    results = [f"k{i} {i * 64}" for i in range(3)]
    miss(rig.run(source=source, TREFOIL_TIER=None), results)
    for _ in range(LIMIT_RUNS):  # until nothing that a busy machine makes look worth it is missing
        got = rig.run(source=source, TREFOIL_TIER=None)
        if not got[2]:
            break
    hit(got, results)


def log_comes_back(rig):
    source = "#warning take care\n" + SOURCE
    first = rig.run(source=source)
    miss(first, ONE)
    assert "take care" in first[1], first
    second = rig.run(source=source)
    hit(second, ONE)
    assert first[1] == second[1], (first, second)


def every_input_counts(rig):
    miss(rig.run(), ONE)
    miss(rig.run("-DVALUE=2"), TWO)
    miss(rig.run("-DVALUE=1 -cl-opt-disable"), ONE)
    miss(rig.run("-DVALUE=1 -cl-std=CL3.0"), ONE)
    miss(rig.run(source=SOURCE + "\n"), ONE)
    hit(rig.run(), ONE)
    hit(rig.run("-DVALUE=2"), TWO)
    miss(rig.run(TREFOIL_ISA="sse2"), ONE)
    miss(rig.run(TREFOIL_WG="fibers"), ONE)
    hit(rig.run(TREFOIL_ISA="sse2"), ONE)
    hit(rig.run(TREFOIL_WG="fibers"), ONE)


def embedded_headers_count(rig):
    source = '#include "h.h"\n' + SOURCE
    miss(rig.run("", "h.h", "#define VALUE 1\n", source=source), ONE)
    hit(rig.run("", "h.h", "#define VALUE 1\n", source=source), ONE)
    miss(rig.run("", "h.h", "#define VALUE 2\n", source=source), TWO)
    hit(rig.run("", "h.h", "#define VALUE 1\n", source=source), ONE)
    hit(rig.run("", "h.h", "#define VALUE 2\n", source=source), TWO)


def changed_header_is_noticed(rig):
    header = rig.top / "include" / "h.h"
    header.parent.mkdir()
    source = '#include "h.h"\n' + SOURCE
    header.write_text("#define VALUE 1\n")
    then = header.stat()
    miss(rig.run("-I include", source=source), ONE)
    hit(rig.run("-I include", source=source), ONE)
    header.write_text("#define VALUE 2\n")
    os.utime(header, ns=(then.st_atime_ns, then.st_mtime_ns))  # times do not tell
    miss(rig.run("-I include", source=source), TWO)
    hit(rig.run("-I include", source=source), TWO)
    header.write_text("#define VALUE 1\n")
    hit(rig.run("-I include", source=source), ONE, "the first is still there")
    for value in range(3, 9):
        header.write_text(f"#define VALUE {value}\n")
        miss(rig.run("-I include", source=source), [f"k {value * 64}"])
        hit(rig.run("-I include", source=source), [f"k {value * 64}"])


def header_under_two_names_is_noticed(rig):
    source = '#include "a.h"\n#include "b.h"\n' \
             'kernel void k(global int *p) { p[get_global_id(0)] = COUNT; }\n'
    text = "#pragma once\n#ifdef COUNT\n#undef COUNT\n#define COUNT 2\n#else\n#define COUNT 1\n#endif\n"
    other = rig.top / "b.h"
    (rig.top / "a.h").write_text(text)
    os.link(rig.top / "a.h", other)
    miss(rig.run("-I .", source=source), ONE)
    hit(rig.run("-I .", source=source), ONE)
    other.unlink()
    other.write_text(text)
    miss(rig.run("-I .", source=source), TWO)
    hit(rig.run("-I .", source=source), TWO)
    other.unlink()
    other.symlink_to("a.h")
    hit(rig.run("-I .", source=source), ONE, "the first is still there")


def header_earlier_in_the_path_is_noticed(rig):
    source = '#include "h.h"\n' + SOURCE
    for name in ("a", "b"):
        (rig.top / name).mkdir()
    (rig.top / "b" / "h.h").write_text("#define VALUE 1\n")
    miss(rig.run("-I a -I b", source=source), ONE)
    hit(rig.run("-I a -I b", source=source), ONE)
    (rig.top / "a" / "h.h").write_text("#define VALUE 2\n")
    miss(rig.run("-I a -I b", source=source), TWO)
    (rig.top / "a" / "h.h").unlink()
    hit(rig.run("-I a -I b", source=source), ONE)


def folder_that_appears_is_noticed(rig):
    source = '#include "h.h"\n' + SOURCE
    (rig.top / "b").mkdir()
    (rig.top / "b" / "h.h").write_text("#define VALUE 1\n")
    miss(rig.run("-I a -I b", source=source), ONE)
    hit(rig.run("-I a -I b", source=source), ONE)
    (rig.top / "a").mkdir()
    (rig.top / "a" / "h.h").write_text("#define VALUE 2\n")
    miss(rig.run("-I a -I b", source=source), TWO)


def asked_for_header_is_noticed(rig):
    source = ('#if __has_include("x.h")\n#define VALUE 2\n#else\n#define VALUE 1\n#endif\n' + SOURCE)
    miss(rig.run("-I .", source=source), ONE)
    hit(rig.run("-I .", source=source), ONE)
    (rig.top / "x.h").write_text("")
    miss(rig.run("-I .", source=source), TWO)


def embedded_data_is_noticed(rig):
    source = ('constant char data[] = {\n#embed "x.bin"\n};\n'
              "kernel void k(global int *p) { p[get_global_id(0)] = data[0] - 'A' + 1; }\n")
    (rig.top / "x.bin").write_text("A")
    miss(rig.run("-I .", source=source), ONE)
    hit(rig.run("-I .", source=source), ONE)
    (rig.top / "x.bin").write_text("B")
    miss(rig.run("-I .", source=source), TWO)


def modules_are_found(rig):
    trefoilc = os.path.join(os.path.dirname(TOOL), "trefoilc")
    for value in (1, 2):
        rig.source.write_text(SOURCE)
        module = rig.top / f"{value}.spv"
        subprocess.run([trefoilc, "--emit=spirv", "-o", module, f"-DVALUE={value}", rig.source],
                       check=True)
        command = [PROGRAM, str(module), ""]
        miss(rig.finish(command, {}, None, None), [f"k {64 * value}"])
        hit(rig.finish(command, {}, None, None), [f"k {64 * value}"])
        miss(rig.finish([*command[:2], "-cl-opt-disable"], {}, None, None), [f"k {64 * value}"])


def current_folder_counts(rig):
    source = '#include "h.h"\n' + SOURCE
    for name, value in (("a", 1), ("b", 2)):
        (rig.top / name).mkdir()
        (rig.top / name / "h.h").write_text(f"#define VALUE {value}\n")
    miss(rig.run("", source=source, cwd=rig.top / "a"), ONE)
    miss(rig.run("", source=source, cwd=rig.top / "b"), TWO)
    hit(rig.run("", source=source, cwd=rig.top / "a"), ONE)
    hit(rig.run("", source=source, cwd=rig.top / "b"), TWO)


def time_of_day_is_not_kept(rig):
    (rig.top / "t.h").write_text("constant char when[] = __TIME__;\n")
    use = "kernel void k(global int *p) { p[get_global_id(0)] = when[2] == ':' || when[3] == ' '; }\n"
    day = use.replace("when[3] == ' '", "when[3] == ' ' || when[3] != 0")
    for options, source in (
            ("", "constant char when[] = __TIME__;\n" + use),
            ("", "constant char when[] = __DATE__;\n" + day),
            ("", "#define JOIN(a, b) a##b\nconstant char when[] = JOIN(__TI, ME__);\n" + use),
            ("-DWHEN=__TIME__", "constant char when[] = WHEN;\n" + use),
            ("-I .", '#include "t.h"\n' + use)):
        miss(rig.run(options, source=source), ONE, source)
        miss(rig.run(options, source=source), ONE, source)
    source = "// not __TIME__\n" + SOURCE
    miss(rig.run(source=source), ONE)
    hit(rig.run(source=source), ONE)


def many_kernels(rig):
    source = "".join(f"kernel void k{i:02}(global int *p) {{ p[get_global_id(0)] = {i}; }}\n"
                     for i in range(40))
    results = [f"k{i:02} {i * 64}" for i in range(40)]
    got = rig.run(source=source)
    miss((sorted(got[0]), *got[1:]), results)
    got = rig.run(source=source)
    hit((sorted(got[0]), *got[1:]), results)


def odd_folders_change_nothing(rig):
    miss(rig.run(), ONE)
    os.chmod(rig.cache, 0o777)
    miss(rig.run(), ONE, "others may write")
    os.chmod(rig.cache, 0o700)
    hit(rig.run(), ONE)
    miss(rig.run(TREFOIL_CACHE="off"), ONE)
    miss(rig.run(TREFOIL_CACHE="/proc/self/nowhere"), ONE)
    miss(rig.run(TREFOIL_CACHE="/dev/null"), ONE)
    home = {"TREFOIL_CACHE": None, "XDG_CACHE_HOME": None, "HOME": None}
    miss(rig.run(**home), ONE)
    home["HOME"] = str(rig.top / "home")
    miss(rig.run(**home), ONE)
    assert not (rig.top / "home").exists()
    (rig.top / "home").mkdir()
    miss(rig.run(**home), ONE)
    hit(rig.run(**home), ONE)
    assert (rig.top / "home/.cache/trefoil").is_dir()
    home["XDG_CACHE_HOME"] = str(rig.top / "caches")
    miss(rig.run(**home), ONE)
    hit(rig.run(**home), ONE)


def full_disk_changes_nothing(rig):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
    for _ in range(2):
        miss(rig.run(before=limit), ONE)
    assert not rig.files()
    miss(rig.run(), ONE)
    hit(rig.run(before=limit), ONE)


def damage_changes_nothing(rig):
    miss(rig.run(), ONE)
    files = {path: path.read_bytes() for path in rig.files()}
    rng = random.Random(13)
    for path, data in files.items():
        for at in rng.sample(range(len(data)), 6):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:])
            miss(rig.run(), ONE, f"{path.name} byte {at}")
            hit(rig.run(), ONE)
        for damaged in (b"", data[:len(data) // 2], data + b"x"):
            path.write_bytes(damaged)
            miss(rig.run(), ONE)
    first, second = files
    first.write_bytes(files[second])
    second.write_bytes(files[first])
    miss(rig.run(), ONE, "exchanged")
    hit(rig.run(), ONE)


def many_processes_at_once(rig):
    command = rig.command(source=SOURCE)
    running = [subprocess.Popen(command, env=rig.environment({"TREFOIL_THREADS": "1"}), cwd=rig.top,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
               for _ in range(64)]
    for process in running:
        text = process.communicate()[0]
        assert process.returncode == 0 and rig.read(text)[0] == ONE, text
    hit(rig.run(), ONE)
    assert len(rig.files()) == 2, rig.files()


def kills_change_nothing(rig):
    rng = random.Random(7)
    command = rig.command(source=SOURCE)
    for _ in range(25):
        process = subprocess.Popen(command, env=rig.environment({}), cwd=rig.top,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        time.sleep(rng.random() * 0.06)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if rng.random() < 0.5:
            shutil.rmtree(rig.cache, ignore_errors=True)
    got = rig.run()
    assert got[0] == ONE, got
    hit(rig.run(), ONE)


def binaries_need_no_compiler(rig):
    binary, again = rig.top / "k.bin", rig.top / "again.bin"
    miss(rig.run("-DVALUE=1", "save", binary, TREFOIL_CACHE="off"), ONE)
    hit(rig.load(binary, TREFOIL_CACHE="off"), ONE)
    # On another kind of machine it is made from the bitcode inside, and saved beside.
    miss(rig.load(binary, "save", again, TREFOIL_CACHE="off", TREFOIL_ISA="sse2"), ONE)
    hit(rig.load(again, TREFOIL_CACHE="off", TREFOIL_ISA="sse2"), ONE)
    hit(rig.load(again, TREFOIL_CACHE="off"), ONE)
    # Or on this one, for all kinds at once.
    miss(rig.run("-DVALUE=1", "save", again, TREFOIL_CACHE="off", TREFOIL_BINARY_ISA="sse2,avx2"), ONE)
    for level in ("sse2", "avx2", None):
        hit(rig.load(again, TREFOIL_CACHE="off", TREFOIL_ISA=level), ONE, f"level {level}")
    miss(rig.load(again, TREFOIL_CACHE="off", TREFOIL_ISA="sse4.2"), ONE)
    data = binary.read_bytes()
    for at in random.Random(1).sample(range(len(data)), 8):
        again.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1:])
        assert rig.load(again)[0] == ["-42"], at


def trefoilc_writes_whole_binaries(rig):
    """Also of what clGetProgramInfo would not have waited for."""
    trefoilc, binary = os.path.join(os.path.dirname(TOOL), "trefoilc"), rig.top / "k.bin"
    rig.source.write_text("".join(f"kernel void k{i}(global int *p) {{ p[get_global_id(0)] = {i}; }}\n"
                                  for i in range(60)))
    subprocess.run([trefoilc, "--emit=binary", "-o", binary, rig.source], check=True,
                   env=rig.environment({"TREFOIL_CACHE": "off"}))
    hit(rig.load(binary, TREFOIL_CACHE="off", TREFOIL_TIER="1"), [f"k{i} {i * 64}" for i in range(60)])


def tool_shows_checks_and_clears(rig):
    def tool(command, status=0, **changes):
        done = subprocess.run([TOOL, command], env=rig.environment(changes), capture_output=True,
                              text=True, check=False)
        assert done.returncode == status, (command, done)
        return done.stdout + done.stderr

    assert "nothing is kept yet" in tool("size")
    miss(rig.run(), ONE)
    listed = tool("list").splitlines()
    assert sorted(line.split()[0] for line in listed) == ["code", "program"], listed
    assert sorted(line.split()[-1] for line in listed) == sorted(p.name for p in rig.files())
    assert "1 programs, 1 objects, 0 other files" in tool("size")
    assert tool("verify") == "2 files, 0 damaged\n"
    victim = rig.files()[0]
    data = victim.read_bytes()
    victim.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert victim.name in tool("verify", 1)
    assert not victim.exists()
    assert tool("verify") == "1 files, 0 damaged\n"
    (rig.files()[0].parent / "tmp.1.2.3").write_text("")
    assert "1 other files" in tool("size")
    foreign = rig.files()[0].parent / "notes"
    foreign.write_text("not of the cache")
    removed = sum(path.stat().st_size for path in rig.files() if path != foreign)
    assert f"2 files, {removed} bytes removed\n" in tool("clear")
    assert rig.files() == [foreign]
    assert "\n0 files, 0 bytes removed\n" in tool("clear")
    foreign.unlink()
    miss(rig.run(), ONE)
    room = rig.files()[0].parent
    room.rename(rig.top / "room")
    room.symlink_to(rig.top / "room")
    assert f"room {room.name} is not used: it is a symbolic link" in tool("verify", 1)
    linked = rig.top / "linked"
    linked.symlink_to(rig.cache)
    assert f"{linked} is not used: it is a symbolic link" in tool("size", 1, TREFOIL_CACHE=str(linked))
    os.chmod(rig.cache, 0o777)
    assert "is not used" in tool("list", 1)
    assert "usage" in tool("nonsense", 2)
    assert "no cache" in tool("size", TREFOIL_CACHE="off")
    os.chmod(rig.cache, 0o700)
    room.unlink()
    (rig.top / "room").rename(room)
    for command in ("list", "size", "verify", "clear", "--help", "-h"):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([TOOL, command], env=rig.environment({}), stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        assert done.returncode == 1, (command, done)


def helpers_know_each_others_work(rig):
    folder = os.environ["TREFOIL_BUILD_FOLDER"]
    library = os.path.join(folder, "libtrefoil-compiler.so")
    whole = os.path.exists(os.path.join(folder, "trefoil-helper-whole"))
    for options, changes, name in (("-DVALUE=1", {}, "trefoil-helper-whole" if whole else "trefoil-helper"),
                                   ("-DVALUE=2", {"TREFOIL_COMPILER_LIBRARY": library}, "trefoil-helper")):
        done = subprocess.run(rig.command(options, source=SOURCE), env=rig.environment(changes), cwd=rig.top,
                              capture_output=True, text=True, check=True)
        assert f"/{name}, LLVM" in done.stderr, (name, done.stderr)
    hit(rig.run("-DVALUE=1", TREFOIL_COMPILER_LIBRARY=library), ONE)
    hit(rig.run("-DVALUE=2"), TWO)


CHECKS = (found_again_without_the_compiler, both_tiers_are_found_again, log_comes_back, every_input_counts,
          embedded_headers_count, changed_header_is_noticed, header_under_two_names_is_noticed,
          header_earlier_in_the_path_is_noticed, folder_that_appears_is_noticed,
          asked_for_header_is_noticed, embedded_data_is_noticed, modules_are_found, current_folder_counts,
          time_of_day_is_not_kept, many_kernels, odd_folders_change_nothing,
          full_disk_changes_nothing, damage_changes_nothing, many_processes_at_once,
          kills_change_nothing, binaries_need_no_compiler, trefoilc_writes_whole_binaries, helpers_know_each_others_work,
          tool_shows_checks_and_clears)


def main():
    wanted = sys.argv[3:]
    failed = 0
    for check in CHECKS:
        if wanted and check.__name__ not in wanted:
            continue
        start = time.time()
        with tempfile.TemporaryDirectory() as top:
            try:
                check(Rig(top))
                print(f"pass {check.__name__} {time.time() - start:.1f} s")
            except AssertionError as fault:
                failed += 1
                print(f"FAIL {check.__name__}: {fault}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
