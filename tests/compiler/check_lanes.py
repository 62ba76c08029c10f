#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels as lanes: what trefoilc makes of small kernels has the loads, stores, masks and
branches that it should have, and the kernels that must be widened are.

    check_lanes.py TREFOILC FOLDER_OF_KERNELS"""
import pathlib
import re
import subprocess
import sys
import tempfile

# What is counted in a function, by name.
PATTERNS = {
    "gather": r"call .*@llvm\.masked\.gather",
    "scatter": r"call .*@llvm\.masked\.scatter",
    "masked_load": r"call .*@llvm\.masked\.load",
    "masked_store": r"call .*@llvm\.masked\.store",
    "load": r"= load <8 x (?:float|i32)>, ptr addrspace",
    "store": r"store <8 x (?:float|i32)> (?!.*!nontemporal).*, ptr addrspace",
    "strip": r"= load <4 x i32>, ptr addrspace",
    "store_behind_loop": r"store <8 x float> .*, ptr addrspace.*\n  br label",
    "scalar_load": r"= load (?:float|i32), ptr addrspace",
    "masked_any": r"call .*@llvm\.(masked\.(load|store|gather|scatter)|vector\.reduce)",
    "any": r"call .*@llvm\.vector\.reduce\.or",
    "shuffle": r"= shufflevector .*<i32 [01], i32 [23], i32 [45]",
    "masked_words": r"call .*@llvm\.masked\.(load|store)\.v8i32",
    "masked_bytes": r"call .*@llvm\.masked\.(load|store)\.v\d+i(8|16)\b",
    "private_row": r"= load <8 x float>, ptr %",
    "units": r"^\s*%units",
    "table": r"= extractelement <8 x i32> <i32 1, i32 5,",
    "again": r"call .*@tf_gang_masked",
    "far": r"^far",
    "lane_loop": r"^lanes_done",
    "divide": r"= fdiv <8 x double>",
    "divide_one": r"= fdiv double",
    "idiv": r"= [su](div|rem) ",
    "by_constant": r"= [su]div <8 x i32> %\S+, splat \(i32 3\)",
}

ARGS = "global float *a, global const float *b, global const int *at, int n, uint w"

# What stores under a mask is there twice with AVX2, the other one for when all lanes enter.
# Body; counts in the function of all lanes (a number, or what it must exceed).
CASES = {
    "int_id_is_side_by_side": ("int i = get_global_id(0); a[i] = b[i];",
                               {"load": 1, "store": 1, "masked_any": 0, "far": 0}),
    "uint_id_is_side_by_side": ("uint i = get_global_id(0); a[i] = b[i] + b[i + 1];",
                                {"load": 2, "store": 1, "masked_any": 0, "far": 0}),
    "long_id_is_side_by_side": ("size_t i = get_global_id(0); a[i] = b[i];",
                                {"load": 1, "store": 1, "masked_any": 0, "far": 0}),
    "long_row_cut_to_int_may_wrap": ("int i = get_global_id(1) * n + get_global_id(0); a[i] = b[i];",
                                     {"load": 1, "store": 1, "far": 2}),
    "signed_row_is_side_by_side": (
        "int x = get_global_id(0), y = get_global_id(1); a[y * n + x] = b[y * n + x - 1];",
        {"load": 1, "store": 1, "masked_any": 0, "far": 0}),
    "unsigned_row_may_wrap": (
        "uint x = get_global_id(0), y = get_global_id(1); a[x] = b[y * w + x];",
        {"load": 1, "store": 1, "gather": 1, "far": 1}),
    "uniform_load_is_one_load": ("int i = get_global_id(0); a[i] = b[n];",
                                 {"scalar_load": 1, "load": 0, "gather": 0}),
    "index_from_memory_is_gathered": ("int i = get_global_id(0); a[i] = b[at[i]];",
                                      {"load": 1, "gather": 1, "store": 1}),
    "index_to_memory_is_scattered": ("int i = get_global_id(0); a[at[i]] = b[i];",
                                     {"load": 2, "scatter": 1, "store": 0}),
    # The look-ups between the loads of a row are at places of their own.
    "row_is_loaded_by_strips_between_look_ups": (
        "int i = get_global_id(0), s = 0; for (int k = 0; k < n; k++) s = at[(s ^ at[i * n + k]) & 255]; a[i] = s;",
        {"strip": 32}),
    # Sixty rounds are more than LLVM unrolls by itself.
    "array_indexed_by_rounds_is_values": (
        "int i = get_global_id(0), t = n, s[12]; for (int k = 0; k < 12; k++) s[k] = at[i + k * n];"
        "for (int r = 0; r < n; r++) for (int k = 0; k < 60; k++)"
        " { int o = s[k * 7 % 12]; s[k * 7 % 12] = t ^ o << (k & 7); t = o; }"
        "a[i] = s[3] + s[5];", {"units": 0}),
    "array_indexed_by_what_only_the_run_knows_is_memory": (
        "int i = get_global_id(0), t = n, s[12]; for (int k = 0; k < 12; k++) s[k] = at[i + k * n];"
        "for (int r = 0; r < n; r++) for (int k = 0; k < 60; k++)"
        " { int o = s[k * n % 12]; s[k * 7 % 12] = t ^ o << (k & 7); t = o; }"
        "a[i] = s[3] + s[5];", {"units": (1, 99)}),
    "uniform_branch_has_no_mask": ("int i = get_global_id(0); if (n > 3) a[i] = b[i]; else a[i + 1] = 2;",
                                   {"masked_any": 0, "store": (1, 2)}),
    "uniform_loop_has_no_mask": (
        "int i = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += b[k * n + i]; a[i] = s;",
        {"masked_any": 0, "load": (1, 9), "store": 1}),
    "varying_branch_is_masked": ("int i = get_global_id(0); if (b[i] > 0) a[i] = a[i] / b[i + 4];",
                                 {"load": 3, "masked_load": 2, "masked_store": 1}),
    "varying_loop_runs_while_any_lane_does": (
        "int i = get_global_id(0); float x = b[i]; int k = 0; while (x < 4 && k < n) { x = x * x + 1; k++; } a[i] = k;",
        {"any": (1, 4), "masked_store": 1, "masked_load": 1}), # one function for all gangs
    "guarded_load_is_not_executed_without_lanes": (
        "int i = get_global_id(0); if (b[i] > 0) a[i] = b[n];", {"any": 1, "scalar_load": 2}),
    "branch_with_two_registers_a_value_is_skipped": (
        "int i = get_global_id(0); double x = n; if (b[i] > 9) { x = x + b[i]; x = x*x*x*x*x*x*x*x*x; } a[i] = x;",
        {"any": 1}),
    "short_branch_is_not_skipped": (
        "int i = get_global_id(0); float x = n; if (b[i] > 9) { x = x + b[i]; x = x*x*x*x*x*x*x*x*x; } a[i] = x;",
        {"any": 0}),
    "atomics_run_lane_by_lane": (
        "int i = get_global_id(0); atomic_add((volatile global int *)at + i, 1);", {"lane_loop": 1}),
    "every_second_is_two_loads": (
        "int i = get_global_id(0); a[i] = b[2 * i] + b[2 * i + 1];",
        {"load": 2, "gather": 0, "store": 1, "shuffle": 2}),
    "gap_is_loaded_past_but_not_the_end": (
        "int i = get_global_id(0); a[i] = b[3 * i] + b[3 * i + 1];",
        {"load": 3, "gather": 0, "masked_any": 0}),
    "backwards_is_one_load": ("int i = get_global_id(0); a[i] = b[n - i];", {"load": 1, "gather": 0}),
    "members_are_stored_together": (
        "int i = get_global_id(0); a[2 * i] = b[i]; a[2 * i + 1] = i;",
        {"store": 2, "scatter": 0, "masked_any": 0}),
    "vectors_of_bytes_are_masked_as_words": (
        "int i = get_global_id(0); global uchar4 *v = (global uchar4 *)a; if (b[i] > 0) v[i] += v[i + n];",
        {"masked_words": (2, 3), "masked_bytes": 0}),
    "members_of_some_lanes_are_masked": (
        "int i = get_global_id(0); if (at[i]) a[i] = b[2 * i] - b[2 * i + 1];",
        {"gather": 0, "masked_load": 2, "masked_store": 1}),
    "store_between_ends_a_group": (
        "int i = get_global_id(0); float x = b[2 * i]; a[i] = x; a[i + 9] = b[2 * i + 1];",
        {"gather": 0, "load": 4, "store": 2}),
    "store_to_the_other_member_does_not_end_a_group": (
        "int i = get_global_id(0); a[2 * i] += 3; a[2 * i + 1] *= 3;",
        {"gather": 0, "load": 2, "store": 2}),
    "guard_of_the_range_needs_no_mask": (
        "int i = get_global_id(0); if (i < n) a[i] = b[i];",
        {"load": 1, "store": 1, "masked_any": 0, "again": 1}),
    "guard_of_two_dimensions_needs_no_mask": (
        "int x = get_global_id(0), y = get_global_id(1); if (x >= n || y >= n) return; a[y * n + x] = 1;",
        {"store": 1, "masked_any": 0, "again": 1}),
    "clamped_index_is_side_by_side": (
        "int i = get_global_id(0); a[i] = b[clamp(i - 1, 0, n - 1)];",
        {"load": 1, "gather": 0, "store": 1, "again": (1, 2)}),
    "border_is_seen_by_equality": (
        "int i = get_global_id(0); if (i == 0 || i == n - 1) return; a[i] = b[i];",
        {"load": 1, "store": 1, "masked_any": 0, "again": 1}),
    "nothing_is_assumed_behind_a_store": (
        "int i = get_global_id(0); a[i] = 0; if (i < n) a[i] = b[i];",
        {"again": 0, "masked_load": 1}),
    "components_that_mix_are_taken_apart": (
        "int i = get_global_id(0); global float4 *v = (global float4 *)a; float4 x = v[i]; "
        "for (int k = 0; k < n; k++) x = x.wxyz * (x.x + x.y); v[i] = x;",
        {"gather": 0, "load": 4, "store": 4, "masked_any": 0}),
    "private_array_at_one_index_is_a_row": (
        "int i = get_global_id(0); float v[50]; for (int k = 0; k < 50; k++) v[k] = b[k * n + i]; "
        "float s = 0; for (int k = 0; k < n; k++) s = s * v[k % 50] + v[49 - k % 50]; a[i] = s;",
        {"gather": 0, "scatter": 0, "private_row": (2, 9), "masked_any": 0}),
    "private_array_at_any_index_has_no_branches": (
        "int i = get_global_id(0); float v[50]; for (int k = 0; k < 50; k++) v[k] = b[k * n + i]; "
        "v[at[i] % 50] = 1; a[i] = v[n % 50];",
        {"gather": 0, "scatter": 0, "lane_loop": 0, "private_row": 1}),
    "small_table_is_permuted": (
        "int i = get_global_id(0); const int t[8] = {1, 5, 2, 7, 3, 9, 4, 8}; a[i] = t[at[i] & 7];",
        {"gather": 0, "load": 1, "table": 8}),
    "lanes_divide_by_one_where_masked": (
        "int i = get_global_id(0); if (at[i]) a[i] = n / at[i];", {"divide": 2, "idiv": 0}),
    "constant_divides_all_lanes": (
        "int i = get_global_id(0); if (at[i] > 3) a[i] = at[i] / 3;", {"by_constant": 2, "idiv": 2}),
    "one_signed_divisor_is_inverted_once": (
        "int i = get_global_id(0); a[i] = at[i] / n;", {"divide": 0, "divide_one": 1, "idiv": 0}),
    "sum_in_memory_is_kept_in_a_register": (  # in one loop of two (prepare/apart.c)
        "int i = get_global_id(0); a[i] = 1; for (int k = 0; k < n; k++) a[i] += b[k * n + i];",
        {"load": 2, "store": 3, "store_behind_loop": 1, "masked_any": 0}),
    "row_of_each_item_is_loaded_by_lines": (  # 16 rounds, each lane 16 bytes of 4 (plan/strip.c); what is left gathers
        "int i = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += b[i * n + k] * a[k]; a[i] = s;",
        {"strip": 4 * 8, "gather": 1}),
    "row_of_a_long_round_is_loaded_by_half_lines": (  # 16 such rounds are too long: 8 of them
        "int i = get_global_id(0); float r = 0, s = 0, t = 0; for (int k = 0; k < n; k++) { float x = b[i * n + k];"
        + " ".join(f"r = x * {c}.5f + s; s = r * 0.5f - t; t = x - r * {c}.25f; x = s + t * 3;" for c in range(7))
        + " } a[i] = r + s + t;",
        {"strip": 2 * 8, "gather": 1}),
    "members_behind_a_pointer_are_loaded_at_once": (
        "int i = get_global_id(0); global const float *p = b + at[i]; a[i] = (p[0] - p[1]) * (p[2] - p[3]);",
        {"strip": 8, "gather": 0}),
    "sum_that_is_read_stays_in_memory": (
        "int i = get_global_id(0); a[i] = 1; for (int k = 0; k < n; k++) a[i] += a[k * n + i];",
        {"load": 1, "store": 2, "store_behind_loop": 0}),
    "one_divisor_is_inverted_once": (
        "int i = get_global_id(0); a[i] = (uint)at[i] % w;", {"divide": 0, "divide_one": 1, "idiv": 0}),
}

# Kernels of the folder that must have lanes by default, with AVX2 and with AVX-512.
MUST = {
    "bitonic_sort": ["bitonic_step"], "fft_radix2": ["fft_radix2"], "fft_radix4": ["fft_radix4"],
    "black_scholes": ["black_scholes"], "black_scholes_polynomial": ["black_scholes_polynomial"],
    "blur_3x3": ["blur_3x3"], "divergent": ["divergent"], "hash_rounds": ["hash_uint", "hash_ulong"],
    "stencil_boundary": ["stencil_boundary"], "blend_uchar": ["blend_uchar"], "collatz": ["collatz"],
    "filter_short": ["filter_short"], "kmeans_assign": ["kmeans_assign"], "mandelbrot": ["mandelbrot"],
    "matmul_naive": ["matmul_naive"], "matmul_tiled": ["matmul_tiled"], "monte_carlo": ["monte_carlo"],
    "multiply_long": ["multiply_long"], "nbody": ["nbody"], "reduce": ["reduce"],
    "private_sort": ["private_sort"],
    "reduce_builtin": ["reduce_builtin"], "scan": ["scan_add"], "shortest_paths": ["shortest_paths_step"],
    "small_graphs": ["small_graphs"], "stencil_3x3": ["stencil_3x3"], "stencil_5x5": ["stencil_5x5"],
    "transform_float4": ["transform_float4"], "transpose": ["transpose"], "triad": ["triad"],
    "triad_float4": ["triad_float4"], "wavefront": ["wavefront"], "xorshift": ["xorshift"],
}
# Of these no line may have become a gather, a scatter or a loop over lanes.
SMOOTH = ["black_scholes", "blend_uchar", "blur_3x3", "hash_rounds", "stencil_boundary", "matmul_naive", "nbody", "stencil_3x3", "triad", "xorshift"]


def lowered(trefoilc, path):
    words = [trefoilc, "--form=simt", "--width=8", "--emit=gang", str(path)]
    made = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    if made.returncode:
        sys.exit(f"{path}: {made.stderr}")
    return made.stdout + made.stderr


def function(text, name):
    found = re.search(rf"^define [^\n]*@{name}\(.*?^\}}", text, re.M | re.S)
    return found.group(0) if found else None


def check_case(trefoilc, folder, name, body, wanted):
    path = pathlib.Path(folder) / f"{name}.cl"
    path.write_text(f"kernel void k({ARGS}) {{ {body} }}\n")
    text = lowered(trefoilc, path)
    gang = function(text, "tf_gang") or function(text, "tf_gang_masked")
    if gang is None:
        return [f"{name}: no lanes"]
    faults = []
    for what, count in wanted.items():
        low, high = count if isinstance(count, tuple) else (count, count)
        found = len(re.findall(PATTERNS[what], gang, re.M))
        if not low <= found <= high:
            faults.append(f"{name}: {found} of {what}, not {count}\n{gang}")
    return faults


def check_kernel(trefoilc, path, names, cpu):
    """By the report of the form that is chosen by default."""
    words = [trefoilc, "--report", f"--cpu={cpu}", "-cl-std=CL3.0", str(path)]
    made = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    faults = []
    for name in names:
        found = re.search(rf"^kernel {name}: (.*)\n((?:  .*\n)*)", made.stderr, re.M)
        if not found or not found.group(1).startswith("simt"):
            faults.append(f"{path.name}, {cpu}: {name}: no lanes: {found.group(1) if found else made.stderr}")
        elif path.stem in SMOOTH and re.search("gather|scatter|lane loop", found.group(2)):
            faults.append(f"{path.name}, {cpu}: {name}: {found.group(2)}")
    return faults


def check_registers(trefoilc, path, wide, form="simt", cpu="x86-64-v4"):
    """AVX-512 means registers of 512 bits, but for kernels that only wait for memory where
    the processor stores such registers in two halves."""
    words = [trefoilc, "--emit=asm", f"--form={form}", f"--cpu={cpu}", str(path)]
    made = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    text = made.stdout + made.stderr
    if ("%zmm" in text) == wide and "%ymm" in text + ("%ymm" if wide else ""):
        return []
    return [f"{path.name}: {'no' if wide else 'has'} registers of 512 bits"]


def check_fetches(trefoilc, folder):
    """On Zen 5 streams of two registers of a line each are fetched ahead, once a gang."""
    path = pathlib.Path(folder) / "fetches.cl"
    path.write_text(f"kernel void k({ARGS}) {{ int i = get_global_id(0); a[i] = b[i] + at[i]; }}\n")
    faults = []
    for cpu, width, wanted in ("znver5", 32, 2), ("znver5", 16, 0), ("znver4", 32, 0):
        words = [trefoilc, "--emit=asm", "--form=simt", f"--width={width}", f"--cpu={cpu}", str(path)]
        made = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        found = len(re.findall(r"prefetcht0\s+128\(", made.stdout))
        if made.returncode or found != wanted:
            faults.append(f"{cpu}, {width} lanes: {found} lines fetched ahead, not {wanted}: {made.stderr}")
    return faults


def check_streams(trefoilc, folder, version):
    """What whole gangs store goes past the caches where the launch streams, but not what the
    kernel loads, in rounds of a loop, or less than a line; and not where the kernel orders
    memory itself."""
    path = pathlib.Path(folder) / "streams.cl"
    bodies = {
        "a[i] = b[i];": 1,
        "if (i < n) a[i] = b[i];": 1,
        "a[2 * i] = b[i]; a[2 * i + 1] = n;": 2,
        "uint k = i + w; a[k] = b[i];": 1,
        # LLVM 19's C interface does not tell the scope of the barrier's fences.
        "local float t[64]; t[get_local_id(0)] = b[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[n];":
            int(version >= 20),
        "a[i] += b[i];": 0,
        "a[2 * i] = b[i];": 0,
        "for (int k = 0; k < n; k++) a[k * n + i] = b[i];": 0,
        "a[i] = b[i]; atomic_inc((volatile global int *)a + n);": 0,
        "a[i] = b[i]; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);": 0,
        "((global char *)a)[i] = n;": 0,
        "".join(f"a[i + {k} * n] = b[i];" for k in range(40)): 0,  # too much code
    }
    faults = []
    for body, wanted in bodies.items():
        path.write_text(f"kernel void k({ARGS}) {{ int i = get_global_id(0); {body} }}\n")
        words = [trefoilc, "--emit=gang", "--form=simt", "--width=16", "--cpu=x86-64-v4",
                 "-cl-std=CL3.0", str(path)]
        made = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        gang = function(made.stdout, "tf_gang") or function(made.stdout, "tf_gang_masked") or ""
        found = len(re.findall(r"store <16 x .*!nontemporal", gang))
        if made.returncode or found != wanted:
            faults.append(f"{body}: {found} stores past the caches, not {wanted}: {made.stderr}")
    return faults


def check_demanded_rows(trefoilc, folder):
    """Rows that end with the group are no shorter than gangs, if the kernel demands how long they are."""
    path = pathlib.Path(folder) / "demanded.cl"
    faults = []
    for cpu, size, lanes in (("x86-64-v4", "16, 4", 16), ("x86-64-v4", "8, 8", 8), ("x86-64-v4", "12, 4", 16),
                             ("x86-64-v4", "4, 16", 4), ("x86-64-v3", "8, 8", 8), ("x86-64-v3", "4, 16", 4),
                             ("x86-64-v3", "2, 32", 4)):
        path.write_text(f"kernel __attribute__((reqd_work_group_size({size}, 1)))\nvoid k({ARGS}) {{\n"
                        "  local float t[64]; int x = get_local_id(0), y = get_local_id(1), r = get_local_size(0);\n"
                        "  t[y * r + x] = b[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "  a[get_global_id(1) * n + get_global_id(0)] = t[y * r + r - 1 - x];\n}\n")
        words = [trefoilc, "--report", "--form=simt", f"--cpu={cpu}", str(path)]
        made = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        if f": {lanes} lanes" not in made.stderr:
            faults.append(f"{cpu}, groups of {size}: not {lanes} lanes: {made.stderr}")
    return faults


def check_known_groups(trefoilc, folder):
    """What 8 lanes agree about they do also where groups are known to have room for more."""
    path = pathlib.Path(folder) / "known.cl"
    path.write_text(f"kernel void k({ARGS}) {{\n"
                    "  local float t[64]; int l = get_local_id(0), i = get_global_id(0); float s = 0;\n"
                    "  for (int k = 0; k < n; k++) { if (l < 8) s += b[at[l / 8 + k]]; else s -= b[at[l % 8 + k]]; }\n"
                    "  t[l] = s; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[63 - l];\n}\n")
    words = [trefoilc, "--report", "--form=simt", "--cpu=x86-64-v3", "--group=64", str(path)]
    made = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return [] if ": 8 lanes" in made.stderr and " 0 divergent branches" in made.stderr else [f"known groups: {made.stderr}"]


def llvm_version(include):
    text = (pathlib.Path(include) / "llvm/Config/llvm-config.h").read_text()
    return int(re.search(r"LLVM_VERSION_MAJOR (\d+)", text).group(1))


def main():
    trefoilc = sys.argv[1]
    kernels = {path.stem: path for path in pathlib.Path(sys.argv[2]).glob("*/*.cl")}
    faults = []
    cases = dict(CASES)
    version = llvm_version(sys.argv[3])
    if version < 20:  # workgroup/prepare/components.c
        del cases["components_that_mix_are_taken_apart"]
    with tempfile.TemporaryDirectory() as folder:
        for name, (body, wanted) in cases.items():
            faults += check_case(trefoilc, folder, name, body, wanted)
        faults += check_fetches(trefoilc, folder)
        faults += check_streams(trefoilc, folder, version)
        faults += check_demanded_rows(trefoilc, folder)
        faults += check_known_groups(trefoilc, folder)
    for file, names in MUST.items():
        for cpu in ("x86-64-v3", "x86-64-v4"):
            faults += check_kernel(trefoilc, kernels[file], names, cpu)
    faults += check_registers(trefoilc, kernels["nbody"], True)
    faults += check_registers(trefoilc, kernels["triad"], True)
    faults += check_registers(trefoilc, kernels["triad"], False, cpu="znver4")
    # Waits for memory, but half of a register would not pay.
    faults += check_registers(trefoilc, kernels["struct_array"], True, "auto", "znver4")
    print("\n".join(faults) or f"{len(cases)} cases and {len(MUST)} kernels as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
