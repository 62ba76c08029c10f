// SPDX-License-Identifier: MIT
// intel/llvm#9662: one kernel keeps a pointer in a variable of program scope, another reads
// through it where a condition on the work-item's id holds. Without the condition it worked.
// BUILD: options="-cl-std=CL3.0"
// RUN: keep global=1
// ARG: n int = 1234
// EXPECT: completes
// RUN: read global=40 local=8
// ARG: out int[40] = -1
// EXPECT: out = i == 0 ? -1 : 1234 + i
// RUN: read_in_loop global=40 local=8
// ARG: out int[40] = -1
// EXPECT: out = i % 8 * 1234
global int number;
global int *kept;

kernel void keep(int n)
{
    number = n;
    kept = &number;
}

kernel void read(global int *out)
{
    int id = get_local_id(0) + get_group_id(0) * get_local_size(0);
    if (id)
        out[id] = *kept + id;
}

kernel void read_in_loop(global int *out)
{
    int sum = 0;
    for (int n = 0; n < get_local_id(0); n++)
        sum += *kept;
    out[get_global_id(0)] = sum;
}
