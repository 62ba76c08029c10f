// SPDX-License-Identifier: MIT
// RUN: sort global=128 local=64
// ARG: data int[128] = (i % 64 * 37 + 11) % 64 + i / 64 * 1000
// EXPECT: data = i % 64 + i / 64 * 1000
kernel void sort(global int *data)
{
    local int t[64];
    uint l = get_local_id(0);
    t[l] = data[get_global_id(0)];
    for (uint size = 2; size <= 64; size <<= 1)
        for (uint stride = size >> 1; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = l ^ stride;
            if (other > l) {
                int a = t[l], b = t[other];
                if ((a > b) == ((l & size) == 0)) {
                    t[l] = b;
                    t[other] = a;
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = t[l];
}
