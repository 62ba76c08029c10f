// SPDX-License-Identifier: MIT
// pocl/pocl#446: a large kernel of many phases with barriers and many values that live
// through all of them was wrong, smaller ones were right.
// RUN: phases global=60 local=20
// ARG: in int[60] = i * i % 97
// ARG: out int4[60]
// EXPECT: out = {in[i / 20 * 20 + (i % 20 + 64 * 63 / 2) % 20] + 64 * 63 / 2, 2 * in[i] + 64 * (i % 20), sum(k, 0, 64, i % 20 > k % 20 ? 1 : 0) + in[i], 3 * i + sum(k, 0, 64, k % 3 * i), ...}
#define PHASE(k)                                                                         \
    tile[lid] = moved;                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);                                                        \
    moved = tile[(lid + (k)) % 20] + (k);                                                \
    if (lid > (k) % 20)                                                                  \
        larger++;                                                                        \
    kept += lid;                                                                         \
    for (int n = 0; n < (k) % 3; n++)                                                    \
        rounds += gid;                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);
#define PHASES_4(k) PHASE(k) PHASE(k + 1) PHASE(k + 2) PHASE(k + 3)
#define PHASES_16(k) PHASES_4(k) PHASES_4(k + 4) PHASES_4(k + 8) PHASES_4(k + 12)

kernel void phases(global const int *in, global int4 *out)
{
    local int tile[20];
    int lid = get_local_id(0), gid = get_global_id(0);
    int moved = in[gid], kept = 2 * moved, larger = moved, rounds = 3 * gid;
    PHASES_16(0)
    PHASES_16(16)
    PHASES_16(32)
    PHASES_16(48)
    out[gid] = (int4)(moved, kept, larger, rounds);
}
