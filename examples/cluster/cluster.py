# SPDX-License-Identifier: MIT
"""What the two programs with plain MPI share: ranks, the device, arrays that kernels and MPI both work on."""
import argparse
import pathlib
import sys

import numpy as np
import pyopencl as cl
from mpi4py import MPI

READ_WRITE = cl.map_flags.READ | cl.map_flags.WRITE


def options(description, **defaults):
    parser = argparse.ArgumentParser(description=description)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"default {default}")
    return parser.parse_args()


class Device:
    """The first OpenCL device of this rank that is a processor, a queue of it, and the kernels of kernels.cl."""

    def __init__(self):
        platform = next(p for p in cl.get_platforms() if p.get_devices(cl.device_type.CPU))
        self.context = cl.Context(platform.get_devices(cl.device_type.CPU)[:1])
        self.queue = cl.CommandQueue(self.context)
        source = pathlib.Path(__file__).with_name("kernels.cl").read_text()
        self.program = cl.Program(self.context, source).build()

    def kernel(self, name):
        return cl.Kernel(self.program, name)

    def another_queue(self):
        return cl.CommandQueue(self.context)

    def enqueue(self, kernel, size, *arguments, offset=None, queue=None):
        queue = queue or self.queue
        values = [a.buffer if isinstance(a, Array) else np.int32(a) for a in arguments]
        kernel(queue, size, None, *values, global_offset=offset)
        queue.flush()


class Array:
    """Floats that lie in this process's memory and are a buffer, too: kernels and MPI use them in turns, and where
    the device is a processor nothing is copied between the two."""

    def __init__(self, device, values):
        self.values = np.require(values, np.float32, ["C", "A"])
        self.queue = device.queue
        self.buffer = cl.Buffer(device.context, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=self.values)

    def __enter__(self):
        """Waits for the kernels before: until the end of the block the values are the host's."""
        self.mapped, _ = cl.enqueue_map_buffer(self.queue, self.buffer, READ_WRITE, 0, self.values.shape, np.float32)
        return self.values

    def __exit__(self, *problem):
        self.mapped.base.release(self.queue)


class Time:
    """Milliseconds from one moment at which all ranks are done with all before to another."""

    def __init__(self, device):
        self.device = device
        self.start = self.now()

    def now(self):
        self.device.queue.finish()
        MPI.COMM_WORLD.Barrier()
        return MPI.Wtime()

    def stop(self):
        return (self.now() - self.start) * 1e3


def end(right):
    """Exit status: 0 if all ranks found their part right, which rank 0 says."""
    everywhere = MPI.COMM_WORLD.allreduce(bool(right), MPI.LAND)
    if not right:
        print(f"rank {MPI.COMM_WORLD.rank} has a wrong result", file=sys.stderr)
    if MPI.COMM_WORLD.rank == 0:
        print("right on all ranks" if everywhere else "wrong")
    return 0 if everywhere else 1
