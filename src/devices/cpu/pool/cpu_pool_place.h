// SPDX-License-Identifier: MIT
// On which CPU a worker goes on when it was woken: not on that of the thread that woke
// it, which has more to do there (it enqueues, or helps). The system looks for an idle
// CPU among those that share a cache only while few of them are busy (Linux's SIS_UTIL):
// where two do and one is busy, threads stay on that one for long, and take turns.
#ifndef TF_DEVICES_CPU_POOL_CPU_POOL_PLACE_H
#define TF_DEVICES_CPU_POOL_CPU_POOL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

// All zero at first. A worker's; under the pool's lock.
struct tf_pool_place {
    int waker_cpu;     // of who woke it last
    uint64_t moved_ns; // when it went away last
};

// Called by the thread that wakes the worker.
void tf_place_woken(struct tf_pool_place *place);
// Whether the worker, which calls this, is in the way of who woke it and should move. Not
// so soon after it has: the system has put it back then, and knows why.
bool tf_place_is_shared(struct tf_pool_place *place, uint64_t now_ns);
// Moves the calling thread to another of the CPUs that it may use, which stay what they
// are; nothing where it has no other. System calls and more: some ten microseconds.
void tf_place_leave(int cpu);

#endif // TF_DEVICES_CPU_POOL_CPU_POOL_PLACE_H
