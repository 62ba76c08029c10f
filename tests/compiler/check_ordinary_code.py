#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels that neither enqueue nor wait pay nothing for those that do: their machine code is the same to the
byte alone, beside kernels of their program that enqueue blocks, that wait for other sub-groups in loops or at named
barriers, and with `-cl-no-subgroup-ifp`.

    check_ordinary_code.py TREFOILC
"""
import pathlib
import subprocess
import sys
import tempfile

OPTIONS = ("-cl-std=CL3.0", "--cpu=x86-64-v3")
ORDINARY = """
kernel void saxpy(global float *y, global const float *x, float a)
{
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
kernel void reduce(global int *sums, global const int *x, local int *part)
{
    const uint i = get_local_id(0);
    part[i] = x[get_global_id(0)];
    for (uint half_of_it = get_local_size(0) / 2; half_of_it > 0; half_of_it /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_of_it)
            part[i] += part[i + half_of_it];
    }
    if (i == 0)
        sums[get_group_id(0)] = part[0];
}
kernel void product(global float *c, global const float *a, global const float *b, int n)
{
    const int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum = mad(a[row * n + k], b[k * n + column], sum);
    c[row * n + column] = sum;
}
kernel void histogram(global int *counts, global const uchar *x)
{
    atomic_inc(&counts[x[get_global_id(0)]]);
}
kernel void lanes(global int *y)
{
    const size_t i = get_global_id(0);
    if (y[i] & 1)
        y[i] = sub_group_reduce_add(y[i]) + sub_group_broadcast(y[i], 0);
}
kernel void collatz(global uint *steps)
{
    const size_t i = get_global_id(0);
    uint x = i + 1, n = 0;
    for (; x != 1; n++)
        x = x & 1 ? 3 * x + 1 : x / 2;
    steps[i] = n;
}
kernel void sizes(read_only image2d_t from, write_only image2d_t to)
{
    const int2 at = {get_global_id(0), get_global_id(1)};
    write_imagef(to, at, read_imagef(from, at) * 2);
}
"""
KERNELS = ("saxpy", "reduce", "product", "histogram", "lanes", "collatz", "sizes")
# What the others of the program use.
BESIDE = """
#pragma OPENCL EXTENSION cl_khr_subgroup_named_barrier : enable
global atomic_int turn;
void go_down(global int *p, int depth)
{
    atomic_add(p, 1);
    if (depth > 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4),
                       ^{ go_down(p, depth - 1); });
}
kernel void tree(global int *p)
{
    go_down(p, 3);
}
kernel void spin(global int *out)
{
    while (atomic_load(&turn) < (int)get_sub_group_id())
        ;
    if (get_sub_group_local_id() == 0)
        atomic_fetch_add(&turn, 1);
    out[get_global_id(0)] = get_sub_group_id();
}
kernel void waits(global int *out)
{
    volatile global int *flag = out;
    while (*flag == 0)
        ;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
}
"""
FORMS = ("auto", "loops", "simt")


def code(trefoilc, path, kernel, form, *options, emit="obj"):
    done = subprocess.run([trefoilc, *OPTIONS, *options, f"--emit={emit}", f"--kernel={kernel}",
                           f"--form={form}", path], capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{kernel} {options}: {done.stderr.decode()}")
    return done.stdout


def main(trefoilc):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        alone = pathlib.Path(folder) / "alone.cl"
        beside = pathlib.Path(folder) / "beside.cl"
        alone.write_text(ORDINARY)
        beside.write_text(BESIDE + ORDINARY)
        for kernel in KERNELS:
            for form in FORMS:
                wanted = code(trefoilc, alone, kernel, form)
                for what, found in (
                        ("beside kernels that enqueue and wait", code(trefoilc, beside, kernel, form)),
                        ("with -cl-no-subgroup-ifp",
                         code(trefoilc, alone, kernel, form, "-cl-no-subgroup-ifp"))):
                    if found != wanted:
                        print(f"{kernel}, form {form}: {what} other code: {len(wanted)} bytes, {len(found)}")
                        failed += 1
        # The comparison can fail: what waits does pay.
        if b"__tf_yield" not in code(trefoilc, beside, "spin", "simt", emit="split"):
            print("a loop that waits does not yield")
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1]) else 0)
