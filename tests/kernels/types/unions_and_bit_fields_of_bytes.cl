// SPDX-License-Identifier: MIT
union mixed {
    float f;
    uint u;
    uchar b[4];
};
// RUN: bytes global=16
// ARG: out uint[16]
// EXPECT: out = 127 + i
kernel void bytes(global uint *out)
{
    union mixed m;
    m.f = 1.0f;
    for (int n = 0; n < (int)get_global_id(0); n++)
        m.f *= 2.0f;
    out[get_global_id(0)] = m.b[3] << 1 | m.b[2] >> 7;
}
