// SPDX-License-Identifier: MIT
// Kernels with sub-groups do all that others do: print, atomics, private arrays, structs,
// switches, divisions, doubles and calls of functions.
// BUILD: options="-cl-std=CL3.0"
// RUN: rest global=10x4 local=10x4
// ARG: in int[40] = i * 3 % 7
// ARG: out long[40]
// ARG: count int[4] = 0
// EXPECT: out = sum(k, i - i % 16, i < 32 ? i - i % 16 + 16 : 40, in[k]) * 10 + (in[i] == 0 ? 7 : 100 / in[i]) + (i % 16 == 3 ? 1000 : 0)
// EXPECT: count = {3, 40, 5 * 6, sum(k, 0, 40, k), ...}
// OUTPUT: "sub-group 0 of 3 has 16"
// OUTPUT: "sub-group 1 of 3 has 16"
// OUTPUT: "sub-group 2 of 3 has 8"
struct pair {
    int a;
    double b;
};

double twice(struct pair p)
{
    return p.b * 2 + p.a;
}

kernel void rest(global const int *in, global long *out, global int *count)
{
    int i = get_local_linear_id(), table[8], x = in[i];
    struct pair p = {0, 0.5};

    for (int k = 0; k < 8; k++)
        table[k] = k * 10;
    if (get_sub_group_local_id() == 0) {
        printf("sub-group %u of %u has %u\n", get_sub_group_id(), get_num_sub_groups(),
               get_sub_group_size());
        atomic_inc(&count[0]);
    }
    atomic_inc(&count[1]);
    if (x == 2)
        atomic_add(&count[2], 5);
    atomic_add(&count[3], i);
    switch (get_sub_group_local_id()) {
    case 3:
        p.b = 500.5;
        break;
    case 5:
        p.a = 1;
        p.b = 0;
    }
    long sum = sub_group_reduce_add((long)table[x]);
    out[i] = sum + (x == 0 ? 7 : 100 / x) + (long)twice(p) - 1;
}
