// SPDX-License-Identifier: MIT
// The counter of a loop that all work-items of a group take together belongs to all: it
// must not advance for each of them, nor for each handful that runs side by side.
// RUN: rounds global=144 local=48
// ARG: n int = 4
// ARG: out int[144]
// EXPECT: out = 6 * 48 + 4 * ((i + 17) % 48)
// RUN: rounds global=150 local=50
// ARG: n int = 3
// ARG: out int[150]
// EXPECT: out = 3 * 50 + 3 * ((i + 17) % 50)
// RUN: halves global=80 local=40
// ARG: out int[80]
// EXPECT: out = 40 + 20 + 10 + 5 + 2 + 1
kernel void rounds(int n, global int *out)
{
    local int t[64];
    int l = get_local_id(0), size = get_local_size(0), sum = 0;
    for (int k = 0; k < n; k++) {
        t[l] = k * size + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[(l + 17) % size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

kernel void halves(global int *out)
{
    local int t[64];
    int l = get_local_id(0), sum = 0;
    for (int s = get_local_size(0); s > 0; s /= 2) {
        t[(l + s) % 40] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
