// SPDX-License-Identifier: MIT
// pocl/pocl#458: the barriers of wait_group_events in an `if` in a loop.
// RUN: blocks global=32 local=16
// ARG: in int[256] = i
// ARG: out int[32]
// ARG: n int = 8
// EXPECT: out = sum(k, 0, n, k % 2 ? in[k * 32 + (i / 16) * 16 + (i + k) % 16] : 0)
kernel void blocks(global const int *in, global int *out, int n)
{
    local int tile[16];
    int lid = get_local_id(0), sum = 0;
    for (int k = 0; k < n; k++) {
        if (k % 2 == 1) {
            event_t e = async_work_group_copy(
                tile, in + k * 32 + get_group_id(0) * 16, (size_t)16, (event_t)0);
            wait_group_events(1, &e);
            sum += tile[(lid + k) % 16];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[get_global_id(0)] = sum;
}
