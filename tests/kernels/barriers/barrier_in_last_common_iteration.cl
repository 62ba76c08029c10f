// SPDX-License-Identifier: MIT
// The loop leaves work-items behind only after the barrier.
// RUN: leave global=32 local=8
// ARG: out int[32]
// EXPECT: out = (i % 8 + 3) * 10 + (i + 1) % 8
kernel void leave(global int *out)
{
    local int tile[8];
    int lid = get_local_id(0), seen = -1, n = 0;
    for (;; n++) {
        if (n == 2) {
            tile[lid] = lid;
            barrier(CLK_LOCAL_MEM_FENCE);
            seen = tile[(lid + 1) % 8];
        }
        if (n == lid + 2)
            break;
    }
    out[get_global_id(0)] = (n + 1) * 10 + seen;
}
