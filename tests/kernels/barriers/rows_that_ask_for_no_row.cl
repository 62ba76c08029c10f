// SPDX-License-Identifier: MIT
// Groups of several rows and planes of a kernel that asks for no id but its first: each
// work-item counts, in rows of whole gangs and in others, also where a size is demanded.
// RUN: count global=64x6 local=32x3
// ARG: out uint[2] = 0
// EXPECT: out = 90576
// RUN: count global=64x1x4 local=64x1x2
// ARG: out uint[1] = 0
// EXPECT: out = 40512
// RUN: count global=40x4x2 local=20x2x2
// ARG: out uint[2] = 0
// EXPECT: out = 160640
// RUN: count global=128 local=64
// ARG: out uint[2] = 0
// EXPECT: out = 5064
// RUN: demanded global=64x4 local=32x2
// ARG: out uint[2] = 0
// EXPECT: out = 40256
void count_items(global uint *out, local uint *items, local uint *first)
{
    uint l = get_local_id(0);
    if (l == 0)
        *items = *first = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(items);
    if (l < 5)
        atomic_inc(first);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        atomic_add(&out[get_group_id(0)], *items + 1000 * *first);
}

kernel void count(global uint *out)
{
    local uint items, first;
    count_items(out, &items, &first);
}

kernel __attribute__((reqd_work_group_size(32, 2, 1))) void demanded(global uint *out)
{
    local uint items, first;
    count_items(out, &items, &first);
}
