// SPDX-License-Identifier: MIT
// Work in long loops and memory outside of them: whole gangs and short ones run the same
// code, whatever is left at the end of a row. Nobody stores behind it.
// RUN: rounds global=203
// ARG: n uint = 9
// ARG: out uint[210] = 7
// EXPECT: out = i < 203 ? sum(k, 0, 9, (i + k) * (i + k) % 1000) : 7
// RUN: rounds global=3
// ARG: n uint = 9
// ARG: out uint[70] = 7
// EXPECT: out = i < 3 ? sum(k, 0, 9, (i + k) * (i + k) % 1000) : 7
// RUN: rows global=37x5
// ARG: n int = 6
// ARG: out int[192] = -1
// EXPECT: out = i < 185 ? sum(k, 0, 6, (i % 37 + k) * (i / 37 + k) / 3) : -1
// RUN: bytes global=131
// ARG: n uint = 9
// ARG: out uchar[140] = 7
// EXPECT: out = i < 131 ? sum(k, 0, 9, (i + k) * (i + k) % 11) : 7
// RUN: at_offset global=75 offset=3
// ARG: n uint = 9
// ARG: out uint[90] = 7
// EXPECT: out = i >= 3 && i < 78 ? sum(k, 0, 9, (i + k) * (i + k) % 1000) : 7
kernel void rounds(uint n, global uint *out)
{
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < n; k++)
        sum += (i + k) * (i + k) % 1000;
    out[i] = sum;
}

kernel void rows(int n, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int k = 0; k < n; k++)
        sum += (x + k) * (y + k) / 3;
    out[y * 37 + x] = sum;
}

kernel void bytes(uint n, global uchar *out)
{
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < n; k++)
        sum += (i + k) * (i + k) % 11;
    out[i] = sum;
}

kernel void at_offset(uint n, global uint *out)
{
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < n; k++)
        sum += (i + k) * (i + k) % 1000;
    out[i] = sum;
}
