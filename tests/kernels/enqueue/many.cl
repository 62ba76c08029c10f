// SPDX-License-Identifier: MIT
// Many launches alike, which a thread runs one after another, with others between them:
// of other sizes, of other blocks, with local memory, with more groups, and such as
// enqueue in their turn, now or when their group or their kernel has ended.
// SKIP: unless platform Trefoil
// BUILD: options="-cl-std=CL3.0"
// RUN: alike global=1
// ARG: out int[3000] = 0
// EXPECT: out = 3 * i + 1
// RUN: mixed global=4
// ARG: out int[2400] = 0
// EXPECT: out = i % 6 < 2 ? i : i % 6 == 2 ? 2 * i + 1 : i % 6 == 3 ? i + 6 : i % 6 == 4 ? 5 : i + 1
// RUN: tree global=1
// ARG: out int[1] = 0
// EXPECT: out = 4095
// RUN: chain global=1
// ARG: out int[3] = 0
// EXPECT: out = 2000
kernel void alike(global int *out)
{
    for (int i = 0; i < 3000; i++)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                       ^{ out[i] = 3 * i + get_global_size(0); });
}
void sum(global int *out, local int *items, int i)
{
    items[get_local_id(0)] = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[i] = i + items[0] + items[1] + items[2] + items[3];
}
kernel void mixed(global int *out)
{
    const queue_t q = get_default_queue();

    for (int i = get_global_id(0) * 600; i < (int)(get_global_id(0) + 1) * 600; i++) {
        if (i % 6 < 2)
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[i] = i; });
        else if (i % 6 == 2)
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(i, 1, 1),
                           ^{ out[i] = i + get_global_id(0) + 1; });
        else if (i % 6 == 3)
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 4),
                           ^(local void *items) { sum(out, items, i); }, 4 * sizeof(int));
        else if (i % 6 == 4)
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(5, 1),
                           ^{ atomic_inc(out + i); });
        else
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2, 1), ^{
                if (get_global_id(0) == 1)
                    out[i] = i + get_group_id(0);
            });
    }
}
void branch(global int *out, int depth)
{
    atomic_inc(out);
    for (int side = 0; side < 2 && depth > 0; side++)
        enqueue_kernel(get_default_queue(),
                       side ? CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP : CLK_ENQUEUE_FLAGS_NO_WAIT,
                       ndrange_1D(1), ^{ branch(out, depth - 1); });
}
kernel void tree(global int *out)
{
    branch(out, 11);
}
// One after another in three places at the same time.
void link(global int *out, int left)
{
    *out += 1;
    if (left > 1)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                       ^{ link(out, left - 1); });
}
kernel void chain(global int *out)
{
    for (int i = 0; i < 3; i++)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                       ^{ link(out + i, 2000); });
}
