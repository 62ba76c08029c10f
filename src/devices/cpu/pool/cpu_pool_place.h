// SPDX-License-Identifier: MIT
// On which CPU a worker goes on when it was woken: not on that of the thread that woke
// it, where that one has more to do there and another CPU is idle. The system looks
// for an idle CPU among those that share a cache only while few of them are busy (Linux's
// SIS_UTIL): where two do and one is busy, threads stay on that one for long, and take
// turns.
#ifndef TF_DEVICES_CPU_POOL_CPU_POOL_PLACE_H
#define TF_DEVICES_CPU_POOL_CPU_POOL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

// A worker's; all zero at first. `waker_cpu` under the pool's lock, the rest is its own.
struct tf_pool_place {
    int waker_cpu;    // of who woke it last
    uint64_t next_ns; // before then it does not move
    uint64_t wait_ns; // from a move to the next, at least
};

// Called by the thread that wakes the worker.
void tf_place_woken(struct tf_pool_place *place);
// Whether the worker, which calls this, is on the CPU of who woke it, and may move.
bool tf_place_is_shared(const struct tf_pool_place *place, uint64_t now_ns);
// Moves the worker, which calls this, to another of the CPUs that it may use, which stay
// what they are: if another thread wants to run, and there are CPUs for all that do. A
// file and system calls: some twenty microseconds. Moves that take long, since the other
// CPU was busy after all or slow to wake, are tried ever more seldom. `root` is put
// before every path ("" in earnest). False: it has not moved.
bool tf_place_leave(struct tf_pool_place *place, int cpu, const char *root);

#endif // TF_DEVICES_CPU_POOL_CPU_POOL_PLACE_H
