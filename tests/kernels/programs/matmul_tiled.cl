// SPDX-License-Identifier: MIT
// RUN: matmul global=32x32 local=8x8
// ARG: a int[1024] = random(7, -9, 9)
// ARG: b int[1024] = random(8, -9, 9)
// ARG: c int[1024]
// ARG: n int = 32
// EXPECT: c = sum(k, 0, 32, a[i / 32 * 32 + k] * b[k * 32 + i % 32])
#define TILE 8
kernel void matmul(global const int *a, global const int *b, global int *c, int n)
{
    local int ta[TILE][TILE], tb[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    int sum = 0;
    for (int t = 0; t < n / TILE; t++) {
        ta[ly][lx] = a[y * n + t * TILE + lx];
        tb[ly][lx] = b[(t * TILE + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
