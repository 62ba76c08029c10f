// SPDX-License-Identifier: MIT
// RUN: reduce global=1024 local=64
// ARG: in uint[1024] = i * i
// ARG: out uint[16]
// ARG: tile local uint[64]
// EXPECT: out = sum(k, 64 * i, 64 * i + 64, in[k])
// RUN: reduce global=1024 local=1
// ARG: in uint[1024] = i + 3
// ARG: out uint[1024]
// ARG: tile local uint[1]
// EXPECT: out = in[i]
kernel void reduce(global const uint *in, global uint *out, local uint *tile)
{
    size_t l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (l < half_size)
            tile[l] += tile[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = tile[0];
}
