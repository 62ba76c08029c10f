// SPDX-License-Identifier: MIT
// What OpenCL C has beside C, in C++: atomics, images and samplers, collective functions,
// vectors, address spaces of methods, literals in kernels' attributes.
// SKIP: unless extension cl_ext_cxx_for_opencl
// BUILD: options="-cl-std=CLC++2021"
// RUN: run global=8 local=8
// ARG: picture image 2d RGBA UNORM_INT8 8x1 uchar4[8] = i + 10 * j
// ARG: counter uint[1] = 5
// ARG: out uint[8]
// EXPECT: counter = 5 + 28
// EXPECT: out = i + 20 + 28 + 8 + 36 + 3 * i
// BUILD: options="-cl-std=CLC++"
// RUN: run global=8 local=8
// ARG: picture image 2d RGBA UNORM_INT8 8x1 uchar4[8] = i + 10 * j
// ARG: counter uint[1] = 5
// ARG: out uint[8]
// EXPECT: counter = 5 + 28
// EXPECT: out = i + 20 + 28 + 8 + 36 + 3 * i
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

struct texel {
    float4 value;
    explicit texel(read_only image2d_t image, int x)
        : value(read_imagef(image, nearest, (int2)(x, 0)))
    {
    }
    uint channel(int c) const { return convert_uint_rte(value[c] * 255.0f); }
};

class tally
{
    int here;

  public:
    tally() : here(0) { }
    void add(int n) __local { atomic_fetch_add((local atomic_int *)&here, n); }
    void add(int n) { here += n; }
    int get() const __local { return here; }
    int get() const { return here; }
};

kernel __attribute__((reqd_work_group_size(8, 1, 1))) void
run(read_only image2d_t picture, global atomic_uint *counter, global uint *out)
{
    const uint i = get_global_id(0);
    local tally shared;
    tally mine;
    const int ones[] = {1, 1, 1};

    if (i == 0)
        *(local int *)&shared = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    shared.add(i + 1);
    for (int n : ones)
        mine.add(n * i);
    atomic_fetch_add_explicit(counter, i, memory_order_relaxed, memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = texel(picture, i).channel(2) + work_group_reduce_add(i) +
             uint(work_group_all(i < 8) != 0) * 8 + shared.get() + mine.get();
}
