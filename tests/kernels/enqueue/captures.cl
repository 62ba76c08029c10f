// SPDX-License-Identifier: MIT
// What a block captures is as it was when it was enqueued, for each work-item: scalars,
// SKIP: unless platform Trefoil
// vectors, structures, types of every alignment, pointers, and nothing at all.
// BUILD: options="-cl-std=CL3.0"
// RUN: scalars global=37
// ARG: out int[37] = 0
// EXPECT: out = i * 1000 + (i % 7) * 10 + (i & 1 ? 1 : 2)
// RUN: wide global=9
// ARG: out float[9] = 0
// EXPECT: out = i + 15 + 100 * (i + 1) + 7
// RUN: structure global=5
// ARG: out int[5] = 0
// EXPECT: out = i + 2 * i + 3
// RUN: nothing global=3 local=1
// ARG: out int[1] = 0
// EXPECT: out = 3
// RUN: changed global=4
// ARG: out int[12] = 0
// EXPECT: out = i % 3 + 1
// RUN: alone global=1
// ARG: out int[4] = 0
// EXPECT: out = i * i
kernel void scalars(global int *out)
{
    const int i = get_global_id(0);
    char c = i % 7;
    short s = 1000;
    long l = i;
    bool odd = i & 1;

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                   ^{ out[l] = (int)l * s + c * 10 + (odd ? 1 : 2); });
}
kernel void wide(global float *out)
{
    const int i = get_global_id(0);
    float16 sixteen = (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + i;
    char3 three = (char3)(3, 4, i);
    long16 longs = (long16)(i + 1);

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        out[three.z] = sixteen.sf + 100 * longs.sf + three.x + three.y;
    });
}
struct pair {
    int a;
    struct {
        char gap;
        int b[3];
    } in;
};
kernel void structure(global int *out)
{
    struct pair p;

    p.a = get_global_id(0);
    p.in.b[1] = 2 * p.a;
    p.in.b[2] = 3;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                   ^{ out[p.a] = p.a + p.in.b[1] + p.in.b[2]; });
}
global int counter;
global int *where;
kernel void nothing(global int *out)
{
    where = out;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                   ^{ atomic_inc(where); });
}
kernel void changed(global int *out)
{
    const int i = get_global_id(0);
    int x = 1;

    for (int k = 0; k < 3; k++) {
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                       ^{ out[3 * i + k] = x; });
        x++;
    }
}
kernel void alone(global int *out)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
        size_t i = get_global_id(0);
        out[i] = i * i;
    });
}
