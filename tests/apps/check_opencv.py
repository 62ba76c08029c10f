#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs functions of OpenCV on a UMat, that is with OpenCL, and on arrays without; compares them.

    check_opencv.py          exit status 77: no OpenCV with OpenCL here
"""
import os
import sys

SKIP = 77
SYSTEM_PYTHON = "/usr/bin/python3"  # Debian's modules are not those of any Python
try:
    import cv2
    import numpy as np
except ImportError:
    if os.path.exists(SYSTEM_PYTHON) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, __file__])
    print("no OpenCV")
    sys.exit(SKIP)

WIDTH, HEIGHT = 323, 241


def cases():
    """name, function of (color, gray, float), greatest difference: of numbers of 8 and 16 bits as they
    are, of others as a part of the largest."""
    turn = cv2.getRotationMatrix2D((160, 120), 17, 0.8)
    view = np.array([[1, .1, 3], [.05, 1, 2], [1e-4, 2e-4, 1]], np.float32)
    weights = np.random.RandomState(2).rand(7, 7).astype(np.float32) / 20
    square = np.ones((5, 5), np.uint8)
    size = (701, 503)
    return (
        ("resize, linear", lambda c, g, f: cv2.resize(c, size, interpolation=cv2.INTER_LINEAR), 1),
        ("resize, linear, float", lambda c, g, f: cv2.resize(f, size, interpolation=cv2.INTER_LINEAR), 1e-5),
        ("resize, nearest", lambda c, g, f: cv2.resize(g, (211, 99), interpolation=cv2.INTER_NEAREST), 0),
        ("resize, area", lambda c, g, f: cv2.resize(c, (100, 80), interpolation=cv2.INTER_AREA), 1),
        ("affine", lambda c, g, f: cv2.warpAffine(c, turn, (WIDTH, HEIGHT)), 8),
        ("perspective", lambda c, g, f: cv2.warpPerspective(c, view, (WIDTH, HEIGHT)), 2),
        ("gauss", lambda c, g, f: cv2.GaussianBlur(c, (9, 9), 2.1), 1),
        ("sobel", lambda c, g, f: cv2.Sobel(g, cv2.CV_16S, 1, 0), 0),
        ("laplace", lambda c, g, f: cv2.Laplacian(g, cv2.CV_16S, ksize=3), 0),
        ("filter", lambda c, g, f: cv2.filter2D(f, -1, weights), 1e-5),
        ("bilateral", lambda c, g, f: cv2.bilateralFilter(g, 7, 30, 5), 2),
        ("median", lambda c, g, f: cv2.medianBlur(c, 5), 0),
        ("erode", lambda c, g, f: cv2.erode(c, square), 0),
        ("hsv", lambda c, g, f: cv2.cvtColor(c, cv2.COLOR_BGR2HSV), 1),
        ("lab", lambda c, g, f: cv2.cvtColor(c, cv2.COLOR_BGR2Lab), 1),
        ("threshold", lambda c, g, f: cv2.threshold(g, 99, 255, cv2.THRESH_BINARY)[1], 0),
        ("histogram", lambda c, g, f: cv2.equalizeHist(g), 0),
        ("pyramid", lambda c, g, f: cv2.pyrUp(cv2.pyrDown(c)), 2),
        ("integral", lambda c, g, f: cv2.integral(g), 0),
        ("fourier", lambda c, g, f: cv2.dft(f), 1e-5),
        ("flip", lambda c, g, f: cv2.flip(c, 1), 0),
        ("exponent", lambda c, g, f: cv2.exp(f), 1e-5),
        ("corners", lambda c, g, f: cv2.cornerHarris(f, 3, 3, 0.04), 1e-4),
        ("flow", flow, 0.01),  # reads images with a sampler
    )


def flow(_color, gray, _float):
    """Where points of a picture are in another, which is moved by two pixels."""
    plain = gray.get() if isinstance(gray, cv2.UMat) else gray
    points, moved = cv2.goodFeaturesToTrack(plain, 50, 0.01, 10), np.roll(plain, 2, 1)
    if isinstance(gray, cv2.UMat):
        points, moved = cv2.UMat(points), cv2.UMat(moved)
    return cv2.calcOpticalFlowPyrLK(gray, moved, points, None, winSize=(21, 21), maxLevel=2)[0]


def difference(found, expected):
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return float("inf")
    worst = np.abs(found.astype(np.float64) - expected.astype(np.float64)).max()
    return worst / np.abs(expected).max() if expected.dtype.kind == "f" else worst


def main():
    cv2.ocl.setUseOpenCL(True)
    if not cv2.ocl.haveOpenCL() or not cv2.ocl.useOpenCL():
        print("OpenCV finds no OpenCL")
        return SKIP
    device = cv2.ocl.Device.getDefault()
    if "Trefoil" not in device.version() or not device.imageSupport():
        print(f"OpenCV uses {device.version()}, images: {device.imageSupport()}")
        return 1
    noise = np.random.RandomState(1).randint(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    color = cv2.GaussianBlur(noise, (5, 5), 2)
    gray = cv2.cvtColor(color, cv2.COLOR_BGR2GRAY)
    pictures = color, gray, gray.astype(np.float32) / 255
    faults = 0
    for name, function, most in cases():
        found = difference(function(*map(cv2.UMat, pictures)).get(), function(*pictures))
        print(f"{name}: differs by {found:.3g}, at most {most} may be")
        faults += not found <= most
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
