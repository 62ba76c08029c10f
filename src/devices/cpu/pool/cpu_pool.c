// SPDX-License-Identifier: MIT
// Idle workers wait on a condition of their own and form a stack: the one that stopped
// last has the warmest caches and is woken first. Waking is a chain: whoever finds more
// work than it takes wakes one more, so that a short launch is over before many threads
// have stirred.
#include "devices/cpu/pool/cpu_pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/time.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/pool/cpu_pool_inside.h"

enum {
    SPIN_NS = 2000,
    SHORT_SLEEP_NS = 50000, // after one like that the worker spins before the next
    WORKER_STACK_BYTES = 0, // the system's: for native kernels and callbacks
};

// All pools, for a forked child, and for the end of the main thread.
static struct {
    struct tf_mutex lock;
    struct tf_pool *first TF_GUARDED_BY(&lock);
} pools = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_POOLS)};

TF_THREAD_LOCAL struct tf_pool_worker *tf_pool_self;

unsigned tf_pool_threads(const struct tf_pool *pool)
{
    return pool->threads;
}

bool tf_pool_has_cores(struct tf_pool *pool)
{
    TF_UNCANCELLED; // a file
    int cores = atomic_load_explicit(&pool->cores, memory_order_relaxed);

    if (cores == 0) {
        cores = 1 + tf_cpu_topology_has_cores("", &pool->cpus);
        atomic_store_explicit(&pool->cores, cores, memory_order_relaxed);
    }
    return cores > 1;
}

// ---- Life ----

// All that idle look how long they may stay.
static void stir_workers(struct tf_idler *unused)
{
    (void)unused;
    tf_lock(&pools.lock);
    for (struct tf_pool *pool = pools.first; pool; pool = pool->next) {
        tf_lock(&pool->lock);
        for (struct tf_pool_worker *w = pool->idle; w; w = w->next_idle)
            tf_cond_signal_all(&w->wake);
        tf_unlock(&pool->lock);
    }
    tf_unlock(&pools.lock);
}

static struct tf_idler idler = {.wake = stir_workers};

struct tf_pool *tf_pool_new(const struct tf_pool_client *client, unsigned threads,
                            const union tf_cpu_set *cpus)
{
    struct tf_pool *pool = tf_zalloc(sizeof(*pool));

    if (!pool)
        return NULL;
    pool->client = client;
    tf_mutex_init(&pool->lock, TF_RANK_DEVICE);
    pool->threads = threads > 0 ? threads : 1;
    pool->cpus = *cpus;
    pool->spins = CPU_COUNT_S(TF_CPU_SET_BYTES, &tf_cpu_info_mask()->set) > 1;
    tf_idler_add(&idler);
    tf_lock(&pools.lock);
    pool->next = pools.first;
    pools.first = pool;
    tf_unlock(&pools.lock);
    return pool;
}

static void unlist_pool(struct tf_pool *pool)
{
    struct tf_pool **at;

    tf_lock(&pools.lock);
    for (at = &pools.first; *at != pool; at = &(*at)->next)
        continue;
    *at = pool->next;
    tf_unlock(&pools.lock);
}

void tf_pool_destroy(struct tf_pool *pool) TF_NO_TSA
{
    unlist_pool(pool);
    while (pool->spare_count > 0)
        pool->client->exec_free(pool->spare[--pool->spare_count]);
    tf_mutex_finish(&pool->lock);
    tf_free(pool);
}

void tf_pool_drop_user(struct tf_pool *pool)
{
    bool is_last;

    tf_lock(&pool->lock);
    is_last = --pool->users == 0 && pool->closing;
    tf_unlock(&pool->lock);
    if (is_last)
        tf_pool_destroy(pool);
}

static void wake_worker(struct tf_pool_worker *worker)
{
    worker->woken = true;
    tf_place_woken(&worker->place);
    tf_cond_signal_all(&worker->wake);
}

void tf_pool_free(struct tf_pool *pool)
{
    if (!pool)
        return;
    tf_lock(&pool->lock);
    pool->users++;
    pool->closing = true;
    for (struct tf_pool_worker *w = pool->idle, *next; w; w = next) {
        next = w->next_idle;
        wake_worker(w);
    }
    pool->idle = NULL;
    tf_unlock(&pool->lock);
    tf_pool_drop_user(pool);
}

// ---- Workers ----

static void *worker_main(void *arg);

bool tf_pool_wake_one(struct tf_pool *pool, unsigned *number)
{
    struct tf_pool_worker *worker = pool->idle;

    if (atomic_load_explicit(&pool->spinner, memory_order_relaxed)) {
        atomic_store_explicit(&pool->spinner, NULL, memory_order_relaxed);
        return false;
    }
    if (worker) {
        pool->idle = worker->next_idle;
        wake_worker(worker);
        return false;
    }
    if (pool->started >= pool->threads + pool->away)
        return false;
    *number = pool->started++;
    pool->users++;
    return true;
}

static void worker_free(struct tf_pool_worker *worker)
{
    if (!worker)
        return;
    worker->pool->client->exec_free(worker->exec);
    tf_cond_finish(&worker->wake);
    tf_free(worker);
}

static struct tf_pool_worker *worker_new(struct tf_pool *pool, unsigned number)
{
    struct tf_pool_worker *worker = tf_zalloc(sizeof(*worker));

    if (!worker)
        return NULL;
    tf_cond_init(&worker->wake);
    worker->pool = pool;
    worker->number = number;
    worker->exec = pool->client->exec_new(number);
    if (!worker->exec) {
        worker_free(worker);
        return NULL;
    }
    return worker;
}

static struct tf_pool_task take(struct tf_pool *pool) TF_REQUIRES(&pool->lock)
{
    const struct tf_pool_task task = tf_work_take(&pool->work);

    if (task.run)
        tf_habit_taken(&pool->habit);
    return task;
}

static struct tf_pool_task take_task(struct tf_pool *pool)
{
    struct tf_pool_task task;

    tf_lock(&pool->lock);
    task = take(pool);
    tf_unlock(&pool->lock);
    return task;
}

// Does what waits on a thread that is no worker. False without memory.
static bool work_here(struct tf_pool *pool, unsigned number)
{
    struct tf_pool_worker here = {
        .pool = pool, .exec = pool->client->exec_new(number), .works_alone = true};
    struct tf_pool_worker *const before = tf_pool_self;
    struct tf_pool_task task;

    if (!here.exec)
        return false;
    tf_pool_self = &here;
    while (task = take_task(pool), tf_pool_is_task(&task)) {
        pool->client->work(pool, here.exec, &task);
        pool->client->exec_trim(here.exec);
    }
    tf_pool_self = before;
    pool->client->exec_free(here.exec);
    return true;
}

static void refuse_runs(struct tf_pool *pool)
{
    struct tf_command *refused;

    tf_lock(&pool->lock);
    refused = tf_work_drop_runs(&pool->work);
    tf_unlock(&pool->lock);
    for (struct tf_command *next; refused; refused = next) {
        next = refused->dev_next_run;
        pool->client->reject(refused);
    }
}

// With no worker at all nobody would ever run what waits: this thread does.
static void start_failed(struct tf_pool *pool, unsigned number, int error)
    TF_EXCLUDES(&pool->lock)
{
    bool is_none;

    tf_lock(&pool->lock);
    is_none = --pool->started == 0;
    tf_unlock(&pool->lock);
    tf_log(TF_LOG_ERROR, "a thread to run kernels could not be started: %s",
           strerror(error));
    if (is_none && !(tf_pool_self && tf_pool_self->works_alone) &&
        !work_here(pool, number))
        refuse_runs(pool);
    tf_pool_drop_user(pool);
}

void tf_pool_start_worker(struct tf_pool *pool, unsigned number)
{
    struct tf_pool_worker *worker = worker_new(pool, number);
    char name[16];
    int error;

    snprintf(name, sizeof(name), "trefoil-w%hu", (unsigned short)number);
    if (worker && tf_thread_start(name, WORKER_STACK_BYTES, worker_main, worker))
        return;
    error = worker ? errno : ENOMEM;
    worker_free(worker);
    start_failed(pool, number, error);
}

static void wake(struct tf_pool *pool, unsigned count) TF_EXCLUDES(&pool->lock)
{
    while (count-- > 0) {
        unsigned number;
        bool starts;

        tf_lock(&pool->lock);
        starts = tf_pool_wake_one(pool, &number);
        tf_unlock(&pool->lock);
        if (starts)
            tf_pool_start_worker(pool, number);
    }
}

// The worker runs the callbacks that are due. They may block: it does not count as a
// worker meanwhile.
static void run_callbacks(struct tf_pool *pool, struct tf_pool_worker *worker)
    TF_REQUIRES(&pool->lock)
{
    pool->away++;
    tf_unlock(&pool->lock);
    worker->in_user_code = true;
    tf_worker_run_due();
    worker->in_user_code = false;
    tf_lock(&pool->lock);
    if (pool->away > 0) // 0: the callback has forked
        pool->away--;
}

// Work that comes soon is cheaper to wait for than to be woken for. True if the lock was
// free meanwhile: the worker has to look again.
static bool spin_for_work(struct tf_pool *pool, struct tf_pool_worker *worker)
    TF_REQUIRES(&pool->lock)
{
    uint64_t end_ns;
    bool is_claimed;

    if (!worker->spin_pays || atomic_load_explicit(&pool->spinner, memory_order_relaxed))
        return false;
    atomic_store_explicit(&pool->spinner, worker, memory_order_relaxed);
    tf_unlock(&pool->lock);
    end_ns = tf_time_ns() + SPIN_NS;
    do
        is_claimed = atomic_load_explicit(&pool->spinner, memory_order_relaxed) != worker;
    while (!is_claimed && tf_time_ns() < end_ns);
    tf_lock(&pool->lock);
    is_claimed = atomic_load_explicit(&pool->spinner, memory_order_relaxed) != worker;
    if (!is_claimed)
        atomic_store_explicit(&pool->spinner, NULL, memory_order_relaxed);
    worker->spin_pays = is_claimed;
    return true;
}

static void stop_idling(struct tf_pool *pool, const struct tf_pool_worker *worker)
    TF_REQUIRES(&pool->lock)
{
    struct tf_pool_worker **at = &pool->idle;

    while (*at != worker)
        at = &(*at)->next_idle;
    *at = worker->next_idle;
}

// Sleeps for a while only. False: it has left those that idle, because there is work.
static bool nap(struct tf_pool *pool, struct tf_pool_worker *worker)
    TF_REQUIRES(&pool->lock)
{
    bool is_over;

    pool->habit.has_napper = true;
    is_over = !tf_cond_wait_ns(&worker->wake, &pool->lock, TF_HABIT_NAP_NS);
    pool->habit.has_napper = false;
    if (worker->woken)
        return true;
    if (tf_work_is_left(&pool->work)) {
        stop_idling(pool, worker);
        return false;
    }
    if (is_over)
        tf_habit_napped(&pool->habit);
    return true;
}

// The lock is free meanwhile.
static void keep_out_of_the_way(struct tf_pool *pool, struct tf_pool_worker *worker,
                                uint64_t now_ns) TF_REQUIRES(&pool->lock)
{
    const int cpu = worker->place.waker_cpu;

    if (!pool->spins || pool->closing || !tf_place_is_shared(&worker->place, now_ns))
        return;
    tf_unlock(&pool->lock);
    (void)tf_place_leave(&worker->place, cpu, "");
    tf_lock(&pool->lock);
}

// Until the worker is woken, or finds work; the lock is free meanwhile. False: it is to
// end.
static bool sleep_until_woken(struct tf_pool *pool, struct tf_pool_worker *worker)
    TF_REQUIRES(&pool->lock)
{
    const uint64_t begin_ns = tf_time_ns();
    uint64_t now_ns;

    worker->woken = false;
    worker->next_idle = pool->idle;
    pool->idle = worker;
    while (!worker->woken) {
        if (tf_habit_holds(&pool->habit) && !pool->habit.has_napper) {
            if (!nap(pool, worker))
                return true;
        } else if (!tf_idle_wait(&worker->wake, &pool->lock) && !worker->woken) {
            stop_idling(pool, worker);
            return false;
        }
    }
    now_ns = tf_time_ns();
    worker->spin_pays = pool->spins && now_ns - begin_ns < SHORT_SLEEP_NS;
    keep_out_of_the_way(pool, worker, now_ns);
    return true;
}

// Nothing when the worker is to end: the pool is closing, there is one too many, or it
// idles after the main thread.
static struct tf_pool_task wait_for_task(struct tf_pool *pool,
                                         struct tf_pool_worker *worker)
    TF_EXCLUDES(&pool->lock)
{
    struct tf_pool_task task;
    unsigned number;
    bool starts;

    tf_lock(&pool->lock);
    for (;;) {
        task = take(pool);
        if (tf_pool_is_task(&task))
            break;
        if (tf_worker_has_due()) {
            run_callbacks(pool, worker);
        } else if (pool->closing || pool->started > pool->threads + pool->away) {
            pool->started--;
            break;
        } else if (!spin_for_work(pool, worker) && !sleep_until_woken(pool, worker)) {
            pool->started--;
            break;
        }
    }
    starts = tf_work_is_left(&pool->work) && tf_pool_wake_one(pool, &number);
    tf_unlock(&pool->lock);
    if (starts)
        tf_pool_start_worker(pool, number);
    return task;
}

static void *worker_main(void *arg)
{
    struct tf_pool_worker *worker = arg;
    struct tf_pool *pool = worker->pool;
    union tf_cpu_set cpus = pool->cpus;
    struct tf_pool_task task;

    tf_pool_self = worker;
    if (tf_env_number(TF_ENV_PIN, 0))
        tf_cpu_set_keep_one(&cpus, worker->number);
    // Inherited CPUs are those of whatever thread was the first to have work.
    if (pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &cpus.set))
        tf_log(TF_LOG_DEVICE, "a worker thread could not be put on its CPUs");
    tf_worker_begins();
    while (task = wait_for_task(pool, worker), tf_pool_is_task(&task)) {
        tf_worker_hand_over();
        pool->client->work(pool, worker->exec, &task);
        tf_pool_wake_for_own(true);
        pool->client->exec_trim(worker->exec);
    }
    tf_worker_ends();
    tf_pool_self = NULL;
    worker_free(worker);
    tf_pool_drop_user(pool);
    return NULL;
}

// ---- For the layer above ----

void tf_pool_push(struct tf_pool *pool, struct tf_command *run)
{
    const bool is_kept = run->thread != NULL;
    const bool is_own = is_kept || (tf_pool_self && tf_pool_self->pool == pool &&
                                    !tf_pool_self->in_user_code);
    bool starts = false, is_only;
    unsigned number;

    // In one piece: once the run can be taken, the pool may go before this returns.
    tf_lock(&pool->lock);
    is_only = !tf_work_is_left(&pool->work);
    tf_work_add_run(&pool->work, run);
    if (!is_own && !tf_habit_leaves(&pool->habit, is_only))
        starts = tf_pool_wake_one(pool, &number);
    tf_unlock(&pool->lock);
    if (is_kept)
        tf_command_kept(run);
    else if (is_own)
        tf_pool_self->own_pushes++;
    if (starts)
        tf_pool_start_worker(pool, number);
}

void tf_pool_wake_for_own(bool takes_one)
{
    unsigned count;

    if (!tf_pool_self)
        return;
    count = tf_pool_self->own_pushes;
    tf_pool_self->own_pushes = 0;
    if (takes_one && count > 0) {
        count--;
        tf_pool_self->has_skipped = true;
    }
    wake(tf_pool_self->pool, count);
}

bool tf_pool_has_runs(const struct tf_pool *pool) TF_NO_TSA
{
    return atomic_load_explicit(&pool->work.run_count, memory_order_relaxed) > 0;
}

void tf_pool_user_code(bool begins)
{
    if (!tf_pool_self)
        return;
    tf_pool_self->in_user_code = begins;
    if (begins)
        tf_worker_ends();
    else
        tf_worker_begins();
}

void tf_pool_offer(struct tf_pool *pool, struct tf_unit *unit)
{
    unsigned number;
    bool starts;

    tf_lock(&pool->lock);
    unit->users = 1;
    unit->is_shared = true;
    tf_work_add_unit(&pool->work, unit);
    starts = pool->threads > 1 && tf_pool_wake_one(pool, &number);
    tf_unlock(&pool->lock);
    if (starts)
        tf_pool_start_worker(pool, number);
}

void tf_pool_share(struct tf_pool *pool, struct tf_unit *unit)
{
    if (unit->cmd->thread) // it has no users, and is_shared stays false
        return;
    tf_lock(&pool->lock);
    unit->users = 1;
    unit->is_shared = true;
    tf_work_add_unit(&pool->work, unit);
    tf_unlock(&pool->lock);
}

void tf_pool_renew(struct tf_pool *pool, struct tf_unit *unit)
{
    unsigned number;
    bool starts = false;

    tf_lock(&pool->lock);
    if (unit->users > 0) {
        if (!unit->listed)
            tf_work_add_unit(&pool->work, unit);
        starts = pool->threads > 1 && tf_pool_wake_one(pool, &number);
    }
    tf_unlock(&pool->lock);
    if (starts)
        tf_pool_start_worker(pool, number);
}

bool tf_pool_leave(struct tf_pool *pool, struct tf_unit *unit)
{
    bool last;

    tf_lock(&pool->lock);
    last = --unit->users == 0;
    if (last || !unit->lasts || !tf_unit_is_left(unit))
        tf_work_remove_unit(&pool->work, unit);
    tf_unlock(&pool->lock);
    return last;
}

// ---- After a fork ----

static void forget_parent(struct tf_pool *pool) TF_NO_TSA
{
    tf_mutex_init(&pool->lock, TF_RANK_DEVICE);
    pool->work = (struct tf_work_list){0};
    pool->idle = NULL;
    pool->habit = (struct tf_pool_habit){0};
    atomic_init(&pool->spinner, NULL);
    pool->started = pool->away = 0;
    pool->users = 0;
    pool->spare_count = 0;
}

void tf_pool_forked(void) TF_NO_TSA
{
    tf_mutex_init(&pools.lock, TF_RANK_POOLS);
    for (struct tf_pool *pool = pools.first; pool; pool = pool->next)
        forget_parent(pool);
    tf_pool_self = NULL;
}
