// SPDX-License-Identifier: MIT
// RUN: shift global=64
// ARG: out long4[64]
// EXPECT: out = {int(1 << (i % 32)), int(-1000000) >> (i % 32), ulong(18446744073709551615u) >> i, 1 << i, ...}
kernel void shift(global long4 *out)
{
    int i = get_global_id(0);
    out[i] = (long4)(1 << i, -1000000 >> i % 32, (long)(0xffffffffffffffffUL >> i), 1L << i);
}
