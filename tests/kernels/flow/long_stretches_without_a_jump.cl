// SPDX-License-Identifier: MIT
// A loop whose body is one block of 7,168 instructions does what one does that takes the same
// steps in as many rounds.
// RUN: stretch global=70 local=10
// ARG: in uint[70] = i * 40503 + 977
// ARG: rounds uint = 3
// ARG: out uint[70]
// EXPECT: out = 1
#define STEP(a, b) a = (a ^ a >> 7) * 0x9E3779B1u + b;
#define STEPS STEP(a, b) STEP(b, c) STEP(c, d) STEP(d, e) STEP(e, f) STEP(f, g) STEP(g, h)
#define STEPS_4 STEPS STEPS STEPS STEPS
#define STEPS_16 STEPS_4 STEPS_4 STEPS_4 STEPS_4
#define STEPS_64 STEPS_16 STEPS_16 STEPS_16 STEPS_16
#define STEPS_256 STEPS_64 STEPS_64 STEPS_64 STEPS_64
#define START a = in[i], b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7;
#define SUM (a ^ b * 3 ^ c * 5 ^ d * 7 ^ e * 9 ^ f * 11 ^ g * 13)
kernel void stretch(global const uint *in, uint rounds, global uint *out)
{
    const size_t i = get_global_id(0);
    uint a, b, c, d, e, f, g, h, all;

    START
    for (uint round = 0; round < rounds; round++) {
        STEPS_256
        h++;
    }
    all = SUM;
    START
    for (uint round = 0; round < rounds; round++) {
#pragma unroll 1
        for (uint step = 0; step < 256; step++) {
            STEPS
        }
        h++;
    }
    out[i] = all == SUM && a != in[i];
}
