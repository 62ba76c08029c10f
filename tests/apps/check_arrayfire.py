#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ArrayFire's OpenCL backend: sums, products, sorting and a transform against NumPy."""
import ctypes.util
import sys

import app

np, = app.modules("numpy")


def main():
    if not ctypes.util.find_library("afopencl"):
        return app.skip("ArrayFire's OpenCL backend (libafopencl) is not installed; neither Debian nor PyPI's wheels have it")
    af, = app.modules("arrayfire")
    af.set_backend("opencl")
    if "TREFOIL" not in af.device.info_str().upper():
        print(af.device.info_str())
        return 1
    results, random = app.Results(), np.random.RandomState(1)
    for n in (16, 100):
        a, b = (random.rand(n, n).astype(np.float32) for _ in range(2))
        in_a, in_b = af.from_ndarray(a), af.from_ndarray(b)
        results.case(f"product {n}", float(abs(np.array(af.matmul(in_a, in_b).to_ndarray()) - a @ b).max()), 1e-5 * n)
        results.case(f"sum {n}", abs(float(af.sum(in_a)) / float(a.sum()) - 1), 1e-5)
        results.case(f"sort {n}", float(abs(af.sort(in_a).to_ndarray() - np.sort(a, axis=0)).max()), 0)
        results.case(f"transform {n}", float(abs(af.fft(in_a).to_ndarray() - np.fft.fft(a, axis=0)).max()), 1e-4 * n)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
