// SPDX-License-Identifier: MIT
// Variables of functions may have the name that local memory of collective functions has.
// BUILD: options="-cl-std=CL3.0"
// RUN: k global=128 local=64
// ARG: out int[128] = 0
// ARG: bad int[128] = -1
// EXPECT: bad = 0
int tf(int n)
{
    int s = 0;
    { static global int group_scratch = 1; s += group_scratch * n; }
    { static global int group_scratch = 2; s += group_scratch * n; }
    { static global int group_scratch = 3; s += group_scratch * n; }
    { static global int group_scratch = 4; s += group_scratch * n; }
    { static global int group_scratch = 5; s += group_scratch * n; if (n == 77) group_scratch++; }
    return s;
}
kernel void k(global int *out, global int *bad)
{
    int l = get_local_id(0);
    int wrong = tf(l) != 15 * l;
    if (work_group_reduce_add(1) != 64) wrong |= 2;
    if (tf(l) != 15 * l) wrong |= 4;
    bad[get_global_id(0)] = wrong;
}
