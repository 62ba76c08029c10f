#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trefoilc as a tool: what it takes and writes, exit statuses, names of files in messages.

    check_trefoilc.py TREFOILC LIBRARY

LIBRARY is a compiler that crashes where a program asks for it (src/compiler/job/planted.h).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


class Tool:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def __call__(self, *words, status=0, given=None):
        """Runs it in the folder; (stdout, stderr as text)."""
        # No environment: neither a device nor a loader nor a home may be needed.
        done = subprocess.run([self.program, *words], cwd=self.folder, input=given, env={},
                              capture_output=True, check=False)
        errors = done.stderr.decode()
        expect(done.returncode == status,
               f"{' '.join(words)}: status {done.returncode}, not {status}: {errors}")
        return done.stdout, errors


def write_files(folder):
    files = {
        "main.cl": '#include "parts/size.h"\nint next(int);\n'
                   "kernel void k(global int *p) { p[0] = next(SIZE); }\n",
        "next.cl": "int next(int x) { return x + 1; }\n",
        "parts/size.h": "#define SIZE 5\n",
        "parts/wrong.cl": '#include "wrong.h"\nkernel void k(global int *p) { p[0] = q; }\n',
        "parts/wrong.h": "int f(void) { return zero; }\n",
        "empty.cl": "\n",
        "whole.cl": "kernel void k(global int *p) { p[get_global_id(0)] = 7; }\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def check_own_header(tool, folder):
    """Files of ours are read whatever lies in the folders that a program names, or runs in."""
    for name in ("opencl-c-base.h", "opencl-c.h", "opencl-c-more.h"):
        for place in (folder, folder / "parts"):
            (place / name).write_text("#error not ours\n")
    tool("whole.cl")
    tool("-I", "parts", "main.cl", "next.cl")
    (folder / "parts/includes.cl").write_text('#include "opencl-c-base.h"\n')
    _, errors = tool("parts/includes.cl", status=1)
    expect("not ours" in errors, f"a program's own header is not read: {errors}")
    for name in ("opencl-c-base.h", "opencl-c.h", "opencl-c-more.h"):
        for place in (folder, folder / "parts"):
            (place / name).unlink()


def check_outputs(tool, folder):
    out, _ = tool("main.cl", "next.cl")
    expect(b"kernel k" in out, "two files: no table of k")
    out, _ = tool("-DUNUSED=1", "-I", "parts", "-cl-std=CL3.0", "-w", "main.cl", "next.cl")
    expect(b"kernel k" in out, "two files with options of compilations: no table of k")
    tool("--emit=library", "-o", "next.bc", "next.cl")
    tool("--emit=obj", "-o", "k.o", "main.cl", "next.bc")
    expect((folder / "k.o").read_bytes()[:4] == b"\x7fELF", "k.o: no ELF object")
    out, _ = tool("-", given=b"kernel void from_pipe(global int *p) { p[0] = 1; }")
    expect(b"kernel from_pipe" in out, "standard input: no table")
    text, _ = tool("--emit=cleanup", "-o", "k.ll", "whole.cl")
    tool("--emit=obj", "-o", "k2.o", "k.ll")
    out, _ = tool("--emit=bc", "whole.cl")
    expect(out[:4] == b"BC\xc0\xde", "--emit=bc: no bitcode")
    out, _ = tool("-", given=out)
    expect(b"kernel k" in out, "bitcode from standard input: no table")


def check_words(tool, folder):
    for word in ("--isa=foo", "--isa=,", "--isa=sse2,", "--budget=x", "--budget=-1", "--budget="):
        tool("--emit=binary", word, "whole.cl", status=2)
    for name in ("blah", "i686", "native", "help", ""):
        _, errors = tool("--emit=obj", f"--cpu={name}", "-o", "left.o", "whole.cl", status=2)
        expect(errors.startswith(f"trefoilc: --cpu={name} ") and errors.count("\n") == 1 and "x86-64-v3" in errors,
               f"--cpu={name}: {errors}")
        expect(not (folder / "left.o").exists(), f"--cpu={name}: leaves its output")
    for name in ("x86-64", "x86-64-v4", "znver4", "generic"):
        _, errors = tool("--emit=obj", f"--cpu={name}", "-o", "right.o", "whole.cl")
        expect(not errors, f"--cpu={name}: {errors}")
    if not os.access("/dev/full", os.W_OK):
        print("skipped: no /dev/full")
        return
    (folder / "full").symlink_to("/dev/full")
    for emit in ("table", "ll", "asm", "cfg", "bc"):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([tool.program, f"--emit={emit}", "whole.cl"], cwd=folder, env={},
                                  stdout=full, stderr=subprocess.DEVNULL, check=False)
        expect(done.returncode == 3, f"--emit={emit} to a full disk: {done.returncode}")
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    tool("-o", "pipe", "parts/wrong.cl", status=1)
    os.close(reader)
    expect((folder / "pipe").is_fifo(), "-o: a pipe was removed")
    tool("-o", "full", "--emit=bc", "whole.cl", status=3)
    expect((folder / "full").is_symlink(), "-o: a link to a device was removed")


def check_binary(tool, folder):
    if not (tool.program.parent / "libtrefoil.so").exists():
        print("skipped: no libtrefoil.so beside trefoilc")
        return
    tool("--emit=binary", "--isa=sse2,avx2", "-o", "levels.bin", "whole.cl")
    binary = (folder / "levels.bin").read_bytes()
    for level in (b"sse2\0", b"avx2\0"):
        expect(level in binary, f"levels.bin: nothing of {level.decode()}")
    expect(binary.count(b"\x7fELF") >= 2, "levels.bin: fewer than two objects")
    tool("--emit=binary", "parts/wrong.cl", status=1)
    tool("--emit=binary", "k.o", status=1) # read as source


def check_spirv(tool, folder):
    _, errors = tool("--emit=spirv", "-o", "k.spv", "whole.cl", status=0 if has_spirv(tool) else 1)
    if "no back end for SPIR-V" in errors:
        print("skipped: this LLVM has no back end for SPIR-V")
        return
    module = (folder / "k.spv").read_bytes()
    expect(module[:4] == b"\x03\x02\x23\x07", "k.spv: no SPIR-V module")
    if shutil.which("spirv-val"):
        done = subprocess.run(["spirv-val", folder / "k.spv"], capture_output=True, check=False)
        expect(done.returncode == 0, f"k.spv: {done.stdout.decode()}{done.stderr.decode()}")
    else:
        print("skipped: no spirv-val")
    out, _ = tool("k.spv")
    expect(b"kernel k" in out, "k.spv: no table")
    # In the other order of bytes, and by its content whatever it is called.
    swapped = b"".join(module[i:i + 4][::-1] for i in range(0, len(module), 4))
    (folder / "swapped.cl").write_bytes(swapped)
    out, _ = tool("swapped.cl")
    expect(b"kernel k" in out, "swapped words: no table")


def check_crashes(tool, folder, library):
    kernel = "kernel void %s(global int *p) { p[get_global_id(0)] = 7; }\n"
    for name, stage in (("plant_compile_null", "compilation"), ("plant_compile_stack", "compilation"),
                        ("plant_link_abort", "linking"),
                        ("plant_generate_trap", "code generation")):
        (folder / "crash.cl").write_text(kernel % name)
        done = subprocess.run([tool.program, "--emit=obj", "-o", "crash.o", "crash.cl"], cwd=folder,
                              env={"TREFOIL_COMPILER_LIBRARY": library}, capture_output=True,
                              check=False)
        errors = done.stderr.decode()
        expect(done.returncode == 1 and "error: the compiler crashed (signal " in errors and
               f"trefoilc: crash.cl: {stage} failed" in errors,
               f"{name}: status {done.returncode}: {errors}")
        expect(not (folder / "crash.o").exists(), f"{name}: left a file")


def has_spirv(tool):
    done = subprocess.run([tool.program, "--emit=spirv", "whole.cl"], cwd=tool.folder, env={},
                          capture_output=True, check=False)
    return b"no back end for SPIR-V" not in done.stderr


def check_messages(tool, folder):
    _, errors = tool("parts/wrong.cl", status=1)
    for text in ("In file included from parts/wrong.cl:1:", "parts/wrong.cl:2:39: error: ",
                 "trefoilc: parts/wrong.cl: compilation failed"):
        expect(text in errors, f"not said: {text}\n{errors}")
    _, errors = tool("main.cl", status=1)
    expect("main.cl:3:" in errors and "undefined function 'next'" in errors, errors)
    _, errors = tool("--emit=obj", "empty.cl", status=1)
    expect("empty.cl: the program has no kernel" in errors, errors)
    _, errors = tool("nowhere.cl", status=3)
    expect("nowhere.cl: No such file" in errors, errors)
    for name, text in (("/dev/zero", "longer than 64 MiB"), (".", "Is a directory")):
        _, errors = tool(name, status=3)
        expect(errors == f"trefoilc: {name}: {text}\n", errors)
    os.mkfifo(folder / "endless")
    with subprocess.Popen(["sh", "-c", "exec yes > endless"], cwd=folder, stderr=subprocess.DEVNULL) as writer:
        _, errors = tool("endless", status=3)
    expect(errors == "trefoilc: endless: longer than 64 MiB\n" and writer.returncode != 0, errors)
    tool("-o", "nowhere/k.o", "--emit=obj", "whole.cl", status=3)
    tool("--emit=nothing", "whole.cl", status=2)
    tool("--width=3", "whole.cl", status=2)
    tool("--emit=bc", "main.cl", "next.cl", status=2)
    tool(status=2)
    _, errors = tool("whole.cl", "-o", status=2)
    expect(errors == "trefoilc: -o is the last word; see --help\n", errors)
    for kernel, status in (("k", 0), ("kk", 1)):
        _, errors = tool("--emit=obj", "-o", "named.o", f"--kernel={kernel}", "whole.cl", status=status)
        expect(errors == ("" if kernel == "k" else "trefoilc: whole.cl: there is no kernel kk; there are k\n"), errors)
    out, _ = tool("--help")
    expect(out.startswith(b"usage: trefoilc"), "--help says nothing")
    tool("--emit=obj", "-o", "left.o", "parts/wrong.cl", status=1)
    expect(not (folder / "left.o").exists(), "a failure leaves its output")
    # Texts of stages are the result, what is said beside them is not.
    out, errors = tool("--emit=asm", "parts/wrong.cl", status=1)
    expect("parts/wrong.cl:2:39: error: " in errors and b"error" not in out, f"asm: {errors}, {out}")
    _, errors = tool("--emit=ll", "-o", "left.ll", "parts/wrong.cl", status=1)
    expect("parts/wrong.cl:2:39: error: " in errors, f"ll to a file: {errors}")
    out, errors = tool("--emit=plan", "--report", "whole.cl")
    expect("kernel k:" in errors and b"kernel k:" not in out and b"; ---- plan" in out,
           f"report beside a stage: {errors}, {out}")
    source = (folder / "whole.cl").read_text()
    _, errors = tool("--emit=bc", "-o", "whole.cl", "whole.cl", status=2)
    expect("whole.cl is to be read and written" in errors, errors)
    expect((folder / "whole.cl").read_text() == source, "a source was overwritten")


def check_collectives(tool, folder):
    """Local memory for the largest group: a value of each work-item, or 8 bytes of each sub-group."""
    kernel = ("{0} kernel void {1}(global {2} *p)\n"
              "{{ int i = get_global_id(0); p[i] = work_group_{3}; }}\n")
    demand = "__attribute__((reqd_work_group_size(8, 8, 1)))"
    programs = {
        "few": (("", "a", "int", "broadcast(p[i], 0)", 8192), ("", "b", "int", "scan_inclusive_add(p[i])", 8192)),
        "floats": (("", "c", "float", "reduce_add(p[i])", 16384), ("", "d", "int", "any(p[i])", 16384)),
        "doubles": (("", "c", "float", "reduce_add(p[i]) + work_group_scan_exclusive_add(p[i])", 32768),
                    ("", "d", "double", "reduce_max(p[i])", 32768)),
        "small": ((demand, "a", "int", "broadcast(p[i], 0, 0)", 512), (demand, "d", "double", "reduce_add(p[i])", 512)),
        "mixed": ((demand, "a", "double", "reduce_add(p[i])", 32768), ("", "b", "double", "reduce_add(p[i])", 32768)),
    }
    for name, kernels in programs.items():
        (folder / f"{name}.cl").write_text("".join(kernel.format(*k[:4]) for k in kernels))
        table = tool("-cl-std=CL3.0", "--emit=table", f"{name}.cl")[0].decode()
        found = [int(n) for n in re.findall(r"local (\d+) bytes", table)]
        expect(found == [k[4] for k in kernels], f"{name}: {found} bytes of local memory")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_files(folder)
        tool = Tool(program, folder)
        check_own_header(tool, folder)
        check_collectives(tool, folder)
        check_outputs(tool, folder)
        check_words(tool, folder)
        check_binary(tool, folder)
        check_spirv(tool, folder)
        check_messages(tool, folder)
        check_crashes(tool, folder, sys.argv[2])
    used = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    expect("libOpenCL" not in used and "libtrefoil.so" not in used, f"it needs a device: {used}")
    print("\n".join(failures) or "all as it should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
