// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_pool_place.h"

#include <pthread.h>
#include <sched.h>

#include "devices/cpu/facts/cpu_topology.h"

enum { LEAST_NS_BETWEEN_MOVES = 1000000 };

void tf_place_woken(struct tf_pool_place *place)
{
    place->waker_cpu = sched_getcpu();
}

bool tf_place_is_shared(struct tf_pool_place *place, uint64_t now_ns)
{
    if (place->waker_cpu < 0 || sched_getcpu() != place->waker_cpu ||
        now_ns - place->moved_ns < LEAST_NS_BETWEEN_MOVES)
        return false;
    place->moved_ns = now_ns;
    return true;
}

void tf_place_leave(int cpu)
{
    union tf_cpu_set own, others;

    if (cpu < 0 || cpu >= TF_CPU_MAX || !tf_cpu_topology_mask(&own))
        return;
    others = own;
    CPU_CLR_S((size_t)cpu, TF_CPU_SET_BYTES, &others.set);
    if (!pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &others.set))
        (void)pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &own.set);
}
