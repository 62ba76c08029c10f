#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clFFT: transforms of one, two and three dimensions and lengths of all its radices, against NumPy."""
import ctypes
import sys

import app
from app import handle

cl, np = app.modules("pyopencl", "numpy")
FORWARD, BACKWARD = -1, 1
LENGTHS = ((1024,), (3 * 5 * 7 * 11,), (64, 32), (25, 49, 4), (1 << 15,))


def main():
    fft = app.library("clFFT")
    context, queue = app.trefoil(cl)
    results, random = app.Results(), np.random.RandomState(1)
    setup = (ctypes.c_uint * 6)(2, 12, 2)  # version, padding, flags of 64 bits

    if fft.clfftSetup(setup):
        return app.skip("clfftSetup fails")
    for lengths in LENGTHS:
        data = (random.rand(*lengths[::-1]) + 1j * random.rand(*lengths[::-1])).astype(np.complex64)
        got, plan = np.empty_like(data), ctypes.c_size_t()
        memory = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=data)
        buffers, line = handle(memory), ctypes.c_void_p(queue.int_ptr)
        code = fft.clfftCreateDefaultPlan(ctypes.byref(plan), handle(context), len(lengths),
                                          (ctypes.c_size_t * len(lengths))(*lengths))
        code |= fft.clfftBakePlan(plan, 1, ctypes.byref(line), None, None)
        for direction, expected in ((FORWARD, np.fft.fftn(data)), (BACKWARD, data)):
            code |= fft.clfftEnqueueTransform(plan, direction, 1, ctypes.byref(line), 0, None, None,
                                              ctypes.byref(buffers), None, None)
            cl.enqueue_copy(queue, got, memory)
            results.case(f"{'x'.join(map(str, lengths))}, {'back' if direction == BACKWARD else 'forth'} ({code})",
                         float(abs(got - expected).max() / abs(expected).max()) + abs(code), 2e-6)
        fft.clfftDestroyPlan(ctypes.byref(plan))
    fft.clfftTeardown()
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
