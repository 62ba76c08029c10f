// SPDX-License-Identifier: MIT
// A product of matrices by tiles: each work-item has sums of 2 x 2 numbers in an array,
// and an array of what it multiplies, that loops of a fixed count index.
// RUN: product global=8x8 local=4x4
// ARG: c int[256] = -1
// ARG: a int[256] = i % 16 + 1
// ARG: b int[256] = i / 16 + 1
// ARG: tiles int = 2
// EXPECT: c = 1496
// RUN: product global=8x8 local=4x4
// ARG: c int[256] = -1
// ARG: a int[256] = i / 16
// ARG: b int[256] = i % 16
// ARG: tiles int = 1
// EXPECT: c = 8 * (i / 16) * (i % 16)

kernel void product(global int *c, global const int *a, global const int *b, int tiles)
{
    local int left[8][9], right[8][9];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * 8, row = get_group_id(1) * 8;
    int sums[4], of_left[2], of_right[2];

    for (int i = 0; i < 4; i++)
        sums[i] = 0;
    for (int t = 0; t < tiles; t++) {
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 2; k++) {
                left[2 * y + i][2 * x + k] = a[(row + 2 * y + i) * 16 + 8 * t + 2 * x + k];
                right[2 * y + i][2 * x + k] = b[(8 * t + 2 * y + i) * 16 + column + 2 * x + k];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++) {
            for (int i = 0; i < 2; i++) {
                of_left[i] = left[2 * y + i][k];
                of_right[i] = right[k][2 * x + i];
            }
            for (int i = 0; i < 4; i++)
                sums[i] += of_left[i / 2] * of_right[i % 2];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 4; i++)
        c[(row + 2 * y + i / 2) * 16 + column + 2 * x + i % 2] = sums[i];
}
