// SPDX-License-Identifier: MIT
// RUN: scan global=128 local=32
// ARG: data int[128] = random(5, -100, 100)
// EXPECT: data = sum(k, i / 32 * 32, i + 1, data[k])
kernel void scan(global int *data)
{
    local int a[32], b[32];
    local int *from = a, *to = b;
    size_t l = get_local_id(0);
    from[l] = data[get_global_id(0)];
    for (size_t step = 1; step < 32; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        to[l] = l >= step ? from[l] + from[l - step] : from[l];
        local int *t = from;
        from = to;
        to = t;
    }
    data[get_global_id(0)] = from[l];
}
