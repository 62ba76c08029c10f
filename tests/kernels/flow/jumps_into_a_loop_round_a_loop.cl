// SPDX-License-Identifier: MIT
// Two loops with an entry each that is not their head, and inside a third that lanes leave
// at different times. The number of rounds of the first two is the same for all.
// RUN: jump global=37
// ARG: in uint[37] = i * 2654435761
// ARG: out uint[37]
// ARG: mixed uint[37]
// ARG: n uint = 3
// EXPECT: out = in[i] + 3 * 11
// RUN: jump global=37
// ARG: in uint[37] = i * 2654435761
// ARG: out uint[37]
// ARG: mixed uint[37]
// ARG: n uint = 8
// EXPECT: out = in[i] + 3 * 9
kernel void jump(global const uint *restrict in, global uint *out, global uint *mixed, uint n)
{
    uint g = get_global_id(0), y = in[g], x = g;
    int fuel = 12, i = 0;

    if (n & 6)
        goto there;
    while (fuel-- > 0 && n % 3 != 1) {
        for (; i < 4 && fuel-- > 0; i++) {
            for (uint k = 0; k < (y & 3); k++)
                x = x * 5 + k;
            mixed[g] = x;
there:
            y += 3;
        }
        i = 0;
    }
    out[g] = y;
}
