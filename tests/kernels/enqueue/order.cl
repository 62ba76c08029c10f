// SPDX-License-Identifier: MIT
// When children begin: after their parent's groups, after their own group; what comes
// SKIP: unless platform Trefoil
// after the parent's command sees all of them.
// BUILD: options="-cl-std=CL3.0"
// RUN: after_kernel global=256 local=8
// ARG: out int[257] = 0
// EXPECT: out = i == 256 ? 256 : 1
// RUN: after_group global=64 local=8
// ARG: out int[72] = 0
// EXPECT: out = i < 64 ? i % 8 + 1 : 36
// RUN: chain global=1
// ARG: out int[1000] = 0
// EXPECT: out = i + 1
// RUN: tree global=1
// ARG: out int[1] = 0
// EXPECT: out = 1023
kernel void after_kernel(global int *out)
{
    out[get_global_id(0)] = 1;
    if (get_global_id(0) == 100)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                       ^{
                           int sum = 0;
                           for (int i = 0; i < 256; i++)
                               sum += out[i];
                           out[256] = sum;
                       });
}
kernel void after_group(global int *out)
{
    const size_t first = get_group_id(0) * 8;

    if (get_local_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP,
                       ndrange_1D(1), ^{
                           int sum = 0;
                           for (int i = 0; i < 8; i++)
                               sum += out[first + i];
                           out[64 + first / 8] = sum;
                       });
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = get_local_id(0) + 1;
}
// Each step is enqueued by the one before it, and reads what that wrote.
void step(global int *out, int i)
{
    out[i] = i == 0 ? 1 : out[i - 1] + 1;
    if (i < 999)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                       ^{ step(out, i + 1); });
}
kernel void chain(global int *out)
{
    step(out, 0);
}
void branch(global int *out, int depth)
{
    atomic_inc(out);
    for (int i = 0; i < 2 && depth > 1; i++)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                       ^{ branch(out, depth - 1); });
}
kernel void tree(global int *out)
{
    branch(out, 10);
}
