#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C = A B in blocks, one of each matrix a rank of a square grid: in each step a column of the grid sends its blocks of A along
the rows, a row of it its blocks of B along the columns, and every rank multiplies what it got (SUMMA).

    mpirun -n 4 python3 mpi_matrix.py [--size 512]      rows and columns of a block; as many ranks as a square has fields
"""
import math
import sys

import cluster
import numpy as np
from mpi4py import MPI


def elements(row, column, size, by_row, by_column, modulus):
    """Small integers, so that sums of their products are exact in any order."""
    y, x = np.ogrid[row * size:(row + 1) * size, column * size:(column + 1) * size]
    return ((y * by_row + x * by_column) % modulus - modulus // 2).astype(np.float32)


def main():
    options = cluster.options(__doc__.splitlines()[0], size=512)
    world, size = MPI.COMM_WORLD, options.size
    side = math.isqrt(world.size)
    if side * side != world.size:
        sys.exit(f"{world.size} ranks are no square")
    grid = world.Create_cart([side, side])
    row, column = grid.coords
    along_row, along_column = grid.Sub([False, True]), grid.Sub([True, False])

    device = cluster.Device()
    multiply_add = device.kernel("multiply_add")
    mine_a, mine_b = elements(row, column, size, 7, 3, 11), elements(row, column, size, 5, 13, 7)
    a, b, c = (cluster.Array(device, np.zeros((size, size))) for _ in range(3))
    time = cluster.Time(device)
    for k in range(side):
        for array, mine, line, at in ((a, mine_a, along_row, column), (b, mine_b, along_column, row)):
            with array as values:
                if at == k:
                    values[:] = mine
                line.Bcast(values, root=k)
        device.enqueue(multiply_add, (size, size), a, b, c, size)
    ms = time.stop()
    n = side * size
    if world.rank == 0:
        print(f"{world.size} ranks, matrices of {n} x {n}: {ms:.1f} ms, {2 * n**3 / ms / 1e6:.2f} GFLOP/s")

    with c as values:  # C x = A (B x), in doubles, which are exact, too; B x is a sum over the grid's columns
        x = np.arange(size) % 17 + 1.0
        b_x = along_column.allgather(mine_b.astype(float) @ x)
        blocks_of_a = along_row.allgather(mine_a.astype(float))
        right = np.array_equal(values.astype(float) @ x, sum(block @ part for block, part in zip(blocks_of_a, b_x)))
    return cluster.end(right)


if __name__ == "__main__":
    sys.exit(main())
