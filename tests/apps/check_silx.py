#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""silx: convolution, median filter, back-projection and forward projection, and image statistics, against NumPy and SciPy."""
import sys

import app

np, cl, _, ndimage = app.modules("numpy", "pyopencl", "silx.opencl", "scipy.ndimage")
from silx.opencl import convolution, medfilt, statistics  # noqa: E402 pylint: disable=wrong-import-position
from silx.opencl import projection  # noqa: E402 pylint: disable=wrong-import-position


def check_convolution(results, ctx, image):
    kernel = np.outer(np.hanning(9), np.hanning(9)).astype(np.float32)
    for name, taps, wanted in (
            ("2D kernel", kernel, ndimage.convolve(image, kernel, mode="nearest")),
            ("separable", kernel[3], ndimage.convolve1d(ndimage.convolve1d(image, kernel[3], axis=0, mode="nearest"),
                                                              kernel[3], axis=1, mode="nearest"))):
        found = convolution.Convolution(image.shape, taps, mode="nearest", ctx=ctx)(image)
        found = found.get() if hasattr(found, "get") else found
        results.case(f"convolution, {name}", float(abs(found - wanted).max() / abs(wanted).max()), 1e-5)


def check_median(results, ctx, image):
    found = medfilt.MedianFilter2D(image.shape, (5, 5), ctx=ctx).medfilt2d(image)
    wanted = ndimage.median_filter(image, 5, mode="nearest")
    results.case("median filter", float(abs(found - wanted).max()), 1e-6)


def check_statistics(results, ctx, image):
    # In two parts of numbers: nearly as exact as in double.
    found = statistics.Statistics(size=image.size, dtype=image.dtype, ctx=ctx)(image, comp=True)
    results.case("smallest and largest", float(abs(found.min - image.min()) + abs(found.max - image.max())), 0)
    results.case("mean", float(abs(found.mean - image.mean(dtype=np.float64))), 1e-6)
    results.case("deviation", float(abs(found.std - image.std(dtype=np.float64, ddof=1))), 1e-5)


def check_projection(results, ctx, image):
    # A disc: each line through its middle is as long as its diameter.
    angles = 40
    found = projection.Projection(image.shape, angles=angles, ctx=ctx)
    y, x = np.indices(image.shape)
    middle = (image.shape[0] - 1) / 2
    disc = ((x - middle) ** 2 + (y - middle) ** 2 < 50 ** 2).astype(np.float32)
    lines = found.projection(disc)
    results.case("projection of a disc", float(abs(lines.sum(axis=1) / disc.sum() - 1).max()), 0.01)
    results.case("its longest line", float(abs(lines.max(axis=1) - 100).max()), 2)


def main():
    context, _ = app.trefoil(cl)
    results = app.Results()
    image = np.random.RandomState(3).rand(192, 192).astype(np.float32)
    for check in (check_convolution, check_median, check_statistics, check_projection):
        check(results, context, image)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
