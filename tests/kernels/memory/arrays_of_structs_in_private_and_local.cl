// SPDX-License-Identifier: MIT
struct cell {
    short key;
    float value;
};
// RUN: run global=32 local=8
// ARG: out float[32]
// EXPECT: out = (7 - i % 8) + (7 - i % 8) * 0.5 + sum(k, 0, 4, k * (i + 1))
kernel void run(global float *out)
{
    local struct cell shared[8];
    struct cell own[4];
    int l = get_local_id(0), g = get_global_id(0);
    for (int k = 0; k < 4; k++)
        own[k] = (struct cell){(short)k, g + 1};
    shared[l].key = l;
    shared[l].value = l * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct cell other = shared[7 - l];
    float sum = other.key + other.value;
    for (int k = 0; k < 4; k++)
        sum += own[k].key * own[k].value;
    out[g] = sum;
}
