// SPDX-License-Identifier: MIT
// What the files of the pool share: its workers' (cpu_pool.c) and that of host threads
// that help (cpu_pool_help.c). For nobody else.
#ifndef TF_DEVICES_CPU_POOL_CPU_POOL_INSIDE_H
#define TF_DEVICES_CPU_POOL_CPU_POOL_INSIDE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/attr.h"
#include "base/thread.h"
#include "devices/cpu/facts/cpu_topology.h"
#include "devices/cpu/pool/cpu_pool.h"
#include "devices/cpu/pool/cpu_pool_habit.h"
#include "devices/cpu/pool/cpu_work_list.h"

enum { TF_POOL_MAX_SPARE = 4 }; // of what host threads borrow

struct tf_pool {
    const struct tf_pool_client *client; // constant
    struct tf_mutex lock;
    struct tf_work_list work TF_GUARDED_BY(&lock);
    struct tf_pool_worker *idle TF_GUARDED_BY(&lock);
    // Out of work, but still looking: is given work before the idle ones. Written under
    // the lock.
    _Atomic(struct tf_pool_worker *) spinner;
    struct tf_pool_habit habit TF_GUARDED_BY(&lock);
    unsigned started TF_GUARDED_BY(&lock); // workers, one that is to be made included
    unsigned away TF_GUARDED_BY(&lock);    // workers in callbacks: others stand in
    struct tf_exec *spare[TF_POOL_MAX_SPARE] TF_GUARDED_BY(&lock);
    unsigned spare_count TF_GUARDED_BY(&lock);
    unsigned borrowed_count TF_GUARDED_BY(&lock); // ever, for their numbers
    unsigned users TF_GUARDED_BY(&lock);          // threads that keep the pool alive
    bool closing TF_GUARDED_BY(&lock);
    unsigned threads; // constant
    bool spins;       // constant: other threads can run while one spins
    union tf_cpu_set cpus;
    atomic_int cores;     // 0: nobody has asked; 1 + whether the CPUs are of several
    struct tf_pool *next; // in the list of all
};

extern TF_THREAD_LOCAL struct tf_pool_worker *tf_pool_self; // NULL on host threads

static inline bool tf_pool_is_task(const struct tf_pool_task *task)
{
    return task->run || task->unit;
}

// Wakes one idle worker. Otherwise, if another thread may be started, reserves its number
// and returns true: the caller starts it when it has dropped the lock.
bool tf_pool_wake_one(struct tf_pool *pool, unsigned *number) TF_NODISCARD
    TF_REQUIRES(&pool->lock);
void tf_pool_start_worker(struct tf_pool *pool, unsigned number) TF_EXCLUDES(&pool->lock);

// A thread does not touch the pool any more; nobody does once it is closing and that was
// the last.
void tf_pool_drop_user(struct tf_pool *pool) TF_EXCLUDES(&pool->lock);
// For the last user of a pool that is closing.
void tf_pool_destroy(struct tf_pool *pool);

#endif // TF_DEVICES_CPU_POOL_CPU_POOL_INSIDE_H
