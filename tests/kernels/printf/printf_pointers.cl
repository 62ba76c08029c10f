// SPDX-License-Identifier: MIT
// %p of each address space.
// RUN: pointers global=1
// ARG: a int[1] = 0
// ARG: ret int[2] = 7
// EXPECT: ret = 0
// OUTPUT: "[0x0][  0x0][0x0  ]"
// OUTPUT: "of every space"
constant int in_constant = 3;
kernel void pointers(global int *a, global int *ret)
{
    local int in_local;
    int in_private = a[0];
    global int *none = 0;
    ret[0] = printf("[%p][%5p][%-5p]\n", none, none, none);
    ret[1] = printf("%.0sof every space\n", "");
    if (printf("") != 0) // never: the addresses differ from run to run
        printf("%p %p %p %p", a, &in_local, &in_private, &in_constant);
}
