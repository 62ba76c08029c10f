// SPDX-License-Identifier: MIT
// All items change one word: in straight code, where only some come by, in loops that they
// leave one after the other, in local memory. What they find tells whether they came one
// after the other.
// BUILD: options="-cl-std=CL3.0 -DT=int -DSTART=-7"
// RUN: sums_cover_a_range global=1000
// ARG: n int[2] = {0, 3997}
// ARG: seen int[3997] = 0
// EXPECT: n = {3997, 0}
// EXPECT: seen = 2
// RUN: some_count_in_loops global=999
// ARG: n int[1] = -7
// ARG: seen int[2000] = 0
// EXPECT: n = -7 + sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0)
// EXPECT: seen = i < sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0) ? 1 : 0
// RUN: limits_rise_and_fall global=777
// ARG: in int[777] = random(3, -30000, 1000000)
// ARG: n int[4] = {5, 5, 100, 100}
// ARG: steps long[2] = 0
// EXPECT: n[0] = minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// EXPECT: n[1] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5)
// EXPECT: n[2] = minof(k, 0, 777, in[k] < 100 ? in[k] : 100)
// EXPECT: n[3] = 100
// EXPECT: steps[0] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5) - 5
// EXPECT: steps[1] = 5 - minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// RUN: bits_change_once global=1024
// ARG: n int[4] = {0, -1, 0, 0}
// ARG: seen int[4] = 0
// EXPECT: n = {-1, 0, 0, -1}
// EXPECT: seen = {4 * 8, 4 * 8, 512, 4 * 8}
// RUN: each_group_counts global=480 local=48
// ARG: seen int[480] = 0
// ARG: n int[1] = 0
// EXPECT: seen = 1
// EXPECT: n = 480 * 3
// BUILD: options="-cl-std=CL3.0 -DT=uint -DSTART=5"
// RUN: sums_cover_a_range global=1000
// ARG: n uint[2] = {0, 3997}
// ARG: seen int[3997] = 0
// EXPECT: n = {3997, 0}
// EXPECT: seen = 2
// RUN: some_count_in_loops global=999
// ARG: n uint[1] = 5
// ARG: seen int[2000] = 0
// EXPECT: n = 5 + sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0)
// EXPECT: seen = i < sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0) ? 1 : 0
// RUN: limits_rise_and_fall global=777
// ARG: in uint[777] = random(3, 0, 1000000)
// ARG: n uint[4] = {5, 5, 100, 100}
// ARG: steps long[2] = 0
// EXPECT: n[0] = minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// EXPECT: n[1] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5)
// EXPECT: n[2] = minof(k, 0, 777, in[k] < 100 ? in[k] : 100)
// EXPECT: n[3] = 100
// EXPECT: steps[0] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5) - 5
// EXPECT: steps[1] = 5 - minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// RUN: bits_change_once global=1024
// ARG: n uint[4] = {0, 4294967295, 0, 0}
// ARG: seen int[4] = 0
// EXPECT: n = {4294967295, 0, 0, 4294967295}
// EXPECT: seen = {4 * 8, 4 * 8, 512, 4 * 8}
// RUN: each_group_counts global=480 local=48
// ARG: seen int[480] = 0
// ARG: n uint[1] = 0
// EXPECT: seen = 1
// EXPECT: n = 480 * 3
// BUILD: options="-cl-std=CL3.0 -DT=long -DSTART=-1099511627776"
// RUN: sums_cover_a_range global=1000
// ARG: n long[2] = {0, 3997}
// ARG: seen int[3997] = 0
// EXPECT: n = {3997, 0}
// EXPECT: seen = 2
// RUN: some_count_in_loops global=999
// ARG: n long[1] = -1099511627776
// ARG: seen int[2000] = 0
// EXPECT: n = -1099511627776 + sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0)
// EXPECT: seen = i < sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0) ? 1 : 0
// RUN: limits_rise_and_fall global=777
// ARG: in long[777] = random(3, -30000, 1099511627776)
// ARG: n long[4] = {5, 5, 100, 100}
// ARG: steps long[2] = 0
// EXPECT: n[0] = minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// EXPECT: n[1] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5)
// EXPECT: n[2] = minof(k, 0, 777, in[k] < 100 ? in[k] : 100)
// EXPECT: n[3] = 100
// EXPECT: steps[0] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5) - 5
// EXPECT: steps[1] = 5 - minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// RUN: bits_change_once global=1024
// ARG: n long[4] = {0, -1, 0, 0}
// ARG: seen int[4] = 0
// EXPECT: n = {-1, 0, 0, -1}
// EXPECT: seen = {8 * 8, 8 * 8, 512, 8 * 8}
// RUN: each_group_counts global=480 local=48
// ARG: seen int[480] = 0
// ARG: n long[1] = 0
// EXPECT: seen = 1
// EXPECT: n = 480 * 3
// BUILD: options="-cl-std=CL3.0 -DT=ulong -DSTART=1099511627776"
// RUN: sums_cover_a_range global=1000
// ARG: n ulong[2] = {0, 3997}
// ARG: seen int[3997] = 0
// EXPECT: n = {3997, 0}
// EXPECT: seen = 2
// RUN: some_count_in_loops global=999
// ARG: n ulong[1] = 1099511627776
// ARG: seen int[2000] = 0
// EXPECT: n = 1099511627776 + sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0)
// EXPECT: seen = i < sum(k, 0, 999, k % 3 == 1 ? k % 5 : 0) ? 1 : 0
// RUN: limits_rise_and_fall global=777
// ARG: in ulong[777] = random(3, 0, 1099511627776)
// ARG: n ulong[4] = {5, 5, 100, 100}
// ARG: steps long[2] = 0
// EXPECT: n[0] = minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// EXPECT: n[1] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5)
// EXPECT: n[2] = minof(k, 0, 777, in[k] < 100 ? in[k] : 100)
// EXPECT: n[3] = 100
// EXPECT: steps[0] = maxof(k, 0, 777, in[k] > 5 ? in[k] : 5) - 5
// EXPECT: steps[1] = 5 - minof(k, 0, 777, in[k] < 5 ? in[k] : 5)
// RUN: bits_change_once global=1024
// ARG: n ulong[4] = {0, 18446744073709551615, 0, 0}
// ARG: seen int[4] = 0
// EXPECT: n = {18446744073709551615, 0, 0, 18446744073709551615}
// EXPECT: seen = {8 * 8, 8 * 8, 512, 8 * 8}
// RUN: each_group_counts global=480 local=48
// ARG: seen int[480] = 0
// ARG: n ulong[1] = 0
// EXPECT: seen = 1
// EXPECT: n = 480 * 3
#pragma OPENCL EXTENSION all : enable

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
typedef CAT(atomic_, T) word;
enum { BITS = sizeof(T) * 8 };

kernel void sums_cover_a_range(global word *n, global int *seen)
{
    uint i = get_global_id(0), by = i % 7 + 1;
    T first = atomic_fetch_add(&n[0], (T)by);
    T last = atomic_fetch_sub_explicit(&n[1], (T)by, memory_order_relaxed);

    for (uint k = 0; k < by; k++) {
        atomic_inc(&seen[first + k]);
        atomic_inc(&seen[last - 1 - k]);
    }
}

kernel void some_count_in_loops(global word *n, global int *seen)
{
    uint i = get_global_id(0);

    if (i % 3 == 1)
        for (uint k = 0; k < i % 5; k++)
            atomic_inc(&seen[atomic_fetch_add_explicit(n, (T)1, memory_order_acq_rel,
                                                       memory_scope_device) - START]);
}

// The steps add up to the way that the limit has gone.
kernel void limits_rise_and_fall(global const T *in, global word *n, global long *steps)
{
    uint i = get_global_id(0);
    T x = in[i], least = atomic_fetch_min(&n[0], x), most = atomic_fetch_max(&n[1], x);

    if (x > most)
        atom_add(&steps[0], (long)(x - most));
    if (x < least)
        atom_add(&steps[1], (long)(least - x));
    atomic_fetch_min(&n[2], x);
    atomic_fetch_max(&n[3], (T)100 - (T)(i % 100));
}

// Each bit is seen to change by one item; of two that flip it one finds it set.
kernel void bits_change_once(global word *n, global int *seen)
{
    uint i = get_global_id(0);
    T bit = (T)1 << i % BITS;

    if (!(atomic_fetch_or(&n[0], bit) & bit))
        atomic_inc(&seen[0]);
    if (atomic_fetch_and(&n[1], ~bit) & bit)
        atomic_inc(&seen[1]);
    if (atomic_fetch_xor(&n[2], bit) & bit)
        atomic_inc(&seen[2]);
    if (i / BITS == 3) // fewer lanes
        if (!(atomic_fetch_xor(&n[3], bit) & bit))
            atomic_inc(&seen[3]);
}

kernel void each_group_counts(global int *seen, global word *n)
{
    local word here, once;
    uint l = get_local_id(0), base = get_group_id(0) * 48;

    if (l == 0) {
        atomic_init(&here, 0);
        atomic_init(&once, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 2)
        seen[base + atomic_fetch_add(&here, (T)1)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 2 == 0)
        seen[base + atomic_fetch_add(&here, (T)1)] = 1;
    for (uint k = 0; k < 3; k++)
        atomic_fetch_add(&once, (T)1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        atomic_fetch_add(n, atomic_load(&once));
}
