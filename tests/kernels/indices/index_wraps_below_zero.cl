// SPDX-License-Identifier: MIT
// Unsigned indices that wrap for the first work-item, which does not use them, and ids
// with an offset just below 2^31.
// RUN: left global=37
// ARG: a uint[37] = 5 * i + 1
// ARG: out uint[37]
// EXPECT: out = i == 0 ? 7 : 5 * (i - 1) + 1
// RUN: far global=40 offset=2147483600
// ARG: out uint[40]
// EXPECT: out = (i + 2147483600) * 3 + (i + 2147483600 >= 2147483648 ? 1 : 0)
kernel void left(global const uint *a, global uint *out)
{
    uint i = get_global_id(0);
    uint x = 7;
    if (i > 0)
        x = a[i - 1];
    out[i] = x;
}

kernel void far(global uint *out)
{
    int i = get_global_id(0);
    out[get_global_id(0) - get_global_offset(0)] = (uint)i * 3 + (i < 0);
}
