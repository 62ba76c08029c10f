// SPDX-License-Identifier: MIT
// Rows and columns made of one number: items of a gang lie in several rows, and nearly all of them inside.
// RUN: neighbours global=1024
// ARG: in int[1024] = i * 7 % 1009
// ARG: out int[1024]
// EXPECT: out = (i % 16 > 0 ? in[i - 1] : 0) + (i % 16 < 15 ? in[i + 1] : 0) + (i / 16 > 0 ? in[i - 16] : 0) + (i / 16 < 63 ? in[i + 16] : 0)
kernel void neighbours(global const int *in, global int *out)
{
    const int i = get_global_id(0), x = i & 15, y = i >> 4;
    int sum = 0;
    if (x - 1 >= 0)
        sum += in[i - 1];
    if (x + 1 < 16)
        sum += in[i + 1];
    if (y - 1 >= 0)
        sum += in[i - 16];
    if (y + 1 < 64)
        sum += in[i + 16];
    out[i] = sum;
}

// Cells of four items each.
// RUN: cells global=256
// ARG: in int[64] = i * i
// ARG: out int[256]
// EXPECT: out = sum(k, 0, 3, sum(j, 0, 3, i / 4 % 8 + j - 1 >= 0 && i / 4 % 8 + j - 1 < 8 && i / 32 + k - 1 >= 0 && i / 32 + k - 1 < 8 ? in[(i / 32 + k - 1) * 8 + i / 4 % 8 + j - 1] : 0))
kernel void cells(global const int *in, global int *out)
{
    const int i = get_global_id(0), c = i >> 2, x = c & 7, y = c >> 3;
    int sum = 0;
    for (int v = max(y - 1, 0); v <= min(y + 1, 7); v++) {
        for (int u = max(x - 1, 0); u <= min(x + 1, 7); u++)
            sum += in[v * 8 + u];
    }
    out[i] = sum;
}
