#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clBLAS: products of matrices against NumPy."""
import ctypes
import sys

import app
from app import handle

cl, np = app.modules("pyopencl", "numpy")
size = ctypes.c_size_t
ROWS, NO, YES = 0, 0, 1


def main():
    blas = app.library("clBLAS")
    context, queue = app.trefoil(cl)
    results, random = app.Results(), np.random.RandomState(1)
    line = ctypes.byref(handle(queue))
    if blas.clblasSetup() != 0:
        print("clblasSetup failed")
        return 1
    for letter, kind, real, most in (("S", np.float32, ctypes.c_float, 1e-5), ("D", np.float64, ctypes.c_double, 1e-13)):
        for m, n, k in ((1, 1, 1), (64, 64, 64), (129, 65, 200)):
            a, b, c = (random.rand(*shape).astype(kind) - kind(0.5) for shape in ((m, k), (n, k), (m, n)))
            buffers = [cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=array) for array in (a, b, c)]
            in_a, in_b, out = map(handle, buffers)
            code = getattr(blas, f"clblas{letter}gemm")(
                ROWS, NO, YES, size(m), size(n), size(k), real(1.5), in_a, size(0), size(k), in_b, size(0), size(k), real(0.25),
                out, size(0), size(n), 1, line, 0, None, None)
            got = np.empty_like(c)
            cl.enqueue_copy(queue, got, buffers[2])
            results.case(f"{letter}gemm {m}x{n}x{k} ({code})", float(abs(got - (1.5 * a @ b.T + 0.25 * c)).max()) + abs(code), most * k)
    blas.clblasTeardown()
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
