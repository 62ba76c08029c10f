// SPDX-License-Identifier: MIT
// RUN: scan global=64 local=32
// ARG: data int[128] = random(6, 0, 100)
// EXPECT: data = sum(k, i / 64 * 64, i, data[k])
kernel void scan(global int *data)
{
    local int t[64];
    int l = get_local_id(0), offset = 1;
    global int *mine = data + 64 * get_group_id(0);
    t[2 * l] = mine[2 * l];
    t[2 * l + 1] = mine[2 * l + 1];
    for (int d = 32; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            t[offset * (2 * l + 2) - 1] += t[offset * (2 * l + 1) - 1];
        offset *= 2;
    }
    if (l == 0)
        t[63] = 0;
    for (int d = 1; d < 64; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
            int x = t[a];
            t[a] = t[b];
            t[b] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[2 * l] = t[2 * l];
    mine[2 * l + 1] = t[2 * l + 1];
}
