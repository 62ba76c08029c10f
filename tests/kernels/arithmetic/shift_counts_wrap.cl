// SPDX-License-Identifier: MIT
// Only the low bits of a shift's count matter, as many as number the bits of what is shifted
// (OpenCL C 3.0, 6.4.6); scalars smaller than int are shifted as int. Constants, too.
// RUN: scalars global=300
// ARG: out long8[300]
// EXPECT: out = {int(3 << (i - 150 & 31)), int(-77777) >> (i - 150 & 31), uint(0x87654321) >> (i - 150 & 31), 3 << (i - 150 & 63), int(-77777) >> (i - 150 & 63), int(5 << (i - 150 & 31)), int(-100) >> (i - 150 & 31), i & 7, ...}
// RUN: vectors global=300
// ARG: bytes uchar4[300]
// ARG: shorts short2[300]
// ARG: words int3[300]
// ARG: longs long2[300]
// EXPECT: bytes = uchar(j == 0 ? 0x81 << (i & 7) : j == 1 ? 0x81 >> (i & 7) : j == 2 ? 0x81 << (i + 3 & 7) : 0x81)
// EXPECT: shorts = j == 0 ? short(-9999 << (i & 15)) : short(-9999) >> (i + 20 & 15)
// EXPECT: words where j == 3 || it == int(1000001 << (i + 37 * j & 31))
// EXPECT: longs = long(12345678901 * (j ? -1 : 1)) >> (i + 70 & 63)
// RUN: constants global=1
// ARG: out long8[1]
// EXPECT: out = {2, -1, 4, 32, 0x40, 2, 3, 1, ...}
kernel void scalars(global long8 *out)
{
    int i = get_global_id(0), count = i - 150;
    char c = -100;
    uchar u = 5;
    int kept = 3;
    kept <<= count;
    out[i] = (long8)(kept, -77777 >> count, 0x87654321u >> count, 3L << count,
                     -77777L >> (long)count, u << count, c >> count, i & 7);
}
kernel void vectors(global uchar4 *bytes, global short2 *shorts, global int3 *words,
                    global long2 *longs)
{
    int i = get_global_id(0);
    uchar4 b = 0x81;
    b.xz <<= (uchar2)(i, i + 3);
    b.y >>= (uchar)(i & 7);
    bytes[i] = b;
    shorts[i] = (short2)(((short2)(-9999) << (short2)(i)).x, ((short2)(-9999) >> (short2)(i + 20)).y);
    words[i] = (int3)(1000001) << (int3)(i, i + 37, i + 74);
    longs[i] = (long2)(12345678901L, -12345678901L) >> (long2)(i + 70);
}
kernel void constants(global long8 *out)
{
    const uchar4 b = (uchar4)(1) << (uchar4)(9, 8, 7, 6);
    const int4 v = (int4)(1) << (int4)(33, 34, -1, 70);
    out[0] = (long8)(1 << 33, -1 >> 40, 1 << -30, 1 << 37, v.w, b.x, 3L << 64, b.y);
}
