#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""loopy: a product of matrices in work-groups and sums of squares, as it writes them for OpenCL, against
NumPy."""
import sys

import app

cl, np, lp = app.modules("pyopencl", "numpy", "loopy")
app.modules("pyopencl.array")
(islpy,) = app.modules("islpy")
if not hasattr(islpy.Aff, "is_equal"):
    app.skip(f"islpy {islpy.version.VERSION_TEXT} has no Aff.is_equal, which loopy {lp.version.VERSION_TEXT} calls: islpy 2025.2.5 has it")


def outer():
    knl = lp.make_kernel("{[i,j,k]: 0<=i,j,k<n}", "c[i,j] = sum(k, a[i,k]*b[k,j])", lang_version=(2018, 2))
    knl = lp.add_dtypes(knl, {"a": np.float32, "b": np.float32})
    knl = lp.split_iname(knl, "i", 16, outer_tag="g.0", inner_tag="l.1")
    knl = lp.split_iname(knl, "j", 16, outer_tag="g.1", inner_tag="l.0")
    return lp.split_iname(knl, "k", 16)


def total():
    knl = lp.make_kernel("{[i,j]: 0<=i<n and 0<=j<m}", "out[i] = sum(j, x[i,j]**2)", lang_version=(2018, 2))
    knl = lp.add_dtypes(knl, {"x": np.float64})
    return lp.split_iname(knl, "i", 64, outer_tag="g.0", inner_tag="l.0")


def main():
    context, queue = app.trefoil(cl)
    results, random = app.Results(), np.random.RandomState(1)

    def device(array):
        return cl.array.to_device(queue, array)

    for n in (16, 48, 100):
        a, b = (random.rand(n, n).astype(np.float32) for _ in range(2))
        _, (c,) = outer().executor(context)(queue, a=device(a), b=device(b))
        results.case(f"product {n}", float(abs(c.get() - a @ b).max()), 1e-6 * n)
        x = random.rand(n, 33)
        _, (out,) = total().executor(context)(queue, x=device(x))
        results.case(f"sums of squares {n}", float(abs(out.get() - (x**2).sum(axis=1)).max()), 1e-12)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
