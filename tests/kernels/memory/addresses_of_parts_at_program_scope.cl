// SPDX-License-Identifier: MIT
// Clang writes these addresses in SPIR-V as numbers of bytes from a variable's begin.
// OPTIONS: -cl-std=CL3.0
// RUN: k global=4
// ARG: out uint[4] = 0
// EXPECT: out = i == 0 ? 3 : i == 1 ? 10 : i == 2 ? 18 : 4
struct part {
    int number;
    float reals[4];
    char letter;
};

constant struct part parts[3] = {{1, {2, 3, 4, 5}, 6},
                                 {7, {8, 9, 10, 11}, 12},
                                 {13, {14, 15, 16, 17}, 18}};
constant int numbers[4] = {1, 2, 3, 4};
constant int *constant number = &numbers[2];
constant float *constant real = &parts[1].reals[2];
constant char *constant letter = &parts[2].letter;

kernel void k(global uint *out)
{
    constant int *const last = (constant int *)((constant char *)numbers + 12);

    switch (get_global_id(0)) {
    case 0:
        out[0] = *number;
        break;
    case 1:
        out[1] = (uint)*real;
        break;
    case 2:
        out[2] = *letter;
        break;
    default:
        out[3] = *last;
    }
}
