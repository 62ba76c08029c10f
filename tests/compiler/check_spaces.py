#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""After clean-up no generic pointer is left in a kernel that shows where its pointers come
from, and no question for their address space.

    check_spaces.py TREFOILC
"""
import os
import re
import subprocess
import sys
import tempfile

RESOLVED = {
    "functions": """
        int load(int *p) { return *p; }
        void store(int *p, int value) { p[3] = value; }
        kernel void k(global int *g, local int *l) {
            int x[4] = {g[7], 1, 2, 3};
            store(x, 5); store(l, load(x)); store(g, load(l) + load(x + load(g)));
        }""",
    "loops": """
        int sum(int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
        kernel void k(global int *g, local int *l) { g[0] = sum(g, g[1]) + sum(l, 4); }""",
    "chosen": """
        kernel void k(global int *a, global int *b, local int *l, local int *m) {
            int *p = a[0] ? a : b, *q = a[1] ? l : m;
            for (int i = 0; i < a[2]; i++) { *p += *q; p++; q = q == l ? m : l; }
        }""",
    "atomics": """
        void count(volatile atomic_int *p) {
            int expected = 5;
            atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_work_group);
            atomic_compare_exchange_strong_explicit(p, &expected, 7, memory_order_relaxed,
                memory_order_relaxed, memory_scope_work_group);
            atomic_store_explicit(p, atomic_load_explicit(p, memory_order_relaxed,
                memory_scope_work_group) + atomic_exchange_explicit(p, expected,
                memory_order_relaxed, memory_scope_work_group), memory_order_relaxed,
                memory_scope_work_group);
        }
        kernel void k(global atomic_int *g, local atomic_int *l) { count(g); count(l); }""",
    "volatile": """
        int twice(volatile int *p) { return *p + *p; }
        kernel void k(global int *g, local int *l) { *g = twice(g) + twice(l); }""",
    "built-ins": """
        kernel void k(global float *g, local int4 *l) {
            int e; float i, *p = g; int *q = (int *)l;
            g[0] = frexp(g[1], &e) + fract(g[2], p) + modf(g[3], &i) + remquo(g[4], g[5], q);
            vstore4(vload4(e, q), 1, q + 4); g[6] = i;
        }""",
    "questions": """
        int where(int *p) { return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 4; }
        kernel void k(global int *g, local int *l) {
            int x[2]; int *p = &x[g[9]]; *p = get_fence(p);
            g[0] = where(g) + 8 * where(l) + 64 * where(p) + *to_private(p) + get_fence(l);
        }""",
    "members": """
        struct pair { int *a; int *b; };
        void swap(struct pair *p) { int t = *p->a; *p->a = *p->b; *p->b = t; }
        kernel void k(global int *g, local int *l) {
            struct pair p = {g, l}; swap(&p);
        }""",
}
# The origin lies in memory: the test must see what is left.
LEFT = """
    kernel void k(global int *g, local int *l, global ulong *o) {
        int *p = (int *)o[get_global_id(0)]; *p = get_fence(p); }"""


def cleaned(trefoilc, source):
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(source)
        file.flush()
        run = subprocess.run([trefoilc, "--emit=cleanup", "-cl-std=CL3.0", file.name],
                             capture_output=True, text=True, timeout=120)
    if run.returncode:
        sys.exit(f"{trefoilc}: {run.stdout}{run.stderr}\n{source}")
    return run.stdout + run.stderr


def generic_lines(text):
    return [line for line in text.split("\n")
            if re.search(r"addrspace\(4\)|call.*@__tf_space", line)
            and not line.startswith(("declare", ";"))]


def main():
    trefoilc, faults = sys.argv[1], 0
    for name, source in RESOLVED.items():
        for line in generic_lines(cleaned(trefoilc, source)):
            print(f"{name}: {line.strip()}")
            faults += 1
    if len(generic_lines(cleaned(trefoilc, LEFT))) < 2:
        print("nothing generic where the origin is unknown: is this test blind?")
        faults += 1
    print(f"{len(RESOLVED)} kernels, {faults} faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
