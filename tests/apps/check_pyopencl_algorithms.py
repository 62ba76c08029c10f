#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyOpenCL's own kernels: arrays, reductions, scans, sorting, compaction, random numbers; against NumPy."""
import sys

import app

cl, np, array, algorithm, scan, reduction, clmath, bitonic = app.modules(
    "pyopencl", "numpy", "pyopencl.array", "pyopencl.algorithm", "pyopencl.scan", "pyopencl.reduction",
    "pyopencl.clmath", "pyopencl.bitonic_sort")


def main():
    context, queue = app.trefoil(cl)
    results, random = app.Results(), np.random.RandomState(1)

    for count in (1, 1000, 100003):
        numbers = random.randint(0, 1 << 30, count).astype(np.int32)
        reals = random.rand(count).astype(np.float32)
        on_device, reals_there = array.to_device(queue, numbers), array.to_device(queue, reals)
        results.case(f"sum of {count}", abs(int(array.sum(on_device, dtype=np.dtype(np.int64)).get()) - int(numbers.sum(dtype=np.int64))), 0)
        results.case(f"dot of {count}", abs(float(array.dot(reals_there, reals_there).get()) / float(reals @ reals) - 1), 1e-4)
        sums = scan.InclusiveScanKernel(context, np.int64, "a+b", neutral="0")(array.to_device(queue, numbers.astype(np.int64))).get()
        results.case(f"scan of {count}", float(abs(sums - np.cumsum(numbers, dtype=np.int64)).max()), 0)
        largest = reduction.ReductionKernel(context, np.int32, neutral="0", reduce_expr="max(a,b)", map_expr="x[i]",
                                            arguments="__global int *x")(on_device).get()
        results.case(f"largest of {count}", abs(int(largest) - int(numbers.max())), 0)
        sort = algorithm.RadixSort(context, "int *keys", key_expr="keys[i]", sort_arg_names=["keys"])
        (ordered,), done = sort(on_device.copy(), key_bits=30)
        done.wait()
        results.case(f"radix sort of {count}", float(abs(ordered.get() - np.sort(numbers)).max()), 0)
        kept, kept_count, done = algorithm.copy_if(on_device, "ary[i] % 3 == 0")
        done.wait()
        right = numbers[numbers % 3 == 0]
        results.case(f"compaction of {count}", float(int(kept_count.get()) != len(right) or
                                                     (kept.get()[:len(right)] != right).any()), 0)
        results.case(f"sine of {count}", float(abs(clmath.sin(reals_there).get() - np.sin(reals)).max()), 1e-6)
    numbers = array.to_device(queue, random.randint(0, 1000, 1 << 14).astype(np.uint32))
    ordered, done = bitonic.BitonicSort(context)(numbers.copy())
    results.case("bitonic sort", float((ordered.get() != np.sort(numbers.get())).any()), 0)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
