// SPDX-License-Identifier: MIT
// Index spaces of children: dimensions, offsets, local sizes, ragged ends, none at all,
// SKIP: unless platform Trefoil
// and those that are no range.
// BUILD: options="-cl-std=CL3.0"
// RUN: one global=1
// ARG: out int[40] = 0
// EXPECT: out = i < 3 ? 0 : i < 33 ? i : 10
// RUN: two global=1
// ARG: out int[24] = 0
// EXPECT: out = (i % 6 + 1) * 100 + i / 6 + 2
// RUN: three global=1
// ARG: out int[60] = 0
// EXPECT: out = i % 5 + 10 * (i / 5 % 4) + 100 * (i / 20)
// RUN: large global=1
// ARG: out int[100000] = 0
// EXPECT: out = i ^ 5
// RUN: wrong global=1
// ARG: out int[8] = 0
// EXPECT: out[0..4] where it < 0
// EXPECT: out[5] = 0
kernel void one(global int *out)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3, 30, 10),
                   ^{ out[get_global_id(0)] = get_global_id(0); });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(7, 10),
                   ^{ out[33 + get_global_id(0)] = get_enqueued_local_size(0); });
}
kernel void two(global int *out)
{
    size_t offset[2] = {1, 2}, size[2] = {6, 4}, local_size[2] = {3, 2};

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,
                   ndrange_2D(offset, size, local_size), ^{
                       size_t x = get_global_id(0), y = get_global_id(1);
                       out[6 * (y - 2) + x - 1] = x * 100 + y;
                   });
}
kernel void three(global int *out)
{
    size_t size[3] = {5, 4, 3};

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(size), ^{
        size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        out[x + 5 * y + 20 * z] = x + 10 * y + 100 * z;
    });
}
kernel void large(global int *out)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100000),
                   ^{ out[get_global_id(0)] = get_global_id(0) ^ 5; });
}
kernel void wrong(global int *out)
{
    void (^nothing)(void) = ^{ out[0] = 1; };
    size_t much = ~(size_t)0, size[2] = {8, 8}, zero[2] = {4, 0};
    ndrange_t none = ndrange_1D(1);

    none.workDimension = 4;
    out[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(8, much), nothing);
    out[1] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(much, 8, 8), nothing);
    out[2] = enqueue_kernel(get_default_queue(), 0, ndrange_2D(size, zero), nothing);
    out[3] = enqueue_kernel(get_default_queue(), 0, none, nothing);
    out[4] = enqueue_kernel(get_default_queue(), 77, ndrange_1D(1), nothing);
    out[5] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(0), nothing);
}
