// SPDX-License-Identifier: MIT
// RUN: unpack global=4
// ARG: a char = -1
// ARG: b uchar = 200
// ARG: c short = -300
// ARG: d ushort = 60000
// ARG: e int = -70000
// ARG: f uint = 4000000000
// ARG: g long = -5000000000
// ARG: h ulong = 18000000000000000000
// ARG: x float = 0.5
// ARG: v char2 = {1, 2}
// ARG: w int16 = j
// ARG: u float3 = {0.25, 0.5, 0.75}
// ARG: out long[4]
// ARG: out2 ulong[1]
// ARG: out3 float[4]
// EXPECT: out = -1 + 200 - 300 + 60000 - 70000 + 4000000000 - 5000000000 + 3 + 120
// EXPECT: out2 = 18000000000000000000
// EXPECT: out3 = 0.5 + 1.5
kernel void unpack(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float x, char2 v,
                int16 w, float3 u, global long *out, global ulong *out2, global float *out3)
{
    size_t i = get_global_id(0);
    int8 s8 = w.lo + w.hi;
    int4 s4 = s8.lo + s8.hi;
    int2 s2 = s4.lo + s4.hi;
    out[i] = (long)a + b + c + d + e + f + g + v.x + v.y + s2.x + s2.y;
    out2[0] = h;
    out3[i] = x + u.x + u.y + u.z;
}
