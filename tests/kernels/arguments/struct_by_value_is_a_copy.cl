// SPDX-License-Identifier: MIT
// Each work-item may write its own copy of the argument.
struct pair {
    int a, b;
};
// RUN: change global=64 local=16
// ARG: p struct{int,int} = {5, 6}
// ARG: out int[64]
// EXPECT: out = 5 + i * 6
kernel void change(struct pair p, global int *out)
{
    for (int n = 0; n < (int)get_global_id(0); n++)
        p.a += p.b;
    out[get_global_id(0)] = p.a;
}
