// SPDX-License-Identifier: MIT
// Indices of 8 and 16 bits that come to their end between two bytes: these lie far apart.
// RUN: pairs global=256
// ARG: ks char[256] = i - 128
// ARG: in uchar[256] = i * 7 + i / 16
// ARG: out ushort[256]
// EXPECT: out = ((i + 4) % 256 * 7 + (i + 4) % 256 / 16) % 256 * 256 + ((i + 3) % 256 * 7 + (i + 3) % 256 / 16) % 256
// RUN: copies global=256
// ARG: ks char[256] = i - 128
// ARG: in uchar[256] = i * 7 + i / 16
// ARG: out uchar[512]
// EXPECT: out = ((i / 2 + 3 + i % 2) % 256 * 7 + (i / 2 + 3 + i % 2) % 256 / 16) % 256
// RUN: stores global=256
// ARG: ks char[256] = i - 128
// ARG: out uchar[65536] = 0
// EXPECT: out = (i % 256 + 512 - i / 256 - 5) % 256 == 0 ? 1 : (i % 256 + 512 - i / 256 - 5) % 256 == 1 ? 2 : 0
// RUN: fills global=2
// ARG: out uchar[1024] = 0
// EXPECT: out = i % 512 >= 7 && i % 512 <= 61 ? 7 : i % 512 >= 175 && i % 512 <= 262 ? 7 : 0
// RUN: words global=4
// ARG: ks short[4] = 32762 + i
// ARG: in uchar[65536] = i % 251
// ARG: out ushort[4]
// EXPECT: out = i == 0 ? (65534 % 251) + 256 * (65535 % 251) : i == 1 ? 65535 % 251 : i == 2 ? 256 : 1 + 256 * 2
kernel void pairs(global const char *ks, global const uchar *in, global ushort *out)
{
    char k = ks[get_global_id(0)];
    global const uchar *middle = in + 128;

    out[get_global_id(0)] = middle[(char)(k + 3)] | middle[(char)(k + 4)] << 8;
}

kernel void copies(global const char *ks, global const uchar *in, global uchar *out)
{
    char k = ks[get_global_id(0)];
    global const uchar *middle = in + 128;
    uchar first = middle[(char)(k + 3)], second = middle[(char)(k + 4)];

    out[2 * get_global_id(0)] = first;
    out[2 * get_global_id(0) + 1] = second;
}

kernel void stores(global const char *ks, global uchar *out)
{
    char k = ks[get_global_id(0)];
    global uchar *middle = out + get_global_id(0) * 256 + 128;

    middle[(char)(k + 5)] = 1;
    middle[(char)(k + 6)] = 2;
}

kernel void fills(global uchar *out)
{
    global uchar *row = out + get_global_id(0) * 512;
    char k = -74;

    do {
        row[135 + k] = 7;
    } while (--k != 39);
}

kernel void words(global const short *ks, global const uchar *in, global ushort *out)
{
    short k = ks[get_global_id(0)];
    global const uchar *middle = in + 32768;

    out[get_global_id(0)] = middle[(short)(k + 4)] | middle[(short)(k + 5)] << 8;
}
