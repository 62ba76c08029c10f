// SPDX-License-Identifier: MIT
// What most kernels need of the compiler: loops, branches, built-ins, barriers.
kernel void group_sum(global const float *a, global float *b, local float *t, int n)
{
    int i = get_local_id(0);
    float s = 0;
    for (int j = i; j < n; j += get_local_size(0))
        s += a[j] * a[j];
    t[i] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
        if (i < d)
            t[i] += t[i + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        b[get_group_id(0)] = sqrt(t[0]);
}
