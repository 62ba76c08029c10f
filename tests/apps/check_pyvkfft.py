#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pyvkfft, Python's way to VkFFT, with its OpenCL back end: transforms of reals and complex numbers in one to three
dimensions, of lengths with all kinds of factors, there and back, cosine transforms; against NumPy and SciPy."""
import sys

import app

cl, np, array, opencl = app.modules("pyopencl", "numpy", "pyopencl.array", "pyvkfft.opencl")

# Powers of 2, other factors that VkFFT has code for, primes (Bluestein's and Rader's), more than local memory holds.
SHAPES = ((16,), (4096,), (3 * 5 * 7 * 11,), (13 * 64,), (101,), (2003,), (1 << 16,), (64, 48), (17, 30), (8, 12, 10))


def difference(found, right):
    return float(abs(found - right).max() / abs(right).max())


def complex_to_complex(results, queue, random):
    for kind, most in ((np.complex64, 2e-6), (np.complex128, 2e-14)):
        for shape in SHAPES:
            numbers = (random.rand(2, *shape) - 0.5 + 1j * (random.rand(2, *shape) - 0.5)).astype(kind)
            there = array.to_device(queue, numbers)
            plan = opencl.VkFFTApp(there.shape, there.dtype, queue, ndim=len(shape), inplace=True, norm=1)
            plan.fft(there)
            axes = tuple(range(1, 1 + len(shape)))
            results.case(f"{kind.__name__} {shape}", difference(there.get(), np.fft.fftn(numbers, axes=axes)), most)
            plan.ifft(there)
            results.case(f"{kind.__name__} {shape} and back", difference(there.get(), numbers), most)


def real_to_complex(results, queue, random):
    for shape in ((64,), (1000,), (64, 48), (8, 12, 10)):
        numbers = (random.rand(*shape) - 0.5).astype(np.float32)
        there = array.to_device(queue, numbers)
        half = array.empty(queue, (*shape[:-1], shape[-1] // 2 + 1), np.complex64)
        plan = opencl.VkFFTApp(there.shape, there.dtype, queue, ndim=len(shape), inplace=False, r2c=True, norm=1)
        plan.fft(there, half)
        results.case(f"of reals {shape}", difference(half.get(), np.fft.rfftn(numbers)), 2e-6)
        back = array.empty_like(there)
        plan.ifft(half, back)
        results.case(f"of reals {shape} and back", difference(back.get(), numbers), 2e-6)


def cosines(results, queue, random):
    """Of the second kind, by its definition: SciPy need not be there."""
    for length in (32, 45):
        numbers = (random.rand(3, length) - 0.5).astype(np.float32)
        steps = np.pi * np.arange(length)[:, None] * (2 * np.arange(length) + 1) / (2 * length)
        there = array.to_device(queue, numbers)
        opencl.VkFFTApp(there.shape, there.dtype, queue, ndim=1, inplace=True, dct=2, norm=0).fft(there)
        results.case(f"cosines of {length}", difference(there.get(), 2 * numbers @ np.cos(steps).T), 2e-6)


def main():
    _, queue = app.trefoil(cl)
    results, random = app.Results(), np.random.RandomState(4)
    complex_to_complex(results, queue, random)
    real_to_complex(results, queue, random)
    cosines(results, queue, random)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
