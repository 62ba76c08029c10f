// SPDX-License-Identifier: MIT
// Vectors of sixteen numbers whose components are computed with one by one: the block
// function of ChaCha20 (RFC 8439, 2.3; its test vector is in 2.3.2).
// RUN: block global=64
// ARG: out uint16[64]
// ARG: wrong int[64]
// EXPECT: out[0] = {0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3, 0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9, 0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2}
// EXPECT: wrong = 0
#define QUARTER(a, b, c, d)                                                      \
    a += b, d = rotate(d ^ a, 16u), c += d, b = rotate(b ^ c, 12u), a += b,      \
    d = rotate(d ^ a, 8u), c += d, b = rotate(b ^ c, 7u)

kernel void block(global uint16 *out, global int *wrong)
{
    uint g = get_global_id(0);
    uint16 start = (uint16)(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504,
                            0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c,
                            1 + g, 0x09000000, 0x4a000000, 0);
    uint16 x = start;
    uint y[16];
    vstore16(start, 0, y);
    for (int i = 0; i < 10; i++) {
        QUARTER(x.s0, x.s4, x.s8, x.sc);
        QUARTER(x.s1, x.s5, x.s9, x.sd);
        QUARTER(x.s2, x.s6, x.sa, x.se);
        QUARTER(x.s3, x.s7, x.sb, x.sf);
        QUARTER(x.s0, x.s5, x.sa, x.sf);
        QUARTER(x.s1, x.s6, x.sb, x.sc);
        QUARTER(x.s2, x.s7, x.s8, x.sd);
        QUARTER(x.s3, x.s4, x.s9, x.se);
    }
    for (int i = 0; i < 80; i++) {
        int k = i % 4, turn = i / 4 % 2;
        QUARTER(y[k], y[4 + (k + turn) % 4], y[8 + (k + 2 * turn) % 4], y[12 + (k + 3 * turn) % 4]);
    }
    out[g] = x + start;
    wrong[g] = any(x != vload16(0, y));
}
