// SPDX-License-Identifier: MIT
// Jumps out of a switch into the middle of a loop.
// RUN: duff global=64
// ARG: out int[64] = 0
// ARG: p int = 3
// EXPECT: out[0] = 3
// EXPECT: out[1] = 60
// EXPECT: out[63] = 2132
// RUN: two_loops global=64
// ARG: out int[64] = 0
// ARG: n int = 2
// EXPECT: out[0] = 24
// EXPECT: out[1] = 14
// EXPECT: out[2] = 14
// EXPECT: out[3] = 3
// RUN: nested global=64 local=64
// ARG: out uint[64] = 0
// ARG: n uint = 5
// EXPECT: out = i < 7 ? i : i + 400
kernel void duff(global int *out, int p)
{
    int i = get_global_id(0), x = i * 7;
    int n = 1 + (x & 31), s = 0, rounds = (n + 3) / 4, c = i;
    switch (n % 4) {
    case 0:
        do {
            s += c; c += p;
    case 3: s += c ^ 1; c++;
    case 2: s += c ^ 2; c++;
    case 1: s += c ^ 3; c++;
        } while (--rounds > 0);
    }
    out[i] = s;
}

// The entries lie in a loop and in one within it.
kernel void two_loops(global int *out, int n)
{
    int i = get_global_id(0), s = 0, k = 0, l = 0;
    switch (i & 3) {
    case 0:
        for (; k < n; k++) {
            s += 10;
    case 1:
            for (l = 0; l < n; l++) {
                s += i & 1;
    case 2:
                s += 1 - (i & 1);
            }
        }
        break;
    default:
        s = i & 3;
    }
    out[i] = s;
}

// The same, by goto: the inner loop's count goes on from where it is entered.
kernel void nested(global uint *out, uint n)
{
    uint g = get_global_id(0), b = g;
    int fuel = 15, i = 0;
    if (g >= 7)
        goto there;
    while (fuel-- > 0 && n == 3) {
        for (; i < 4 && fuel-- > 0; i++) {
there:
            b += 100;
        }
        i = 0;
    }
    out[g] = b;
}
