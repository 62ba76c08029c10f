// SPDX-License-Identifier: MIT
// cl_khr_extended_async_copies: rectangles and boxes of elements of any size.
// SKIP: unless extension cl_khr_extended_async_copies
// RUN: rectangle global=8 local=8
// ARG: in uchar[600] = i % 251
// ARG: out uchar[600] = 255
// EXPECT: out = i < 30 || (i - 30) / 3 % 12 >= 5 || (i - 30) / 36 >= 7 ? 255 : in[6 + (i - 30) / 36 * 60 + (i - 30) % 36]
// RUN: box global=16 local=16
// ARG: in int[720] = i
// ARG: out int[720] = -1
// EXPECT: out = i % 90 % 9 < 4 && i % 90 / 9 < 3 && i / 90 < 5 ? i / 90 * 120 + i % 90 / 9 * 10 + i % 90 % 9 + 7 : -1
kernel void rectangle(global const uchar *in, global uchar *out)
{
    local uchar part[3 * 7 * 8];
    event_t e = async_work_group_copy_2D2D(part, 1, in, 2, 3, 5, 7, 20, 8 - 1, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
    wait_group_events(1, &e);
    e = async_work_group_copy_2D2D(out, 10, part, 1, 3, 5, 7, 8 - 1, 12, 0);
    wait_group_events(1, &e);
}

kernel void box(global const int *in, global int *out)
{
    local int part[4 * 3 * 5];
    event_t e = async_work_group_copy_3D3D(part, 0, in, 7, sizeof(int), 4, 3, 5, 10, 120, 4, 12, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy_3D3D(out, 0, part, 0, sizeof(int), 4, 3, 5, 4, 12, 9, 90, 0);
    wait_group_events(1, &e);
}
