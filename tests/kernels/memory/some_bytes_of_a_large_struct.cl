// SPDX-License-Identifier: MIT
// Lanes whose strides are longer than what is gathered in registers.
// RUN: some global=32
// ARG: out uchar[3072] = 7
// EXPECT: out where i % 96 == 0 ? it == i / 96 : i % 96 == 1 ? it == i / 96 + 1 : i % 96 == 3 ? it == 3 : it == 7
struct large {
    uchar bytes[96];
};
kernel void some(global struct large *out)
{
    const uint i = get_global_id(0);

    out[i].bytes[0] = i;
    out[i].bytes[1] = i + 1;
    out[i].bytes[3] = 3;
}
