// SPDX-License-Identifier: MIT
// RUN: wrap global=256
// ARG: c char[256]
// ARG: u uchar[256]
// ARG: s ushort[256]
// EXPECT: c = char(char(i) + 100)
// EXPECT: u = uchar(i * 3)
// EXPECT: s = ushort(i * 1000)
kernel void wrap(global char *c, global uchar *u, global ushort *s)
{
    size_t i = get_global_id(0);
    char x = (char)i;
    x += 100;
    c[i] = x;
    uchar y = i;
    y *= 3;
    u[i] = y;
    s[i] = (ushort)i * (ushort)1000;
}
