#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the code generator can take out of the hot loop of a gang is out of it: LLVM does
so only for loops of a certain form, and their form is ours to keep.

    check_hot_loops.py TREFOILC"""
import pathlib
import re
import subprocess
import sys
import tempfile

# Kernel, and what none of its innermost loops with vectors may contain.
CASES = {
    # A preheader of the loop over the groups is missing where constants are fetched again.
    "constants_stay_in_registers": (
        "kernel void k(global float *a, global const float *b)"
        "{ int i = get_global_id(0); a[i] = exp(b[i]); }", r"\(%rip\)"),
    "rows_are_reached_step_by_step": (
        "kernel void k(global float *a, global const float *b, global const float *c, int n)"
        "{ int x = get_global_id(0), y = get_global_id(1); float s = 0;"
        "  for (int i = 0; i < 100; i++) s += b[i] * c[(y + i) * n + x];"
        "  a[y * n + x] = s; }", r"^imul"),
    "parts_of_words_become_floats_by_fused_products": (
        "kernel void k(global float4 *a, global const uint *b, int n)"
        "{ int x = get_global_id(0); float4 s = 0;"
        "  for (int i = 0; i < 100; i++) {"
        "    uint w = b[i * n + x];"
        "    s = max(s, (float4)(w & 255, w >> 8 & 255, w >> 16 & 255, w >> 24) * (1 / 255.0f)); }"
        "  a[x] = s; }", r"^v(cvt|mulps)"),
    # Shorts have no scatter: lanes that are not active store elsewhere, none jumps.
    "scatters_without_an_instruction_ask_no_lane": (
        "kernel void k(global short *restrict a, global const int *restrict b, int n)"
        "{ int x = get_global_id(0);"
        "  for (int i = 0; i < 100; i++) { int w = b[i * n + x]; if (w > 7) a[w & 1023] = w; } }", r"^(test[bwl]\s+\$|bt)"),
    # What a lane leaves with is that of its last round: who leaves is not compared once more.
    "who_leaves_is_not_compared": (
        "kernel void k(global uint *a, ulong first)"
        "{ int i = get_global_id(0); ulong n = first + i; uint rounds = 0;"
        "  while (n != 1) { n = n & 1 ? 3 * n + 1 : n >> 1; rounds++; }"
        "  a[i] = rounds; }", r"^vpcmpeq"),
    # Global memory is not local memory: no round stores a sum that the next one loads.
    "sums_in_global_memory_are_kept_beside_local_memory": (
        "kernel void k(global float *a, global const float *b, int n)"
        "{ local float t[100]; int i = get_global_id(0), l = get_local_id(0);"
        "  if (l < 100) t[l] = b[l];"
        "  barrier(CLK_LOCAL_MEM_FENCE);"
        "  float x = b[i];"
        "  for (int j = 0; j < 100; j++) { float d = t[j] - x; a[i] += d * d * d; } }", r"^vmov\w+\s+%zmm\d+, -?\d*\("),
}

# The same with AVX2, whose operations take whole vectors from memory, and no single element for all lanes.
CASES_OF_AVX2 = {
    # Components of one vector lie in several registers.
    "components_are_added_up_behind_the_loop": (
        "kernel void k(global int *a, global const char4 *b, global const char4 *c, int n)"
        "{ int x = get_global_id(0), s = 0;"
        "  for (int i = 0; i < n; i++) {"
        "    int4 p = convert_int4(b[i]) * convert_int4(c[i * n + x]); s += p.x + p.y + p.z + p.w; }"
        "  a[x] = s; }", r"^vperm[dq]"),
    "constants_that_registers_have_no_room_for_are_operands": (
        "kernel void k(global float *a, global const float *b)"
        "{ int i = get_global_id(0); a[i] = cosh(b[i]); }", r"^vbroadcast"),
    "few_constants_stay_in_registers": (
        "kernel void k(global float *a, global const float *b)"
        "{ int i = get_global_id(0); a[i] = exp2(b[i]); }", r"^v(fmadd|add|mul).*\(%rip\)"),
}

# Kernel, and how many loops its entry function may have that call nothing.
ROUNDS = {
    # The groups of a range and two parts, each in one row, the first one with turns that LLVM has joined and those that
    # are left of them.
    "parts_of_kernels_without_rows_have_one_row": (
        "kernel void k(global float *a, local float *t)"
        "{ int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0); t[l] = a[g];"
        "  barrier(CLK_LOCAL_MEM_FENCE); a[g] = t[n - 1 - l]; }", 4),
}

# Kernel, and how many loops over items its parts between barriers may be: one a dimension each.
PARTS = {
    # What lives on behind a loop with barriers lies where it has been: no round asks each item whether it is the last one.
    "ends_of_loops_with_barriers_need_no_items": (
        "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global float *a, global const float *b, int n)"
        "{ local float t[64]; int l = get_local_id(0), g = get_global_id(0); float s = 0;"
        "  for (int i = 0; i < n; i++) {"
        "    t[l] = b[i * 64 + l]; barrier(CLK_LOCAL_MEM_FENCE);"
        "    for (int k = 0; k < 64; k++) s += t[k] * t[l ^ k];"
        "    barrier(CLK_LOCAL_MEM_FENCE); }"
        "  a[g] = s; }", 15),
}

# Kernels whose gangs wait at barriers without fibers.
WITHOUT_FIBERS = {
    # Stores to one place on ways with barriers stay apart: lanes go by each way as a whole, and nothing needs fibers.
    "ways_with_barriers_store_apart": (
        "kernel void k(global float *a, int n, int last) { local float t[256]; int l = get_local_id(0), g = get_group_id(0);"
        " t[l] = a[get_global_id(0)]; barrier(1);"
        + "".join(f" {way} {{ for (int i = 2; i <= 256; i *= 2) {{ if ((l + 1) % i == 0) t[l] += t[l - i / 2]; barrier(1); }}"
                  f" if (l == 255) a[g * 256] = t[l]; }}" for way in ("if (n == 256)", "else if (g != last)"))
        + " else { for (int i = 2; i <= n; i *= 2) { if ((l + 1) % i == 0 && l < n) t[l] += t[l - i / 2]; barrier(1); }"
        " if (l == n - 1) a[g * 256] = t[l]; } }",)
}

# Kernel, and how often its entry function calls one of its own.
CALLS = {
    # Gangs of too few lanes. Others that start again, all of a launch where n is small, do so there, without masks.
    "gangs_that_start_again_are_not_called": (
        "kernel void k(global float *a, global const float *b, uint n)"
        "{ uint i = get_global_id(0); a[2 * i - (i & (n - 1))] = b[i]; }", 1),
}

# Kernel, and how many instructions its entry function may have with AVX2.
SIZES = {
    # No address becomes known where gangs stand one after the other, and each lane of a scatter is some instructions.
    "parts_with_scatters_stay_loops": (
        "kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k(global float *a, global const int *b)"
        "{ local float t[512]; float x = a[get_global_id(0)]; int at = b[get_local_id(0)] & 511;"
        + "t[at] = x; barrier(1); x += t[at ^ 5]; barrier(1);" * 6 +
        "a[get_global_id(0)] = x; }", 3000),
}

# Kernel, and how many jumps under a condition the entry function for its work-items, one by one, may have.
JUMPS = {
    # Those of loops over groups and items: a processor would guess every second step wrong.
    "searches_do_not_jump": (
        "kernel void k(global int *a, global const int *b, global const int *c)"
        "{ int i = get_global_id(0), x = c[i], lo = 0;"
        "  for (int s = 128; s > 0; s >>= 1) if (b[lo + s - 1] < x) lo += s;"
        "  a[i] = lo; }", 8),
}


def entry_function(assembly):
    """Its instructions, and the loops in it: the first and the last one."""
    labels, code = {}, []
    entry = re.search(r"^tf_wg_k:.*?^\.Lfunc_end", assembly, re.M | re.S).group(0)
    for line in entry.splitlines():
        label = re.match(r"(\.L\w+):", line)
        if label:
            labels[label.group(1)] = len(code)
        elif re.match(r"\t[a-z]", line):
            code.append(line.strip())
    loops = []
    for end, text in enumerate(code):
        jump = re.match(r"j\w+\s+(\.L\w+)", text)
        start = labels.get(jump.group(1), end + 1) if jump else end + 1
        if start <= end:
            loops.append((start, end))
    return code, loops


def innermost_loops(assembly, register):
    """The instructions of each loop of the entry function that has vectors and no other in it; one that goes
    round by several ways is several. What lies behind a loop and jumps back into it is seldom run: no part of it."""
    code, loops = entry_function(assembly)
    inner = [(a, b) for a, b in loops if not any(a < c and d <= b for c, d in loops)
             and sum(register in text for text in code[a:b + 1]) > 2]
    return [code[a:b + 1] for a, b in inner if not any(c < a <= d < b for c, d in inner)]


def text_of(trefoilc, source, cpu="x86-64-v4", stage="asm", form="simt"):
    with tempfile.TemporaryDirectory() as folder:
        file, out = pathlib.Path(folder, "k.cl"), pathlib.Path(folder, "k.s")
        file.write_text(source)
        subprocess.run([trefoilc, f"--cpu={cpu}", f"--form={form}", f"--emit={stage}", "-o", out, file], check=True)
        return out.read_text()


def check(trefoilc, source, unwanted, cpu="x86-64-v4", register="%zmm"):
    loops = innermost_loops(text_of(trefoilc, source, cpu), register)
    if not loops:
        return "has no loop with vectors"
    found = [text for loop in loops for text in loop if re.search(unwanted, text)]
    return f"has {found} in its loops" if found else None


def check_rounds(trefoilc, source, most):
    code, loops = entry_function(text_of(trefoilc, source))
    starts = {a for a, b in loops if not any(text.startswith("call") for text in code[a:b])}
    return f"has {len(starts)} loops" if len(starts) > most else None


def check_parts(trefoilc, source, most):
    group = re.search(r"^define [^\n]* @tf_group\(.*?^}", text_of(trefoilc, source, stage="split"), re.M | re.S).group(0)
    loops = len(re.findall(r"^items\d*:", group, re.M))
    return f"has {loops} loops over items" if loops > most else None


def check_fibers(trefoilc, source):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "k.cl")
        file.write_text(source)
        report = subprocess.run([trefoilc, "--cpu=x86-64-v4", "--form=simt", "--report", file], check=True,
                                stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True).stdout
    return "has gang fibers" if "gang fibers" in report or "simt" not in report else None


def check_calls(trefoilc, source, most):
    code, _ = entry_function(text_of(trefoilc, source))
    calls = sum(text.startswith("call") for text in code)
    return f"has {calls} calls" if calls > most else None


def check_size(trefoilc, source, most):
    code, _ = entry_function(text_of(trefoilc, source, "x86-64-v3"))
    return f"has {len(code)} instructions" if len(code) > most else None


def check_jumps(trefoilc, source, most):
    code, _ = entry_function(text_of(trefoilc, source, form="loops"))
    jumps = sum(re.match(r"j(?!mp)", text) is not None for text in code)
    return f"has {jumps} jumps under conditions" if jumps > most else None


def main():
    failures = 0
    faults = [(name, check(sys.argv[1], *case)) for name, case in CASES.items()]
    faults += [(name, check(sys.argv[1], *case, "x86-64-v3", "%ymm")) for name, case in CASES_OF_AVX2.items()]
    faults += [(name, check_rounds(sys.argv[1], *case)) for name, case in ROUNDS.items()]
    faults += [(name, check_parts(sys.argv[1], *case)) for name, case in PARTS.items()]
    faults += [(name, check_fibers(sys.argv[1], *case)) for name, case in WITHOUT_FIBERS.items()]
    faults += [(name, check_calls(sys.argv[1], *case)) for name, case in CALLS.items()]
    faults += [(name, check_size(sys.argv[1], *case)) for name, case in SIZES.items()]
    faults += [(name, check_jumps(sys.argv[1], *case)) for name, case in JUMPS.items()]
    for name, fault in faults:
        if fault:
            print(f"{name}: {fault}")
            failures += 1
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
