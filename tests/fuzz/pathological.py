#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sources that are meant to take for ever: each must end within seconds and within a GB, with
code of the quick tier or with an error of the build, and with optimized code or the word that
optimizing would take too long.

    pathological.py TREFOILC [NAME ...]
    pathological.py processes [NAME ...]    the same through the API, in helper processes
"""
import ctypes
import os
import resource
import subprocess
import sys
import tempfile

# Of the processor, for each run on an idle machine of 2023 (Zen 4). The slower one is, or the more
# others take of its caches, the more: see pace().
SECONDS = 20
# Of sources that once took longer than that.
LESS_SECONDS = {"lines_5000": 12, "erf_and_erfc_1000": 10, "steps_of_40_trees": 2, "rows_that_wrap_400": 5,
                "unrolled_beside_a_tree": 2, "stores_1000_in_a_row": 5, "stores_1000_on_both_sides": 5}
MEGABYTES = 1024
# What the C compiler takes there for the yardstick.
YARDSTICK_SECONDS = 1.05
MOST_PACE = 4
# A fault of time counts where no run of so many was good.
TRIES = 2


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
    "barriers_400": kernel("int l = get_local_id(0); float x = a[i];\n" + lines(200, lambda n: (
        f"c[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x += c[(l + {n}) & 63]; barrier(CLK_LOCAL_MEM_FENCE);\n"))
        + "a[i] = x;", "global float *a, local float *c"),
    "scatters_400": kernel("int s = sub_group_reduce_add(i);\n" + lines(400, lambda n: (
        f"if (a[i + {n}] > s) b[a[i] * {n * 3 + 1} & 65535] = s + {n};\n")), "global int *a, global int *b"),
    "stores_1000_in_a_row": kernel("global int *d = b + get_global_id(0) * 1000;\n" + lines(1000, lambda n: (
        f"d[{n}] = x * {n + 3} + (i ^ {n});\n")), "global int *b, int x"),
    "stores_1000_on_both_sides": kernel("global int *d = b + get_global_id(0) * 1000;\n" + lines(1000, lambda n: (
        f"if (i > {n * 3}) d[{n}] = x + {n}; else d[{n}] = i - {n};\n")), "global int *b, int x"),
    "ways_of_2000_stores": kernel("int x = b[i];\nif (x & 4) {\n" + lines(2000, lambda n: f"b[i * 2000 + {n}] = x * {n + 1};\n")
        + "} else {\n" + lines(2000, lambda n: f"b[i * 2000 + {n}] = i * {n + 3};\n") + "}"),
    "ways_to_one_place_300": kernel("int x = b[i];\nswitch (x) {\n" + lines(300, lambda n: (
        f"case {n * 3}: b[2 * i] = x ^ {n * 7}; b[2 * i + 1] = {n * n}; break;\n")) + "}"),
    "windows_2000": kernel("int x = b[i];\nfloat s = 0;\n" + lines(2000, lambda n: (
        f"s += a[clamp((int)(i * f + {n}), 0, x)];\n")) + "a[i] = s;", "global float *a, global int *b, float f"),
    "cases_10000": kernel("int x = b[i];\nswitch (x) {\n" + lines(10000, lambda n: (
        f"case {n * 7}: x = x * {n} + b[{n}]; break;\n")) + "}\nb[i] = x;"),
    "ifs_200_deep": kernel("int x = b[i];\n" + lines(200, lambda n: f"if (x > {n}) {{ x += b[x & 63];\n")
                           + "}" * 200 + "b[i] = x;"),
    "loops_60_deep": kernel("int x = b[i], n = b[0];\n" + lines(60, lambda n: (
        f"for (int i{n} = 0; i{n} < n; i{n}++) {{ x += b[x & 63] * i{n};\n")) + "}" * 60 + "b[i] = x;"),
    "calls_that_double": kernel("b[i] = f24(b[i]);", before="int f0(int x) { return x * 3 + 1; }\n" + lines(24, lambda n: (
        f"int f{n + 1}(int x) {{ return f{n}(x) + f{n}(x ^ {n}); }}\n"))),
    "macros_that_grow": kernel("A13", before="#define A0 b[i] += 1;\n" + lines(13, lambda n: (
        f"#define A{n + 1} A{n} A{n} A{n} A{n}\n"))),
    "printf_of_10000": kernel('printf("' + "%d " * 10000 + '\\n"' + lines(10000, lambda n: f", b[i + {n}]") + ");"),
    "printfs_1000": kernel(lines(1000, lambda n: f'if (b[i] == {n}) printf("%d %f {n}\\n", b[i], a[i]);\n')),
    "constant_of_a_megabyte": kernel("b[i] = t[b[i] & 262143];", before=(
        "constant int t[262144] = {" + lines(262144, lambda n: f"{n * 7919 & 65535},") + "};")),
    "brackets_100000": kernel("b[i] = " + "(" * 100000 + "i" + ")" * 100000 + ";"),
    "brackets_250": kernel("b[i] = " + lines(250, lambda n: f"(b[{n}] ^ (") + "i" + "))" * 250 + ";"),
    "unary_100000": kernel("b[i] = " + "- " * 100000 + "i;"),
    "sum_of_50000": kernel("b[i] = " + lines(50000, lambda n: f"b[{n & 255}] * {n} + ") + "i;"),
    "selects_5000": kernel("int x = b[i], y = b[i + 1];\n" + lines(5000, lambda n: (
        f"x = y & {1 << n % 30} ? x + {n} : x ^ y;\n")) + "b[i] = x;"),
    "ternary_2000_deep": kernel("int x = b[i];\nb[i] = " + lines(2000, lambda n: f"x == {n} ? {n * 7 % 1000} : ") + "x;"),
    "variables_10000": kernel(lines(10000, lambda n: f"int v{n} = b[i + {n}];\n") + "b[i] = 0"
                              + lines(10000, lambda n: f"\n+ (v{n} ^ v{n * 7 % 10000})") + ";"),
    "macro_that_names_itself": kernel("F(i)", before="#define F(x) G(x) F(x)\n#define G(x) F(x) b[x] = G;\n"),
    "macro_arguments_that_double": kernel("b[i] = " + "D(" * 26 + "i" + ")" * 26 + ";",
                                          before="#define D(x) ((x) + (x))\n"),
    "header_that_includes_itself": '#include "source.cl"\n' + kernel("b[i] = 1;"),
    "line_of_10_megabytes": kernel("b[i] = 1;" + " " * 10000000 + "b[i] += 2; // " + "x" * 1000000),
    "string_of_a_megabyte": kernel('printf("' + "x" * 1000000 + '");'),
    "loops_64_with_breaks": kernel("int x = b[i], n = b[0];\n" + lines(64, lambda n: (
        f"for (int i{n} = 0; i{n} < n; i{n}++) {{ if ((x += b[x & 63]) == {n}) break; if (x == {n * 3}) continue;\n"))
        + "}" * 64 + "b[i] = x;"),
    "loops_1000_in_a_row": kernel("int x = b[i], n = b[0];\n" + lines(1000, lambda n: (
        f"for (int j = 0; j < n; j++) x = x * {n} + b[j];\n")) + "b[i] = x;"),
    "gotos_2000": kernel("int x = b[i];\n" + lines(2000, lambda n: (
        f"l{n}: x += b[x & 255]; if (x == {n}) goto l{(n * 7919 + 13) % 2000};\n")) + "b[i] = x;"),
    "vectors_in_arrays": kernel("double16 t[4096];\nfor (int j = 0; j < 4096; j++) t[j] = (double16)(b[j]);\n"
                                "b[i] = (int)t[b[i] & 4095].s7;"),
    "arguments_1000": kernel("b[i] = 0" + lines(1000, lambda n: f" + p{n}") + ";", "global int *b"
                             + lines(1000, lambda n: f", int p{n}")),
    "functions_5000": kernel("b[i] = g4999(b[i]);", before=lines(5000, lambda n: (
        f"int g{n}(int x) {{ return x * {n} + {'g%d(x ^ 1)' % (n - 1) if n % 100 else '1'}; }}\n"))),
    "images_200": kernel("float4 s = 0;\n" + lines(200, lambda n: (
        f"s += read_imagef(im, m, (float2)(i + {n}, s.x));\n")) + "a[i] = s.x + s.y;",
        "global float *a, read_only image2d_t im", "constant sampler_t m = CLK_FILTER_LINEAR | CLK_ADDRESS_REPEAT"
        " | CLK_NORMALIZED_COORDS_TRUE;"),
    "erf_and_erfc_1000": kernel("float x = a[i];\n" + lines(1000, lambda n: (
        f"x = x * 0.{n % 9 + 1}f + erf(x + {n}.5f) - erfc(x * {n}.25f);\n")) + "a[i] = x;"),
    "atomic_changes_5000": kernel(lines(5000, lambda n: f"if (b[i + {n}] & 1) atomic_inc(c + b[i + {n}]);\n"),
        "global const int *restrict b, global uint *restrict c"),
    "spaced_2000": kernel("int s = 0;\n" + lines(2000, lambda n: f"s = s * 3 ^ a[(i + b[{n}]) * inc];\n") + "b[i] = s;",
        "global const int *restrict a, global int *restrict b, int inc"),
    "spaced_by_one_product_2000": kernel("int s = 0;\n" + lines(2000, lambda n: (
        f"s = s * 3 ^ a[i * inc + {n * n}];\n")) + "b[i] = s;", "global const int *a, global int *b, int inc"),
    "rows_that_wrap_400": kernel("int s = 0;\n" + lines(400, lambda n: (
        f"s = s * 3 + a[(uint)i * {n % 3 + 1} + {n % 7} * w + {n}u * h];\n")) + "b[i] = s;",
        "global const int *a, global int *b, uint w, uint h"),
    "steps_of_40_trees": kernel("local float t[4096];\nuint l = get_local_id(0);\n"
        "for (int k = 0; k < 4096; k += 64) t[k + (l & 63)] = a[k + (l & 63)];\n" + lines(40, lambda n: (
        "for (uint s = 2048; s > 0; s >>= 1) {\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
        "float v = t[(l + s) & 4095], w = t[(l * 3 + s) & 4095];\n" + lines(8, lambda m: (
        f"v = v * 0.99f + w * {n + m}.0f; w = w * 0.5f - v * 0.25f;\n"))
        + "barrier(CLK_LOCAL_MEM_FENCE);\nt[l] = v + w;\n}\n")) + "a[i] = t[l];"),
    "unrolled_beside_a_tree": kernel("local float t[128];\nuint l = get_local_id(0);\nfloat v = a[i];\n"
        "t[l] = v; t[l + 64] = 0;\n#pragma unroll\nfor (int k = 0; k < 256; k++) {\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
        "float w = t[(l + k) & 63];\nbarrier(CLK_LOCAL_MEM_FENCE);\nt[l] = v = v * 0.5f + sqrt(fabs(w));\n}\n"
        "for (uint s = 32; s > 0; s >>= 1) { barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] += t[l + s]; }\n"
        "barrier(CLK_LOCAL_MEM_FENCE);\na[i] = v + t[0];"),
    "private_array_of_megabytes": kernel("int t[1000000];\nfor (int j = 0; j < 1000000; j++) t[j] = b[j];\nb[i] = t[b[i]];"),
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS + 1))


def build(path):
    """clBuildProgram, which with this option makes the code of all kernels; prints the log."""
    cl = ctypes.CDLL("libOpenCL.so.1")
    cl.clCreateContextFromType.restype = cl.clCreateProgramWithSource.restype = ctypes.c_void_p
    context = ctypes.c_void_p(cl.clCreateContextFromType(None, ctypes.c_uint64(2), None, None, None))
    device = ctypes.c_void_p()
    cl.clGetContextInfo(context, 0x1081, ctypes.sizeof(device), ctypes.byref(device), None)
    with open(path, "rb") as file:
        text = ctypes.c_char_p(file.read())
    program = ctypes.c_void_p(cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None, None))
    status = cl.clBuildProgram(program, 0, None, b"-cl-std=CL3.0 -cl-trefoil-report", None, None)
    bytes_ = ctypes.c_size_t()
    cl.clGetProgramBuildInfo(program, device, 0x1183, 0, None, ctypes.byref(bytes_))
    log = ctypes.create_string_buffer(bytes_.value)
    cl.clGetProgramBuildInfo(program, device, 0x1183, len(log), log, None)
    print(log.value.decode(errors="replace"), flush=True)
    os._exit(0 if status == 0 else 1)


def adopt_orphans():
    """Helpers are nobody's children when they end; now they are ours."""
    set_child_subreaper = 36
    if ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0):
        sys.exit("prctl: no times of helpers")


def wait_all(child):
    """(seconds, megabytes) of it and of what it left; sets its status."""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds, kilobytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss
    while True:
        try:
            usage = os.wait4(-1, 0)[2]
        except ChildProcessError:
            return seconds, kilobytes / 1024
        seconds += usage.ru_utime + usage.ru_stime
        kilobytes = max(kilobytes, usage.ru_maxrss)


def pace():
    """Seconds here for one second of an idle machine, by what the C compiler takes for a text of
    ours that does not change; never below 1."""
    text = "".join(f"unsigned f{n}(unsigned *a, unsigned x)\n{{\nfor (unsigned i = 0; i < x; i++) {{\n"
                   + "".join(f"if (a[i] & {1 << m}) a[i + {m}] = a[i] * {m * n + 3} + x; else x ^= a[{m}];\n"
                             for m in range(24)) + "}\nreturn x;\n}\n" for n in range(40))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["cc", "-O2", "-w", "-x", "c", "-c", "-o", os.devnull, "-"], input=text.encode(), check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(max(seconds / YARDSTICK_SECONDS, 1), MOST_PACE)


def run(tool, source, most_seconds, *options):
    """(seconds, megabytes, what is wrong or None, what was said)"""
    command = [tool, "--emit=obj", "-cl-std=CL3.0", "--kernel=k", "-o", os.devnull, *options, source]
    if tool == "processes":
        command = [sys.executable, __file__, "build", source]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit) as child:
        text = child.stdout.read().decode(errors="replace")
        seconds, megabytes = wait_all(child)
    wrong = None
    if child.returncode < 0:
        wrong = f"ended by signal {-child.returncode}"
    elif child.returncode and "error:" not in text:
        wrong = f"status {child.returncode} without a word"
    elif seconds > most_seconds:
        wrong = "takes too long"
    elif megabytes > MEGABYTES:
        wrong = "takes too much memory"
    return seconds, megabytes, wrong, text


def main():
    tool, names = sys.argv[1], sys.argv[2:] or list(SOURCES)
    if tool == "build":
        build(names[0])
    adopt_orphans()
    ways = (("--quick",), ("--budget=4000", "--cpu=x86-64-v3"), ("--budget=4000", "--cpu=x86-64-v4"))
    if tool == "processes":
        ways = (("processes",),)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(folder, "source.cl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(SOURCES[name])
            for options in ways:
                for _ in range(TRIES):
                    most_seconds = LESS_SECONDS.get(name, SECONDS)
                    seconds, megabytes, wrong, text = run(tool, path, most_seconds, *options)
                    if wrong == "takes too long" and seconds <= most_seconds * pace():
                        wrong = None
                    if wrong != "takes too long":
                        break
                level = options[-1][6:] if len(options) > 1 else ""
                said = next((line for line in text.splitlines() if "error:" in line or "note: opt" in line), "")
                print(f"{name:28} {options[0]:14} {level:10} {seconds:6.2f} s {megabytes:5.0f} MB "
                      f"{wrong or 'good'}  {said[:80]}", flush=True)
                faults += wrong is not None
                if "error:" in text and "too long to optimize" not in text:
                    break  # of the source: the same for all
    print(f"{len(names)} sources, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
