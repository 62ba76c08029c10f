// SPDX-License-Identifier: MIT
// Some of the four numbers of vectors at places of each item's own, up to the last vector of the buffer, in loops that
// items leave one by one and under conditions.
// RUN: points global=37
// ARG: at uint[37] = i * 29 % 64
// ARG: count uint[37] = i * 7 % 11
// ARG: p float[256] = i * 0.5
// ARG: out float[37]
// EXPECT: out = sum(k, 0, count[i], p[4 * ((at[i] + 5 * k) % 64)] + 2 * p[4 * ((at[i] + 5 * k) % 64) + 1] - p[4 * ((at[i] + 5 * k) % 64) + 2])
kernel void points(global const uint *at, global const uint *count, global const float4 *p, global float *out)
{
    const uint i = get_global_id(0);
    float x = 0;
    for (uint k = 0; k < count[i]; k++) {
        const float3 q = p[(at[i] + 5 * k) % 64].xyz;
        x += q.x + 2 * q.y - q.z;
    }
    out[i] = x;
}

// RUN: pairs global=37
// ARG: at uint[37] = 63 - i % 5
// ARG: p int[256] = i * i
// ARG: out int[37]
// EXPECT: out = at[i] & 1 ? p[4 * at[i] + 3] - p[4 * at[i] + 1] : i
kernel void pairs(global const uint *at, global const int4 *p, global int *out)
{
    const int i = get_global_id(0);
    int x = i;
    if (at[i] & 1) {
        const int4 q = p[at[i]];
        x = q.w - q.y;
    }
    out[i] = x;
}

// A store between the loads of two components changes neither.
// RUN: stored global=32
// ARG: at uint[32] = i * 5 % 32
// ARG: p uint[128] = i * 3
// ARG: out uint[32]
// EXPECT: p = i % 4 == 2 ? 7 : i * 3
// EXPECT: out = 12 * at[i] + 12 * at[i] + 3 + 12 * at[i] + 6
kernel void stored(global const uint *at, global uint4 *p, global uint *out)
{
    const uint i = get_global_id(0);
    const uint4 q = p[at[i]];
    uint x = q.x;
    ((global uint *)p)[4 * at[i] + 2] = 7;
    x += q.y + q.z;
    out[i] = x;
}
