#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Atomic functions on local memory lock nothing, in no form of a kernel; those on global
memory do.

    check_atomics.py TREFOILC
"""
import re
import subprocess
import sys
import tempfile

SOURCE = """
#define WIDEST memory_order_acq_rel, memory_scope_work_group
kernel void local_ones(global int *out, local int *l, local atomic_uint *u, local float *f)
{
    size_t i = get_global_id(0);
    uint expected = 5;
    int old = atomic_inc(l) + atomic_max(l + 1, 3) + atomic_cmpxchg(l + 2, 1, (int)i);
    old += atomic_dec(l + 3) + atomic_and(l + 4, 3) + (int)atomic_xchg(f, 2.0f);
    old += atomic_fetch_xor_explicit(u, 3u, memory_order_relaxed, memory_scope_work_group);
    old += atomic_fetch_min_explicit(u + 1, (uint)i, WIDEST);
    old += atomic_compare_exchange_strong_explicit(u + 2, &expected, 9u, memory_order_acq_rel,
                                                   memory_order_relaxed,
                                                   memory_scope_work_group);
    old += atomic_exchange_explicit(u + 3, (uint)i, WIDEST);
    atomic_store_explicit(u + 4, expected, memory_order_release, memory_scope_work_group);
    out[i] = old;
}
kernel void global_ones(global int *g, global atomic_uint *u)
{
    atomic_inc(g);
    atomic_fetch_or_explicit(u, 5u, WIDEST);
}
"""
LOCKS = re.compile(r"^\s+(lock\b|xchg[bwlq]?\s.*\()", re.MULTILINE)


def locks(trefoilc, path, kernel, form):
    run = subprocess.run([trefoilc, "--emit=asm", f"--kernel={kernel}", f"--form={form}",
                          "-cl-std=CL3.0", path], capture_output=True, text=True, timeout=120)
    text = run.stdout + run.stderr
    if run.returncode or "retq" not in text:
        sys.exit(f"{trefoilc}: {text[:2000]}")
    return len(LOCKS.findall(text))


def main():
    faults = 0
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(SOURCE)
        file.flush()
        for form in ("loops", "fibers", "simt"):
            found = locks(sys.argv[1], file.name, "local_ones", form)
            if found:
                print(f"{form}: {found} locked instructions for local memory")
                faults += 1
            if locks(sys.argv[1], file.name, "global_ones", form) < 2:
                print(f"{form}: global memory is not locked: is this test blind?")
                faults += 1
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
