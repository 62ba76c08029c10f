// SPDX-License-Identifier: MIT
// Changes that nobody reads, at indices that cannot be large: what has not been changed
// is not touched, whatever lies behind the buffer.
// BUILD: options="-cl-std=CL3.0"
// RUN: top_bits global=6000
// ARG: bins uint[32] = 7
// ARG: in uint[6000] = random(1, 0, 4294967295)
// EXPECT: bins = 7 + sum(k, 0, 6000, in[k] >> 27 == i)
// RUN: top_bits global=70 local=7
// ARG: bins uint[32] = 1
// ARG: in uint[70] = random(2, 0, 4294967295)
// EXPECT: bins = 1 + sum(k, 0, 70, in[k] >> 27 == i)
// RUN: some_of_many global=5000
// ARG: bins uint[11] = 3
// ARG: in uchar[5000] = random(3, 0, 9)
// EXPECT: bins = i ? 3 + sum(k, 0, 5000, in[k] + 1 == i) : 3
// RUN: least global=5000
// ARG: least uint[7] = {4000000000, 0, 4000000000, 4000000000, 12, 4294967295, 9}
// ARG: in uint[5000] = random(4, 10, 4000000000)
// EXPECT: least = i < 6 ? min(least[i], minof(k, 0, 5000, in[k] % 6 == i ? in[k] : 4294967295)) : 9
// RUN: cleared global=4096
// ARG: words ulong[2] = {18446744073709551615, 81985529216486895}
// EXPECT: words = {0, 81985529216486895}
// RUN: two_buffers global=5000
// ARG: a uint[8] = 1
// ARG: b uint[8] = 2
// EXPECT: a = 626
// EXPECT: b = 1877
// RUN: behind global=5000
// ARG: bins int[16] = 5
// EXPECT: bins = i < 8 ? 5 : i % 2 ? 2505 : -1245
kernel void top_bits(global uint *bins, global const uint *in)
{
    atomic_inc(&bins[in[get_global_id(0)] >> 27]);
}

// A table would have room for 257 words, the buffer has 11.
kernel void some_of_many(global uint *bins, global const uchar *in)
{
    atomic_add(bins + 1 + in[get_global_id(0)], 1u);
}

kernel void least(global uint *least, global const uint *in)
{
    atomic_min(&least[in[get_global_id(0)] % 6], in[get_global_id(0)]);
}

kernel void cleared(global atomic_ulong *words)
{
    uint i = get_global_id(0);

    atomic_fetch_and_explicit(&words[i >> 31], ~(1ul << (i & 63)), memory_order_relaxed, memory_scope_device);
}

kernel void two_buffers(global uint *a, global uint *b)
{
    uint i = get_global_id(0);

    atomic_inc(&a[i & 7]);
    atomic_add(&b[i & 7], 3u);
}

kernel void behind(global int *bins)
{
    uint i = get_global_id(0);

    if (i & 1)
        atomic_add(&bins[8 + (i & 7)], 4);
    else
        atomic_sub(&bins[8 + (i & 7)], 2);
}
