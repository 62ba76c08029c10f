// SPDX-License-Identifier: MIT
// A pool and the work that lies in it: what is added, what a worker takes next, what a
// waiting host thread takes. Private to cpu_pool*.c.
#ifndef TF_DEVICES_CPU_POOL_CPU_POOL_WORK_H
#define TF_DEVICES_CPU_POOL_CPU_POOL_WORK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/thread.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/pool/cpu_pool.h"

struct tf_pool_worker;

enum { TF_POOL_MAX_SPARE = 4 };

struct tf_pool {
    const struct tf_pool_client *client; // constant
    struct tf_mutex lock;
    struct tf_command *first_run TF_GUARDED_BY(&lock);
    struct tf_command *last_run TF_GUARDED_BY(&lock);
    struct tf_unit *units TF_GUARDED_BY(&lock); // oldest first
    struct tf_unit *last_unit TF_GUARDED_BY(&lock);
    struct tf_pool_worker *idle TF_GUARDED_BY(&lock);
    // Out of work, but still looking: is given work before the idle ones. Written under
    // the lock.
    _Atomic(struct tf_pool_worker *) spinner;
    atomic_uint run_count; // runs that nobody has begun; written under the lock
    unsigned started TF_GUARDED_BY(&lock); // workers, one that is to be made included
    unsigned away TF_GUARDED_BY(&lock);    // workers in callbacks: others stand in
    struct tf_exec *spare[TF_POOL_MAX_SPARE] TF_GUARDED_BY(&lock); // for helpers
    unsigned spare_count TF_GUARDED_BY(&lock);
    unsigned borrowed_count TF_GUARDED_BY(&lock); // ever, for their numbers
    unsigned users TF_GUARDED_BY(&lock);          // threads that keep the pool alive
    bool closing TF_GUARDED_BY(&lock);
    unsigned threads; // constant
    bool spins;       // constant: other threads can run while one spins
    union tf_cpu_set cpus;
    struct tf_pool *next; // in the list of all
};

void tf_pool_append_run(struct tf_pool *pool, struct tf_command *run)
    TF_REQUIRES(&pool->lock);
void tf_pool_append_unit(struct tf_pool *pool, struct tf_unit *unit)
    TF_REQUIRES(&pool->lock);
// Nobody joins the unit any more. Nothing happens to one that is not listed.
void tf_pool_unlist(struct tf_pool *pool, struct tf_unit *unit) TF_REQUIRES(&pool->lock);

bool tf_pool_is_work_left(const struct tf_pool *pool) TF_REQUIRES(&pool->lock);

// What a worker does next.
struct tf_pool_task tf_pool_take(struct tf_pool *pool) TF_REQUIRES(&pool->lock);
// What `cmd` waits for: see tf_pool_take_for().
struct tf_pool_task tf_pool_take_awaited(struct tf_pool *pool,
                                         const struct tf_command *cmd)
    TF_REQUIRES(&pool->lock);

#endif // TF_DEVICES_CPU_POOL_CPU_POOL_WORK_H
