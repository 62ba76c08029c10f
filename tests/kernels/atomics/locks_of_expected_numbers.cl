// SPDX-License-Identifier: MIT
// Locks whose expected value is made in the loop. A lane that held one would wait behind the
// loop for those that wait for it.
// RUN: versions global=64 local=1
// ARG: lock uint[1] = 0
// ARG: sum float[1] = 0
// ARG: a float[64] = i
// EXPECT: sum = 64
// RUN: tickets global=64 local=64
// ARG: lock uint[2] = 0
// ARG: sum float[1] = 0
// ARG: a float[64] = i
// EXPECT: sum = 64
// RUN: bits global=64 local=64
// ARG: lock uint[1] = 0
// ARG: sum float[1] = 0
// ARG: a float[64] = i
// EXPECT: sum = 64
float work(float x)
{
    for (int i = 0; i < 100; i++)
        x = sqrt(x * 1.5f + 3.0f) * 0.5f + exp(-x);
    return x;
}

// Even: free.
kernel void versions(global volatile uint *lock, global float *sum, global const float *a)
{
    float x = work(a[get_global_id(0)]), one = x < -1 ? x : 1;
    uint seen, even = 0;
    do {
        seen = atomic_cmpxchg(lock, even, even + 1);
        if (seen == even)
            break;
        even = seen + (seen & 1);
    } while (1);
    *sum += one;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(lock);
}

// Items run in order of their tickets, which they take in the order in which they come.
kernel void tickets(global volatile uint *lock, global float *sum, global const float *a)
{
    float x = work(a[get_global_id(0)]), one = x < -1 ? x : 1;
    uint mine = atomic_inc(lock);
    while (atomic_add(lock + 1, 0) != mine)
        ;
    *sum += one;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(lock + 1);
}

// The exchange succeeds for those that do not get the lock, too.
kernel void bits(global volatile uint *lock, global float *sum, global const float *a)
{
    float x = work(a[get_global_id(0)]), one = x < -1 ? x : 1;
    uint seen = 0, expected;
    do {
        expected = seen;
        seen = atomic_cmpxchg(lock, expected, expected | 1);
    } while (seen != expected || (seen & 1));
    *sum += one;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_and(lock, 0xfffffffeu);
}
