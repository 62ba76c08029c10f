// SPDX-License-Identifier: MIT
// pocl/pocl#1747 and #1794: a reduction whose loop has a barrier at its head and, on the ways
// that only some work-items take, checks of indices with an exit that nobody takes. Accesses
// went out of bounds, and the check behind the barrier was taken for that of another item.
// RUN: all_true global=40 local=8
// ARG: in int[40] = i % 40 != 19 && i != 33
// ARG: n int = 40
// ARG: out int[5] = -1
// ARG: failed int[1] = 0
// EXPECT: out = {1, 1, 0, 1, 0}
// EXPECT: failed = 0
// RUN: all_true global=28 local=7
// ARG: in int[28] = i != 27
// ARG: n int = 25
// ARG: out int[4] = -1
// ARG: failed int[1] = 0
// EXPECT: out = 1
// EXPECT: failed = 0
// RUN: all_true global=28 local=7
// ARG: in int[28] = i != 24
// ARG: n int = 25
// ARG: out int[4] = -1
// ARG: failed int[1] = 0
// EXPECT: out = {1, 1, 1, 0}
// EXPECT: failed = 0
void fail(global int *failed)
{
    *failed = 1;
    while (true) {
    }
}

int checked(local const int *data, int index, int count, global int *failed)
{
    if (index < 1 || index > count) {
        fail(failed);
        __builtin_unreachable();
    }
    return data[index - 1];
}

kernel void all_true(global const int *in, int n, global int *out, global int *failed)
{
    local int shared_values[8];
    int items = get_local_size(0), item = get_local_id(0) + 1, gid = get_global_id(0);
    int value = gid < n ? in[gid] : 1;
    if (item > items)
        fail(failed);
    shared_values[item - 1] = value;
    for (int d = 1; d < items; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int index = 2 * d * (item - 1) + 1;
        if (index <= items) {
            int other = 1;
            if (index + d <= items)
                other = checked(shared_values, index + d, items, failed);
            shared_values[index - 1] = checked(shared_values, index, items, failed) & other;
        }
    }
    if (item == 1)
        out[get_group_id(0)] = shared_values[0];
}
