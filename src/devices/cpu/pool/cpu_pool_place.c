// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_pool_place.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "devices/cpu/facts/cpu_topology.h"

enum {
    WAIT_NS = 1000000,        // from one move to the next
    MOST_WAIT_NS = 512000000, // where moves take long
    LONGER = 8,               // so many times longer after each
    LONG_MOVE_NS = 40000,     // the other CPU was busy, or slow to wake
    PATH_BYTES = 300,
    LINE_BYTES = 100,
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

// Threads that run or want to, on all CPUs of the system; 0: it does not say.
static unsigned long count_running(const char *root)
{
    char path[PATH_BYTES], line[LINE_BYTES] = "";
    const char *at = line;
    ssize_t bytes;
    int fd;

    if ((size_t)snprintf(path, sizeof(path), "%s/proc/loadavg", root) >= sizeof(path))
        return 0;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    bytes = read(fd, line, sizeof(line) - 1);
    close(fd);
    // "0.20 0.18 0.12 2/80 11206"
    for (int i = 0; bytes > 0 && at && i < 3; i++) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    return bytes > 0 && at ? strtoul(at, NULL, 10) : 0;
}

// This thread and the one that woke it run, and fewer than there are CPUs: one is idle.
static bool has_idle_cpu(const union tf_cpu_set *cpus, const char *root)
{
    const unsigned long running = count_running(root);

    return running >= 2 &&
           running <= (unsigned long)CPU_COUNT_S(TF_CPU_SET_BYTES, &cpus->set);
}

// To another of `cpus`, of which `cpu` is one. They are set again then, unless somebody
// else has set something meanwhile.
static void move(union tf_cpu_set *cpus, int cpu)
{
    union tf_cpu_set now;

    CPU_CLR_S((size_t)cpu, TF_CPU_SET_BYTES, &cpus->set);
    if (pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &cpus->set) ||
        !tf_cpu_topology_mask(&now) ||
        !CPU_EQUAL_S(TF_CPU_SET_BYTES, &now.set, &cpus->set))
        return;
    CPU_SET_S((size_t)cpu, TF_CPU_SET_BYTES, &cpus->set);
    (void)pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &cpus->set);
}

void tf_place_leave(struct tf_pool_place *place, int cpu, const char *root)
{
    const uint64_t begin_ns = tf_time_ns();
    union tf_cpu_set own;
    uint64_t end_ns;

    place->next_ns = begin_ns + WAIT_NS;
    if (cpu < 0 || cpu >= TF_CPU_MAX || !tf_cpu_topology_mask(&own) ||
        !CPU_ISSET_S((size_t)cpu, TF_CPU_SET_BYTES, &own.set) ||
        !has_idle_cpu(&own, root))
        return;
    move(&own, cpu);
    end_ns = tf_time_ns();
    if (end_ns - begin_ns < LONG_MOVE_NS || place->wait_ns < WAIT_NS)
        place->wait_ns = WAIT_NS;
    if (end_ns - begin_ns >= LONG_MOVE_NS && place->wait_ns < MOST_WAIT_NS)
        place->wait_ns *= LONGER;
    place->next_ns = end_ns + place->wait_ns;
}
