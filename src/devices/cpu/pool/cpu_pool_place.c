// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_pool_place.h"

#include <pthread.h>
#include <sched.h>

#include "base/thread.h"
#include "base/time.h"
#include "devices/cpu/facts/cpu_info.h"

enum {
    WAIT_NS = 1000000,          // from one move to the next
    MOST_WAIT_NS = 512000000,   // where moves take long
    MOST_REFUSED_NS = 32000000, // where no CPU is idle
    LONG_MOVE_NS = 40000,       // the other CPU was busy, or slow to wake
};

void tf_place_woken(struct tf_pool_place *place)
{
    place->waker_cpu = sched_getcpu();
}

bool tf_place_is_shared(const struct tf_pool_place *place, uint64_t now_ns)
{
    return now_ns >= place->next_ns && place->waker_cpu >= 0 &&
           sched_getcpu() == place->waker_cpu;
}

// Whether another thread than this one wants to run, most likely the one that woke it,
// and there are CPUs for all that do.
static bool has_idle_cpu(const char *root)
{
    union tf_cpu_set own;
    unsigned long running, cpus;

    if (!tf_cpu_topology_mask(&own))
        return false;
    cpus = (unsigned long)CPU_COUNT_S(TF_CPU_SET_BYTES, &own.set);
    if (cpus < 2)
        return false;
    running = tf_cpu_info_running(root);
    return running >= 2 && running <= cpus;
}

// To another of the thread's CPUs, which are set again then, unless somebody else has set
// something meanwhile. False: it has not moved.
static bool move(int cpu)
{
    union tf_cpu_set own, now;

    if (!tf_cpu_topology_mask(&own) ||
        !CPU_ISSET_S((size_t)cpu, TF_CPU_SET_BYTES, &own.set))
        return false;
    CPU_CLR_S((size_t)cpu, TF_CPU_SET_BYTES, &own.set);
    if (pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &own.set))
        return false;
    if (!tf_cpu_topology_mask(&now) || !CPU_EQUAL_S(TF_CPU_SET_BYTES, &now.set, &own.set))
        return true;
    CPU_SET_S((size_t)cpu, TF_CPU_SET_BYTES, &own.set);
    (void)pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &own.set);
    return true;
}

// Waits of more than `most_ns` stay: they had another reason.
static uint64_t longer(uint64_t wait_ns, unsigned times, uint64_t most_ns)
{
    if (wait_ns < WAIT_NS)
        return WAIT_NS;
    if (wait_ns >= most_ns)
        return wait_ns;
    return wait_ns * times < most_ns ? wait_ns * times : most_ns;
}

bool tf_place_leave(struct tf_pool_place *place, int cpu, const char *root)
{
    TF_UNCANCELLED;
    uint64_t begin_ns = tf_time_ns(), end_ns = begin_ns;
    bool moves = cpu >= 0 && cpu < TF_CPU_MAX && has_idle_cpu(root);

    if (moves) {
        begin_ns = tf_time_ns();
        moves = move(cpu);
        end_ns = tf_time_ns();
    }
    if (!moves)
        place->wait_ns = longer(place->wait_ns, 2, MOST_REFUSED_NS);
    else if (end_ns - begin_ns < LONG_MOVE_NS)
        place->wait_ns = WAIT_NS;
    else
        place->wait_ns = longer(place->wait_ns, 8, MOST_WAIT_NS);
    place->next_ns = end_ns + place->wait_ns;
    return moves;
}
