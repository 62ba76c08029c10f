// SPDX-License-Identifier: MIT
// Work-items that wait for a lock which a neighbour holds must not hold that up.
// RUN: count global=64 local=16
// ARG: lock int[1] = 0
// ARG: sum int[1] = 0
// EXPECT: sum = 64
kernel void count(volatile global int *lock, volatile global int *sum)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    sum[0] = sum[0] + 1;
    atomic_xchg(lock, 0);
}
