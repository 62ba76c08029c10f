// SPDX-License-Identifier: MIT
// Anti-diagonals: lanes that are active read elements of local memory backwards, of a byte and
// of two; those that are not would read far before the array.
// RUN: backwards global=96 local=48
// ARG: out int[96]
// ARG: n int = 37
// EXPECT: out = (i % 48 <= 37 ? (37 - i % 48) * 3 + (37 - i % 48) * 5 : -1)
kernel void backwards(global int *out, int n)
{
    local uchar bytes[48];
    local ushort words[48];
    int l = get_local_id(0), found = -1;
    bytes[l] = l * 3;
    words[l] = l * 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l <= n)
        found = bytes[n - l] + words[n - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = found;
}
