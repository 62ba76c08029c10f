// SPDX-License-Identifier: MIT
// The magnitude of a sum of known rounds that 16 bits hold without a sign alone: LLVM does not
// know that it is positive.
// RUN: sums global=64
// ARG: out uint[64]
// ARG: in uchar[72] = 248
// EXPECT: out = (300 + 4 * 248 * 60) / 3
kernel void sums(global uint *restrict out, global const uchar *restrict in)
{
    int i = get_global_id(0), sum = 300;
    for (int k = 0; k < 4; k++)
        sum += in[i + k] * 60 - (in[i + k] & 3);
    out[i] = abs(sum) / 3u;
}
