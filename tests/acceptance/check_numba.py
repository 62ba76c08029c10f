# SPDX-License-Identifier: MIT
"""numba, whose llvmlite has an LLVM of its own, and Trefoil in one process, in either order of first use,
and in turns. Where numba is not installed: skipped."""
import os
import sys

try:
    import numba
    import numpy as np
    import pyopencl as cl
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

COUNT = 1000


def with_opencl(number):
    device = next(d for p in cl.get_platforms() if p.name == "Trefoil" for d in p.get_devices())
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, f"kernel void k(global int *p) {{ int i = get_global_id(0); p[i] = i * {number} + 1; }}")
    data = np.zeros(COUNT, np.int32)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, data.nbytes)
    program.build().k(queue, (COUNT,), None, buffer)
    cl.enqueue_copy(queue, data, buffer)
    assert (data == np.arange(COUNT) * number + 1).all()


def with_numba(number):
    @numba.njit
    def fill(data):
        for i in range(len(data)):
            data[i] = i * number + 1

    data = np.zeros(COUNT, np.int32)
    fill(data)
    assert (data == np.arange(COUNT) * number + 1).all()


def in_turns(first, second):
    for number in range(3):
        first(number)
        second(number)


def main():
    for first, second in ((with_opencl, with_numba), (with_numba, with_opencl)):
        child = os.fork()  # a process of its own: what is loaded stays
        if child == 0:
            status = 1
            try:
                in_turns(first, second)
                status = 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        assert status == 0, (first.__name__, status)
    print(f"numba {numba.__version__}")


main()
