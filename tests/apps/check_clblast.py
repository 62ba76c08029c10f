#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CLBlast: products of matrices, dot products and the index of the largest element, against NumPy."""
import ctypes
import sys

import app
from app import handle

cl, np = app.modules("pyopencl", "numpy")
size = ctypes.c_size_t
ROWS, NO, YES = 101, 111, 112


def main():
    blas = app.library("clblast")
    context, queue = app.trefoil(cl)
    results, random = app.Results(), np.random.RandomState(1)
    line = ctypes.byref(handle(queue))

    def buffer(array):
        return cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=array)

    for letter, kind, real, most in (("S", np.float32, ctypes.c_float, 1e-5), ("D", np.float64, ctypes.c_double, 1e-13)):
        for m, n, k in ((1, 1, 1), (64, 64, 64), (129, 65, 200), (300, 257, 128)):
            a, b, c = (random.rand(*shape).astype(kind) - kind(0.5) for shape in ((m, k), (n, k), (m, n)))
            out, got = buffer(c), np.empty_like(c)
            code = getattr(blas, f"CLBlast{letter}gemm")(
                ROWS, NO, YES, size(m), size(n), size(k), real(1.5), handle(buffer_a := buffer(a)), size(0), size(k),
                handle(buffer_b := buffer(b)), size(0), size(k), real(0.25), handle(out), size(0), size(n), line, None)
            cl.enqueue_copy(queue, got, out)
            expected = 1.5 * a @ b.T + 0.25 * c
            results.case(f"{letter}gemm {m}x{n}x{k} ({code})", float(abs(got - expected).max()) + abs(code), most * k)
            del buffer_a, buffer_b
        x, y = (random.rand(10007).astype(kind) for _ in range(2))
        out, got = buffer(np.zeros(1, kind)), np.empty(1, kind)
        in_x, in_y = buffer(x), buffer(y)
        getattr(blas, f"CLBlast{letter}dot")(size(len(x)), handle(out), size(0), handle(in_x), size(0), size(1),
                                             handle(in_y), size(0), size(1), line, None)
        cl.enqueue_copy(queue, got, out)
        results.case(f"{letter}dot", abs(float(got[0]) / float(x @ y) - 1), most * 10)
        out, found = buffer(np.zeros(1, np.uint32)), np.empty(1, np.uint32)
        getattr(blas, f"CLBlasti{letter}amax")(size(len(x)), handle(out), size(0), handle(in_x), size(0), size(1), line, None)
        cl.enqueue_copy(queue, found, out)
        results.case(f"i{letter}amax", abs(int(found[0]) - int(abs(x).argmax())), 0)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
