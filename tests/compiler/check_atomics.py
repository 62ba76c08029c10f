#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Atomic functions on local memory lock nothing, in no form of a kernel; those on global
memory do. Changes whose results nobody reads wait in a table where nobody can find out
(workgroup/item/delay.h), and nowhere else.

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
# By the name of a kernel whether its changes wait.
WAITING = {
    "waits": ("global uint *g, global const uint *in", "atomic_inc(g + in[i]);", True),
    "waits_when_told_apart": ("global uint *restrict g, global const uint *restrict in",
                              "for (uint k = 0; k < 9; k++) atomic_add(g + in[i + k], k);", True),
    "waits_of_one_kind": ("global int *g, global int *h", "atomic_add(g, 3); atomic_dec(h); atomic_sub(g + i, 2);", True),
    "waits_beside_local_ones": ("global uint *g, local uint *l", "atomic_inc(l); atomic_max(g + i % 3, 3u);", True),
    "read": ("global uint *g, global uint *h", "h[i] = atomic_inc(g);", False),
    "two_kinds": ("global uint *g", "atomic_inc(g); atomic_max(g + i, 5u);", False),
    "two_types": ("global uint *g, global ulong *h", "atomic_inc(g); atom_inc(h + i);", False),
    "loaded_afterwards": ("global uint *g, global uint *h", "atomic_inc(g + i); h[i] = g[i];", False),
    "loaded_in_the_next_round": ("global uint *g, global const uchar *in",
                                 "for (uint k = 0; k < 9; k++) atomic_inc(g + in[i + k]);", False),
    "stored_afterwards": ("global uint *g, global uint *h", "atomic_inc(g + i); h[i] = 5;", False),
    "volatile_beside_it": ("global uint *g, global volatile uint *h", "if (h[i]) atomic_inc(g + i);", False),
    "watched": ("global uint *g, global uint *h", "while (i && !atomic_or(h, 0)); atomic_inc(g);", False),
    "fence": ("global uint *g", "atomic_inc(g + i); mem_fence(CLK_GLOBAL_MEM_FENCE);", False),
    "barrier_afterwards": ("global uint *g", "atomic_inc(g + i); barrier(CLK_GLOBAL_MEM_FENCE);", False),
    "ordered": ("global atomic_uint *g", "atomic_fetch_add(g + i, 1u);", False),
    "printed": ("global uint *g", 'atomic_inc(g + i); printf("%u", g[0]);', False),
    "of_reals": ("global float *g", "atomic_xchg(g + i, 1.0f);", False),
}
LOCKS = re.compile(r"^\s+(lock\b|xchg[bwlq]?\s.*\()", re.MULTILINE)


def locks(trefoilc, path, kernel, form):
    run = subprocess.run([trefoilc, "--emit=asm", f"--kernel={kernel}", f"--form={form}",
                          "-cl-std=CL3.0", path], capture_output=True, text=True, timeout=120)
    text = run.stdout + run.stderr
    if run.returncode or "retq" not in text:
        sys.exit(f"{trefoilc}: {text[:2000]}")
    return len(LOCKS.findall(text))


def check_waiting(trefoilc):
    faults = 0
    text = "\n".join(f"kernel void {name}({args}) {{ uint i = get_global_id(0); {body} }}"
                     for name, (args, body, _) in WAITING.items())
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(text)
        file.flush()
        for name, (_, _, wanted) in WAITING.items():
            for form in ("loops", "simt"):
                run = subprocess.run([trefoilc, "--emit=lowered", f"--kernel={name}", f"--form={form}", "-cl-std=CL3.0",
                                      file.name], capture_output=True, text=True, timeout=120)
                if run.returncode or f"@tf_wg_{name}(" not in run.stdout + run.stderr:
                    sys.exit(f"{trefoilc}: {name}: {run.stderr[:2000]}")
                if ("%delayed = alloca" in run.stdout + run.stderr) != wanted:
                    print(f"{form}: the changes of {name} {'do not wait' if wanted else 'wait'}")
                    faults += 1
    return faults


def main():
    faults = check_waiting(sys.argv[1])
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
