// SPDX-License-Identifier: MIT
// Lanes make sums, products and quotients of bytes in 16 bits where those hold them, with a
// sign or without, and nowhere else.
// RUN: sums global=256
// ARG: out uint[256]
// ARG: in uchar[256] = i
// ARG: large uint = 0x10003
// EXPECT: out = (i * 257 / 7 + i * 128 + i * 129 + (i * 100 - 25500) / 3 + (i > 127 ? i - 255 : i) + (i + 65539) / 2)
kernel void sums(global uint *restrict out, global const uchar *restrict in, uint large)
{
    size_t g = get_global_id(0);
    uint x = in[g];
    int y = in[g];
    uint most = x * 257u / 7u;              // 65,535 at most
    uint more = x * 128u + x * 129u;        // the same
    int below = (y * 100 - 25500) / 3;      // -25,500 at least
    int choice = y + y > 254 ? y - 255 : y; // 510
    uint mixed = (x + large) / 2u;          // all lanes share a number that is none of 16 bits
    out[g] = most + more + (uint)below + (uint)choice + mixed;
}
