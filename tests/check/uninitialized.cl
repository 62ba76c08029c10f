// SPDX-License-Identifier: MIT
// Values that nobody has made, where they decide something; and some that look like it.

kernel void branch(global int *out)
{
    int x;
    if (get_global_id(0) != 1)
        x = 5;
    if (x > 3) // FAULT: uninitialized branch "a value that was never written decides which way to go" "" id=1
        out[get_global_id(0)] = 1;
}
// RUN: branch global=4 local=2
// ARG: out int[4]
// EXPECT: completes

kernel void stored(global float *out)
{
    float a, b = 2;
    float c = a * b + 1;
    out[get_global_id(0)] = c; // FAULT: uninitialized stored "a value that was never written is stored"
}
// RUN: stored global=4 local=2
// ARG: out float[4]
// EXPECT: completes

kernel void index(global int *out)
{
    int i;
    out[i] = 1; // FAULT: uninitialized index "a value that was never written is part of an address"
}
// RUN: index global=1
// ARG: out int[4]
// EXPECT: completes

int second(int a, int b)
{
    int c;
    return b > 0 ? b : c;
}
kernel void passed_on(global int *out)
{
    int x;
    out[get_global_id(0)] = second(x, 3);
}
// RUN: passed_on global=4
// ARG: out int[4]
// EXPECT: out = 3

kernel void local_memory(global int *out)
{
    local int tile[8];
    int i = get_local_id(0);
    if (i != 2)
        tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[7 - i]; // FAULT: uninitialized local_memory "a value that was never written is stored" "" id=5
}
// RUN: local_memory global=8 local=8
// ARG: out int[8]
// EXPECT: completes

kernel void parts(global int *out)
{
    float3 v;
    v.x = 1;
    v.y = 2;
    v.z = 5;
    out[0] = v.x + v.y + v.z;
}
// RUN: parts global=1
// ARG: out int[1]
// EXPECT: out = 8
