#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Heat in a plane that is cut into strips of rows, one a rank. In each step the first and last row are computed before the
others, and travel to the neighbours while the kernel works on the rest.

    mpirun -n 4 python3 mpi_stencil.py [--width 1024] [--height 512] [--steps 20]      height of a strip
"""
import sys

import cluster
import numpy as np
from mpi4py import MPI


def at_start(top, rows, width, plane):
    """Rows of the plane; zeros beyond it."""
    y, x = np.ogrid[top:top + rows, 0:width]
    return np.where((y >= 0) & (y < plane), (y * 31 + x * 17) % 101, 0).astype(np.float32)


def expected(top, options, plane):
    """The strip, computed anew from the start with as many rows around it as all steps reach."""
    rows = at_start(top - options.steps - 1, options.height + 2 * options.steps + 2, options.width, plane)
    inside = np.arange(top - options.steps, top + options.height + options.steps)
    inside = ((inside >= 0) & (inside < plane))[:, None]
    for _ in range(options.steps):
        wide = np.pad(rows[1:-1], ((0, 0), (1, 1)))
        mean = np.float32(0.25) * ((rows[:-2] + rows[2:]) + (wide[:, :-2] + wide[:, 2:]))
        rows[1:-1] = np.where(inside, mean, np.float32(0))
    return rows[options.steps + 1:-options.steps - 1]


def main():
    options = cluster.options(__doc__.splitlines()[0], width=1024, height=512, steps=20)
    world, width, height = MPI.COMM_WORLD, options.width, options.height
    plane, top = world.size * height, world.rank * height
    upper, lower = (rank if 0 <= rank < world.size else MPI.PROC_NULL for rank in (world.rank - 1, world.rank + 1))

    device = cluster.Device()
    heat = device.kernel("heat")
    rows = [cluster.Array(device, at_start(top, height, width, plane)) for _ in range(2)]
    above = cluster.Array(device, at_start(top - 1, 1, width, plane))
    below = cluster.Array(device, at_start(top + height, 1, width, plane))
    first, last, unused = (cluster.Array(device, np.zeros((1, width))) for _ in range(3))
    inner = device.another_queue()
    time = cluster.Time(device)
    for step in range(options.steps):
        now, after = rows[step % 2], rows[1 - step % 2]
        for row in {0, height - 1}:
            device.enqueue(heat, (width, 1), above, now, below, after, first, last, height, offset=(0, row))
        if height > 2:  # what lies between touches neither the neighbours' rows nor what they get
            device.enqueue(heat, (width, height - 2), unused, now, unused, after, unused, unused, height, offset=(0, 1), queue=inner)
        with first as my_first, last as my_last, above as their_last, below as their_first:
            MPI.Request.Waitall([world.Isend(my_first, upper), world.Isend(my_last, lower),
                                 world.Irecv(their_last, upper), world.Irecv(their_first, lower)])
        inner.finish()
    ms = time.stop()
    if world.rank == 0:
        speed = options.steps * width * plane / ms / 1e3
        print(f"{world.size} ranks, {options.steps} steps of {width} x {plane} points: {ms:.1f} ms, {speed:.1f} million points a second")
    with rows[options.steps % 2] as values:
        right = np.array_equal(values, expected(top, options, plane))
    return cluster.end(right)


if __name__ == "__main__":
    sys.exit(main())
