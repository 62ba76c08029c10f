// SPDX-License-Identifier: MIT
struct two {
    float4 v;
    int n;
};
struct two make(int n)
{
    struct two t;
    t.v = (float4)(n, n + 1, n + 2, n + 3);
    t.n = n * n;
    return t;
}
// RUN: run global=16
// ARG: out float[16]
// EXPECT: out = i + 3 + i * i
kernel void run(global float *out)
{
    struct two t = make(get_global_id(0));
    out[get_global_id(0)] = t.v.w + t.n;
}
