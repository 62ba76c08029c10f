// SPDX-License-Identifier: MIT
// pocl/pocl#1711: a private array that is read in a loop with a barrier at its end, in which
// each work-item writes where its neighbour wrote a round before. The kernel never ended.
// RUN: rotate global=8 local=8
// ARG: out long[8]
// EXPECT: out = 1000 * i + (i + 1) % 8
// RUN: sums global=48 local=16
// ARG: out long[48]
// EXPECT: out = sum(k, 0, 16, (i + k) % 16 * 10 + ((i + k) % 16 + k) % 16)
kernel void rotate(global long *out)
{
    int id = get_global_id(0);
    long own[8];
    for (int j = 0; j < 8; j++)
        own[j] = 1000 * ((id + j) % 8) + j;
    // In the last round it is the item after the place that writes.
    for (int j = 0; j < 8; j++) {
        int k = (j + id) % 8;
        out[k] = own[j] - j + id;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

kernel void sums(global long *out)
{
    local long tile[16];
    int lid = get_local_id(0);
    long own[16], sum = 0;
    for (int j = 0; j < 16; j++)
        own[j] = lid * 10 + j;
    for (int j = 0; j < 16; j++) {
        tile[lid] = own[(lid + j) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[(lid + j) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
