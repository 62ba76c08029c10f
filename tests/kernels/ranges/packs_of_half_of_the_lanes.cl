// SPDX-License-Identifier: MIT
// Means of 5x5 vectors: so many registers that packs of rows have half of the lanes that rows by
// themselves have. Columns that are no whole number of either, rows that disagree, ranges with offsets.
// RUN: mean global=67x9
// ARG: out float4[603] = -1
// ARG: in float4[603] = (i * 7 + j) % 64
// ARG: size int2 = {67, 9}
// ARG: skipped int = -1
// EXPECT: out = sum(k, 0, 25, ((min(max(i / 67 + k / 5 - 2, 0), 8) * 67 + min(max(i % 67 + k % 5 - 2, 0), 66)) * 7 + j) % 64)
// RUN: mean global=56x10 local=8x2
// ARG: out float4[560] = -1
// ARG: in float4[560] = (i * 5 + j) % 64
// ARG: size int2 = {56, 10}
// ARG: skipped int = 4
// EXPECT: out = i / 56 == 4 ? -1 : sum(k, 0, 25, ((min(max(i / 56 + k / 5 - 2, 0), 9) * 56 + min(max(i % 56 + k % 5 - 2, 0), 55)) * 5 + j) % 64)
// RUN: mean global=24x7
// ARG: out float4[168] = -1
// ARG: in float4[168] = (i * 3 + j) % 64
// ARG: size int2 = {24, 7}
// ARG: skipped int = 3
// EXPECT: out = i / 24 == 3 ? -1 : sum(k, 0, 25, ((min(max(i / 24 + k / 5 - 2, 0), 6) * 24 + min(max(i % 24 + k % 5 - 2, 0), 23)) * 3 + j) % 64)
kernel void mean(global float4 *out, global const float4 *in, int2 size, int skipped)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y == skipped)
        return;
    float4 sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += in[clamp(y + dy, 0, size.y - 1) * size.x + clamp(x + dx, 0, size.x - 1)];
    out[y * size.x + x] = sum;
}
