// SPDX-License-Identifier: MIT
// Queues as arguments, captured, and passed on; questions about blocks; blocks that are
// SKIP: unless platform Trefoil
// called, nested blocks, printf in a child.
// BUILD: options="-cl-std=CL3.0"
// RUN: given global=4
// ARG: out int[4] = 0
// ARG: q queue
// EXPECT: out = 3 * i + 1
// RUN: sizes global=1
// ARG: out uint[5] = 0
// EXPECT: out[0] where it >= 1
// EXPECT: out[1] where it >= 1
// EXPECT: out[2] where it >= 1
// EXPECT: out[3] where it >= 1
// EXPECT: out[4] where it >= 1
// RUN: called global=8
// ARG: out int[16] = 0
// EXPECT: out = i < 8 ? i + 5 : 2 * (i - 8) + 5
// RUN: prints global=2 local=1
// OUTPUT: times=2 "child of 9"
void further(queue_t q, global int *out, int i)
{
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                       ^{ out[i] = 3 * i + 1; });
    });
}
kernel void given(global int *out, queue_t q)
{
    further(q, out, get_global_id(0));
}
kernel void sizes(global uint *out)
{
    void (^plain)(void) = ^{ out[0] = 0; };
    void (^with)(local void *) = ^(local void *m) { *(local int *)m = out[0]; };
    ndrange_t range = ndrange_1D(64, 64);

    out[0] = get_kernel_work_group_size(plain);
    out[1] = get_kernel_preferred_work_group_size_multiple(plain);
    out[2] = get_kernel_work_group_size(with);
    out[3] = get_kernel_sub_group_count_for_ndrange(range, plain);
    out[4] = get_kernel_max_sub_group_size_for_ndrange(range, plain);
}
kernel void called(global int *out)
{
    const int i = get_global_id(0), five = 5;
    int (^add)(int) = ^(int x) { return x + five; };

    out[i] = add(i);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        int (^twice)(int) = ^(int x) { return 2 * x + five; };
        out[8 + i] = twice(i);
    });
}
kernel void prints(void)
{
    int nine = 9;

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                   ^{ printf("child of %d\n", nine); });
}
