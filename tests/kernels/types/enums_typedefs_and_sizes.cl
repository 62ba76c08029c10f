// SPDX-License-Identifier: MIT
enum colour { red = 3, green, blue = 10 };
typedef struct {
    enum colour c;
    bool flags[2];
} cell;
// RUN: run global=1
// ARG: out int[8]
// EXPECT: out = {4, 10, 8, 8, 16, 64, 1, 2}
kernel void run(global int *out)
{
    cell x = {green, {true, false}};
    out[0] = x.c;
    out[1] = blue;
    out[2] = sizeof(size_t);
    out[3] = sizeof(cell);
    out[4] = sizeof(float3);
    out[5] = sizeof(int16);
    out[6] = x.flags[0];
    out[7] = sizeof(half);
}
