#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tinygrad on its device CL: products, softmax, a convolution, sums, and a few steps of training, against NumPy."""
import os
import sys
import tempfile

import app

os.environ.update(DEV="CL", CL="1", CACHEDB=os.path.join(tempfile.mkdtemp(), "cache.db"))
np, tinygrad = app.modules("numpy", "tinygrad")


def convolve(image, kernel):
    high, wide = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    return sum(kernel[i, j] * image[i:i + high, j:j + wide] for i in range(kernel.shape[0]) for j in range(kernel.shape[1]))


def train(results, random):
    """Steps of descent of a linear model, whose gradient is known."""
    x, y = random.rand(64, 8).astype(np.float32), random.rand(64, 1).astype(np.float32)
    wanted = found = np.zeros((8, 1), np.float32)
    for _ in range(5):
        wanted = wanted - 0.1 * 2 * x.T @ (x @ wanted - y) / len(x)
        model = tinygrad.Tensor(found)
        loss = ((tinygrad.Tensor(x) @ model - tinygrad.Tensor(y)) ** 2).mean()
        found = (model - 0.1 * loss.gradient(model)[0]).numpy()
    results.case("five steps of training", float(abs(found - wanted).max()), 1e-5)


def main():
    if tinygrad.Device.DEFAULT != "CL":
        return app.skip(f"this tinygrad computes on {tinygrad.Device.DEFAULT}")
    results = app.Results()
    random = np.random.RandomState(2)
    a, b = random.rand(64, 96).astype(np.float32), random.rand(96, 80).astype(np.float32)
    image, kernel = random.rand(40, 50).astype(np.float32), random.rand(5, 5).astype(np.float32)
    tensor = tinygrad.Tensor
    results.case("product", float(abs((tensor(a) @ tensor(b)).numpy() - a @ b).max()), 1e-4)
    results.case("softmax", float(abs(tensor(a).softmax(1).numpy() - np.exp(a) / np.exp(a).sum(1, keepdims=True)).max()), 1e-6)
    results.case("sums", float(abs(tensor(a).sum(0).numpy() - a.sum(0)).max()), 1e-4)
    found = tensor(image[None, None]).conv2d(tensor(kernel[None, None])).numpy()[0, 0]
    results.case("convolution", float(abs(found - convolve(image, kernel)).max()), 1e-4)
    train(results, random)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
