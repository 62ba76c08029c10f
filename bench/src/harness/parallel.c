// SPDX-License-Identifier: MIT
#include "harness/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t work_available;
    pthread_cond_t work_finished;
    unsigned thread_count;
    unsigned busy_helpers;
    unsigned generation; /* grows by one with every parallel_for() */

    range_function *body;
    void *data;
    size_t count;
    size_t grain;
    atomic_size_t next;
} pool = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .work_available = PTHREAD_COND_INITIALIZER,
    .work_finished = PTHREAD_COND_INITIALIZER,
    .thread_count = 1,
};

static void take_pieces(void)
{
    for (;;) {
        size_t begin = atomic_fetch_add(&pool.next, pool.grain);
        if (begin >= pool.count)
            return;
        size_t left = pool.count - begin;
        pool.body(pool.data, begin, begin + (left < pool.grain ? left : pool.grain));
    }
}

static void *helper_main(void *unused)
{
    (void)unused;
    unsigned seen = 0;
    pthread_mutex_lock(&pool.mutex);
    for (;;) {
        while (pool.generation == seen)
            pthread_cond_wait(&pool.work_available, &pool.mutex);
        seen = pool.generation;
        pthread_mutex_unlock(&pool.mutex);
        take_pieces();
        pthread_mutex_lock(&pool.mutex);
        if (--pool.busy_helpers == 0)
            pthread_cond_signal(&pool.work_finished);
    }
    return NULL;
}

void parallel_start(unsigned count)
{
    for (pool.thread_count = 1; pool.thread_count < count; pool.thread_count++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, helper_main, NULL) != 0)
            abort();
        pthread_detach(thread);
    }
}

unsigned parallel_thread_count(void)
{
    return pool.thread_count;
}

void parallel_for(size_t count, size_t grain, range_function *body, void *data)
{
    pthread_mutex_lock(&pool.mutex);
    pool.body = body;
    pool.data = data;
    pool.count = count;
    pool.grain = grain ? grain : 1;
    atomic_store(&pool.next, 0);
    pool.busy_helpers = pool.thread_count - 1;
    pool.generation++;
    pthread_cond_broadcast(&pool.work_available);
    pthread_mutex_unlock(&pool.mutex);

    take_pieces();

    pthread_mutex_lock(&pool.mutex);
    while (pool.busy_helpers > 0)
        pthread_cond_wait(&pool.work_finished, &pool.mutex);
    pthread_mutex_unlock(&pool.mutex);
}
