// SPDX-License-Identifier: MIT
// Scalars, vectors, arrays and structs of each work-item.
struct state {
    float4 v;
    int n;
};
// RUN: keep global=32 local=8
// ARG: out float[32]
// EXPECT: out = i * 3 + (i + 1) + (i + 2) + (i % 8) * 2.5 + sum(k, 0, 6, k * i) + (i % 8 + 1) % 8
kernel void keep(global float *out)
{
    local int tile[8];
    int id = get_global_id(0), lid = get_local_id(0);
    struct state s = {(float4)(id, id + 1, id + 2, lid * 2.5f), 2 * id};
    int a[6];
    for (int k = 0; k < 6; k++)
        a[k] = k * id;
    tile[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = s.v.x + s.v.y + s.v.z + s.v.w + s.n;
    for (int k = 0; k < 6; k++)
        sum += a[k];
    out[id] = sum + tile[(lid + 1) % 8];
}
