// SPDX-License-Identifier: MIT
// Relaxed atomic changes whose results nobody reads may be brought together before they
// reach memory: what is there in the end is the same, and a work-item finds its own
// changes at once.
// BUILD: options="-cl-std=CL3.0"
// RUN: bytes global=6000
// ARG: bins uint[256] = 7
// ARG: in uchar[6000] = random(1, 0, 255)
// EXPECT: bins = 7 + sum(k, 0, 6000, in[k] == i)
// RUN: bytes global=300 local=1
// ARG: bins uint[256] = 0
// ARG: in uchar[300] = random(2, 0, 255)
// EXPECT: bins = sum(k, 0, 300, in[k] == i)
// RUN: far global=9000 local=100
// ARG: words uint[8192] = 1
// ARG: step uint = 2039
// EXPECT: words = 1 + (1 + (i * 2503 % 8192 < 808)) * 5 - (1 + ((i + 8191) * 2503 % 8192 < 808)) * 3
// RUN: far global=4500 local=100
// ARG: words uint[8192] = 20000
// ARG: step uint = 16
// EXPECT: words = 20000 + (i % 16 == 0) * (8 + (i / 16 < 404)) * 5 - (i % 16 == 1) * (8 + (i / 16 < 404)) * 3
// RUN: bits global=5000
// ARG: words ulong[8] = 0
// ARG: in uint[5000] = random(3, 0, 511)
// EXPECT: words where sum(b, 0, 64, (it >> b & 1) != (sum(k, 0, 5000, in[k] == i * 64 + b) > 0)) == 0
// RUN: least global=6000
// ARG: least int[5] = {-2000000000, 0, 2000000000, 100, -100}
// ARG: in int[6000] = random(4, -1000000, 1000000)
// EXPECT: least = min(least[i], minof(k, 0, 1200, in[k * 5 + i] < 1000 || (k * 5 + i) % 3 ? in[k * 5 + i] : 2000000000))
// RUN: most_without_sign global=6000
// ARG: most ulong[3] = {1, 18446744073709551615, 9223372036854775808}
// ARG: in ulong[6000] = ulong(i) * 3000000000000000
// EXPECT: most = {17991000000000000000, 18446744073709551615, 17997000000000000000}
// RUN: own_word_afterwards global=5000
// ARG: words int[5000] = i
// ARG: found int[5000] = 0
// EXPECT: words = i + 6
// EXPECT: found = i + 3 + 3 * (i + 5)
// RUN: rounds global=4096
// ARG: bins uint[64] = 0
// ARG: in uint[65536] = random(5, 0, 63)
// EXPECT: bins = sum(k, 0, 65536, in[k] == i)
// RUN: one_buffer global=1
// ARG: words uint[64] = i % 8
// EXPECT: words = {8, 10, 9, 12, 11, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}
// RUN: kinds global=5000
// ARG: word int[2] = {5, 9}
// EXPECT: word = {1004, 9}
// RUN: merged global=8192 local=64
// ARG: bins uint[64] = 3
// ARG: in uint[8192] = random(6, 0, 63)
// EXPECT: bins = 3 + sum(k, 0, 8192, in[k] == i)
kernel void bytes(global uint *bins, global const uchar *in)
{
    atomic_inc(&bins[in[get_global_id(0)]]);
}

// More words than any table has, and words that are far apart.
// 2503 * 2039 is 1 of 8192: word i is changed in round i * 2503 % 8192.
kernel void far(global uint *words, uint step)
{
    uint place = get_global_id(0) * step;

    atomic_add(&words[place % 8192], 5);
    atomic_sub(&words[(place + 1) % 8192], 3);
}

kernel void bits(global atomic_ulong *words, global const uint *in)
{
    uint bit = in[get_global_id(0)];

    atomic_fetch_or_explicit(&words[bit / 64], 1ul << (bit % 64), memory_order_relaxed, memory_scope_device);
}

kernel void least(global int *least, global const int *in)
{
    int i = get_global_id(0);

    if (in[i] < 1000 || i % 3)
        atomic_min(&least[i % 5], in[i]);
}

kernel void most_without_sign(global ulong *most, global const ulong *in)
{
    int i = get_global_id(0);

    atom_max(&most[i % 3], in[i]);
}

// Each item's own word: no race.
kernel void own_word_afterwards(global int *words, global int *found)
{
    int i = get_global_id(0);

    atomic_add(&words[i], 3);
    found[i] = words[i];
    words[i] += 2;
    found[i] += words[i] * 3;
    atomic_inc(&words[i]);
}

kernel void rounds(global uint *restrict bins, global const uint *restrict in)
{
    for (uint i = get_global_id(0); i < 65536; i += get_global_size(0))
        atomic_inc(&bins[in[i]]);
}

// What is counted decides what is counted next.
kernel void one_buffer(global uint *words)
{
    for (int i = 0; i < 64; i++)
        atomic_inc(&words[(words[i] + 1) % 8]);
}

// Sums and maxima of one word do not come to the same in any order.
kernel void kinds(global int *word)
{
    int i = get_global_id(0);

    if (i == 0) {
        atomic_add(word, 1000);
        atomic_max(word, 1003);
        atomic_sub(word, 1);
    }
}

kernel void merged(global uint *bins, global const uint *in)
{
    local uint count[64];
    uint l = get_local_id(0);

    count[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count[in[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], count[l]);
}
