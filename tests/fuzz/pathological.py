#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sources that are meant to take for ever: each must end within seconds and within a GB, with
code of the quick tier or with an error of the build, and with optimized code or the word that
optimizing would take too long.

    pathological.py TREFOILC [NAME ...]
"""
import os
import resource
import subprocess
import sys
import tempfile

# Of the processor, for each run: twice what an idle machine may take (10 s), because time counts
# more where others have the caches.
SECONDS = 20
MEGABYTES = 1024


def lines(count, line):
    return "".join(line(n) for n in range(count))


def kernel(body, arguments="global float *a, global int *b", before=""):
    return f"{before}\nkernel void k({arguments})\n{{\nint i = get_global_id(0);\n{body}\n}}\n"


def chain(count, first, each):
    """Types, each of the one before it."""
    text = f"struct s0 {{ {first} }};\n"
    for n in range(1, count):
        text += f"struct s{n} {{ {each.replace('$', f'struct s{n - 1}')} }};\n"
    return text


def copy_of(n):
    return kernel("q[i] = p[i];", f"global struct s{n} *p, global struct s{n} *q")


def unroll(hint):
    return kernel(f"float s = 0;\n{hint}\nfor (int j = 0; j < 1000000; j++) s += a[j] * j;\na[i] = s;")


SOURCES = {
    "unrolled_a_million_times": unroll("#pragma unroll 1000000"),
    "unroll_hint_of_a_million": unroll("__attribute__((opencl_unroll_hint(1000000)))"),
    "unrolled_twice": kernel("float s = 0;\n#pragma unroll\nfor (int j = 0; j < 1000; j++)\n#pragma unroll\n"
                             "for (int l = 0; l < 1000; l++) s += a[j * l];\na[i] = s;"),
    "lines_5000": kernel("float x = a[i]; int y = b[i];\n" + lines(5000, lambda n: (
        f"x = x * {n % 7}.5f + a[(y + {n}) & 1023]; if (y & {1 << n % 20}) {{ y ^= {n * 3}; x += b[y & 255]; }} "
        "else y += (int)x;\n")) + "a[i] = x; b[i] = y;"),
    "lines_5000_in_a_row": kernel("float x = a[i]; int y = b[i];\n" + lines(5000, lambda n: (
        f"x = x * {n % 7}.5f + a[(y + {n}) & 1023]; y = y * {n * 3 + 1} + b[y & 255];\n")) + "a[i] = x; b[i] = y;"),
    "kernels_1000": lines(1000, lambda n: (
        f"kernel void k{n or ''}(global float *a, float b) {{ a[get_global_id(0)] *= b + {n}; }}\n")),
    "structs_200_deep": chain(200, "int a;", "int x; $ s;") + copy_of(199),
    "structs_that_double": chain(31, "int a;", "$ a, b;") + copy_of(30),
    "errors_10000": kernel(lines(10000, lambda n: f"undefined_{n} = x{n} + ;\n")),
    "barriers_300": kernel("int l = get_local_id(0); float x = a[i];\n" + lines(150, lambda n: (
        f"c[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x += c[(l + {n}) & 63]; barrier(CLK_LOCAL_MEM_FENCE);\n"))
        + "a[i] = x;", "global float *a, local float *c"),
    "scatters_400": kernel("int s = sub_group_reduce_add(i);\n" + lines(400, lambda n: (
        f"if (a[i + {n}] > s) b[a[i] * {n * 3 + 1} & 65535] = s + {n};\n")), "global int *a, global int *b"),
    "cases_5000": kernel("int x = b[i];\nswitch (x) {\n" + lines(5000, lambda n: (
        f"case {n * 7}: x = x * {n} + b[{n}]; break;\n")) + "}\nb[i] = x;"),
    "ifs_200_deep": kernel("int x = b[i];\n" + lines(200, lambda n: f"if (x > {n}) {{ x += b[x & 63];\n")
                           + "}" * 200 + "b[i] = x;"),
    "loops_60_deep": kernel("int x = b[i], n = b[0];\n" + lines(60, lambda n: (
        f"for (int i{n} = 0; i{n} < n; i{n}++) {{ x += b[x & 63] * i{n};\n")) + "}" * 60 + "b[i] = x;"),
    "calls_that_double": kernel("b[i] = f24(b[i]);", before="int f0(int x) { return x * 3 + 1; }\n" + lines(24, lambda n: (
        f"int f{n + 1}(int x) {{ return f{n}(x) + f{n}(x ^ {n}); }}\n"))),
    "macros_that_grow": kernel("A13", before="#define A0 b[i] += 1;\n" + lines(13, lambda n: (
        f"#define A{n + 1} A{n} A{n} A{n} A{n}\n"))),
    "private_array_of_megabytes": kernel("int t[1000000];\nfor (int j = 0; j < 1000000; j++) t[j] = b[j];\nb[i] = t[b[i]];"),
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS + 1))


def run(tool, source, *options):
    """(seconds, megabytes, what is wrong or None, what was said)"""
    command = [tool, "--emit=obj", "-cl-std=CL3.0", "--kernel=k", "-o", os.devnull, *options, source]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit) as child:
        text = child.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    megabytes = usage.ru_maxrss / 1024
    wrong = None
    if child.returncode < 0:
        wrong = f"ended by signal {-child.returncode}"
    elif child.returncode and "error:" not in text:
        wrong = f"status {child.returncode} without a word"
    elif seconds > SECONDS:
        wrong = "takes too long"
    elif megabytes > MEGABYTES:
        wrong = "takes too much memory"
    return seconds, megabytes, wrong, text


def main():
    tool, names = sys.argv[1], sys.argv[2:] or list(SOURCES)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(folder, "source.cl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(SOURCES[name])
            for options in (("--quick",), ("--budget=4000", "--cpu=x86-64-v3"), ("--budget=4000", "--cpu=x86-64-v4")):
                seconds, megabytes, wrong, text = run(tool, path, *options)
                said = next((line for line in text.splitlines() if "error:" in line or "note: opt" in line), "")
                print(f"{name:28} {options[0]:14} {options[-1][6:]:10} {seconds:6.2f} s {megabytes:5.0f} MB "
                      f"{wrong or 'good'}  {said[:80]}", flush=True)
                faults += wrong is not None
                if "error:" in text and "too long to optimize" not in text:
                    break  # of the source: the same for all
    print(f"{len(names)} sources, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
