// SPDX-License-Identifier: MIT
// RUN: outer global=40 local=8
// ARG: out int[40]
// EXPECT: out = i * 2 + 1
// RUN: inner global=40
// ARG: out int[40]
// ARG: factor int = 5
// EXPECT: out = i * 5
kernel void inner(global int *out, int factor)
{
    out[get_global_id(0)] = (int)get_global_id(0) * factor;
}
kernel void outer(global int *out)
{
    inner(out, 2);
    out[get_global_id(0)] += 1;
}
