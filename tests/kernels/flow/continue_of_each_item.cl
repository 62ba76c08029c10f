// SPDX-License-Identifier: MIT
// A loop that does nothing behind `continue` but to count: LLVM makes two loops of it, the
// inner one of the rounds that `continue` ends. Work-items leave that at different times,
// and each has its own steps left.
// RUN: add_up global=24
// ARG: in uint[24] = {9, 4, 15, 8, 3, 12, 7, 1, 6, 14, 2, 11, 5, 10, 13, 0, 66, 31, 108, 59, 24, 87, 52, 10}
// ARG: out uint[24]
// EXPECT: out = {22, 75, 133, 157, 123, 344, 194, 180, 255, 475, 265, 310, 215, 360, 920, 376, 4568, 2472, 8024, 4846, 1635, 9730, 4952, 1044}
kernel void add_up(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), a = in[i], sum = 0;
    int steps = 12;

    for (;;) {
        if (steps-- <= 0)
            break;
        if ((a ^ (i + steps)) % 3 == 1)
            continue;
        if (a % 5 > 2)
            sum += a * i + steps;
        a += 1;
    }
    out[i] = sum;
}
