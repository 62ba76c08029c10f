// SPDX-License-Identifier: MIT
struct entry {
    char letter;
    int value;
};
constant int table[8] = {1, -2, 3, -4, 5, -6, 7, -8};
constant struct entry entries[3] = {{'a', 100}, {'b', 200}, {'c', 300}};
constant float4 weights = (float4)(0.25f, 0.5f, 0.75f, 1.0f);
// RUN: lookup global=24
// ARG: out float[24]
// EXPECT: out = (i % 2 ? -1 : 1) * (i % 8 + 1) + (i % 3 + 1) * 100 + 97 + i % 3 + (i % 4 + 1) * 0.25
kernel void lookup(global float *out)
{
    size_t i = get_global_id(0);
    float w[4];
    vstore4(weights, 0, w);
    out[i] = table[i % 8] + entries[i % 3].value + entries[i % 3].letter + w[i % 4];
}
