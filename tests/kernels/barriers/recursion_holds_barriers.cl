// SPDX-License-Identifier: MIT
// A function that calls itself waits for the group before the call and behind it: the
// frames of all work-items are kept.
// SKIP: unless platform Trefoil
// BUILD:
// RUN: halves global=128 local=32
// ARG: data int[128] = i
// EXPECT: data = i % 32 == 0 ? sum(k, i, i + 32, k) : it
// RUN: ladders global=64 local=16
// ARG: out int[64]
// EXPECT: out = sum(d, 1, 8, d * ((i + d) % 16)) + i % 16
// BUILD: options="-cl-std=CL3.0"
// RUN: uneven_groups global=40 local=16
// ARG: out int[40]
// EXPECT: out = (i / 16 == 2 ? 8 : 16) * (i / 16 + 1) + i % 16
void add_halves(local int *row, int n)
{
    const int i = get_local_id(0);
    if (n == 0)
        return;
    if (i < n)
        row[i] += row[i + n];
    barrier(CLK_LOCAL_MEM_FENCE);
    add_halves(row, n / 2);
}
kernel void halves(global int *data)
{
    local int row[32];
    const int i = get_local_id(0);
    row[i] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    add_halves(row, 16);
    data[get_global_id(0)] = row[i];
}

// What each work-item saw on its way down is used on its way up.
int ladder(local int *step, int depth)
{
    const int i = get_local_id(0);
    int seen, above;
    if (depth == 0)
        return i;
    step[i] = i * depth;
    barrier(CLK_LOCAL_MEM_FENCE);
    seen = step[(i + depth) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    above = ladder(step, depth - 1);
    step[i] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return above + seen + (step[i ^ 1] + 1);
}
kernel void ladders(global int *out)
{
    local int step[16];
    out[get_global_id(0)] = ladder(step, 7);
}

// Each group as deep as its number, the last one with fewer work-items.
int count(local int *sum, int depth)
{
    int below = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(sum);
    if (depth > 0)
        below = count(sum, depth - 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    return depth > 0 ? below : *sum;
}
kernel void uneven_groups(global int *out)
{
    local int sum;
    if (get_local_id(0) == 0)
        sum = 0;
    out[get_global_id(0)] = count(&sum, get_group_id(0)) + get_local_id(0);
}
