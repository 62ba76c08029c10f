// SPDX-License-Identifier: MIT
// RUN: jump global=20
// ARG: out int[20]
// EXPECT: out = i % 3 == 0 ? -1 : i * (i + 1) / 2
kernel void jump(global int *out)
{
    int i = get_global_id(0), n = 0, sum = 0;
    if (i % 3 == 0)
        goto bad;
again:
    sum += n;
    if (n++ < i)
        goto again;
    out[i] = sum;
    return;
bad:
    out[i] = -1;
}
