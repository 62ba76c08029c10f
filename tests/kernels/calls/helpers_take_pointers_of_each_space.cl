// SPDX-License-Identifier: MIT
int sum_private(private const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int first_global(global const int *p)
{
    return p[0];
}
int first_constant(constant int *p)
{
    return p[1];
}
void store_local(local int *p, int value)
{
    p[get_local_id(0)] = value;
}
constant int pair[2] = {10, 20};
// RUN: call global=32 local=8
// ARG: in int[32] = i * 3
// ARG: out int[32]
// EXPECT: out = 6 * i + 3 + 3 * i + 20
kernel void call(global const int *in, global int *out)
{
    local int shared[8];
    int own[3];
    size_t i = get_global_id(0);
    for (int k = 0; k < 3; k++)
        own[k] = 2 * (int)i + k;
    store_local(shared, sum_private(own, 3));
    out[i] = shared[get_local_id(0)] + first_global(in + i) + first_constant(pair);
}
