// SPDX-License-Identifier: MIT
// Shifts of char3 by some of the work-items, between vectors of three and of four: LLVM's
// legalizer went round for ever on the 48 bytes of 16 lanes.
// RUN: shift global=32
// ARG: in uint[44] = i * 40503 + 977
// ARG: out uint[32]
// ARG: n uint = 3
// EXPECT: out = {16592593, 14471665, 18439633, 13243473, 12375185, 13298705, 19388529, 15114961, 18406385, 16931217, 16007697, 17423217, 17823953, 16441073, 11759505, 12683025, 14713617, 14499281, 13485425, 16346321, 17239057, 12771369, 17208273, 19369561, 19055313, 12067345, 17572913, 13914385, 16298593, 15730641, 16654161, 15653729}
struct of_three { char3 m; short a, b; };

kernel void shift(global const uint *in, global uint *out, uint n)
{
    uint g = get_global_id(0), h = 17;
    char3 v = (char3)((char)(in[(g * 3 + 8) & 31] >> 8));
    struct of_three s, t[3];

    s.m = (char3)((char)(in[(g * 3 + 3) & 31] >> 12));
    s.a = in[g + 3];
    s.b = in[g + 7];
    t[0] = s;
    t[1] = s;
    t[2] = s;
    if (in[g] % 5 < 2) {
        if (g > 20)
            s.m.s1 = v.s1;
        else
            t[g % 3].b = n;
        s.m = s.m << ((char3)(n) & (char3)7);
    }
    h = h * 31 + (uint)s.m.s0;
    h = h * 31 + (uint)s.m.s1;
    h = h * 31 + (uint)t[1].m.s1;
    h = h * 31 + (uint)t[1].m.s2;
    out[g] = h;
}
