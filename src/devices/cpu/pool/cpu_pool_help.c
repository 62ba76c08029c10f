// SPDX-License-Identifier: MIT
// Host threads that wait for a command work for it meanwhile: what they need for that is
// borrowed from the pool and kept for the next one.
#include "devices/cpu/pool/cpu_pool.h"

#include "base/time.h"
#include "devices/cpu/pool/cpu_pool_inside.h"

// False if the exec is one too many to be kept.
static bool keep_exec(struct tf_pool *pool, struct tf_exec *exec) TF_REQUIRES(&pool->lock)
{
    if (pool->spare_count == TF_POOL_MAX_SPARE)
        return false;
    pool->spare[pool->spare_count++] = exec;
    return true;
}

// What the thread may do of what it waits for. *starts: as tf_pool_wake_one() says.
static struct tf_pool_task take_awaited(struct tf_pool *pool,
                                        const struct tf_command *cmd, bool *starts,
                                        unsigned *number) TF_REQUIRES(&pool->lock)
{
    const struct tf_pool_task task =
        tf_work_take_awaited(&pool->work, cmd, pool->client->may_help);
    const uint64_t now_ns = pool->habit.left_ns > 0 ? tf_time_ns() : 0;

    *starts = tf_habit_waits(&pool->habit, task.run != NULL, now_ns) &&
              tf_pool_wake_one(pool, number);
    return task;
}

static void become_worker(struct tf_pool_helper *helper, struct tf_pool *pool,
                          struct tf_exec *exec)
{
    *helper = (struct tf_pool_helper){.worker = {.pool = pool, .exec = exec},
                                      .before = tf_pool_self};
    tf_pool_self = &helper->worker;
}

// The next task, or the end.
static bool go_on_helping(struct tf_pool *pool, struct tf_pool_helper *helper,
                          const struct tf_command *cmd, struct tf_pool_task *task)
{
    struct tf_exec *exec = helper->worker.exec;
    bool starts, kept = false, is_last = false, more;
    unsigned number;

    tf_pool_wake_for_own(false);
    pool->client->exec_trim(exec);
    tf_lock(&pool->lock);
    *task = take_awaited(pool, cmd, &starts, &number);
    more = tf_pool_is_task(task);
    if (!starts && tf_pool_self->has_skipped && tf_work_is_left(&pool->work))
        starts = tf_pool_wake_one(pool, &number);
    tf_pool_self->has_skipped = false;
    if (!more) {
        kept = keep_exec(pool, exec);
        is_last = --pool->users == 0 && pool->closing;
    }
    tf_unlock(&pool->lock);
    if (!more) {
        tf_pool_self = helper->before;
        if (!kept)
            pool->client->exec_free(exec);
    }
    if (starts) // the new thread is a user of the pool already
        tf_pool_start_worker(pool, number);
    if (is_last)
        tf_pool_destroy(pool);
    return more;
}

// With nothing to do, and with an exec at hand, the lock is taken only once.
static bool begin_helping(struct tf_pool *pool, struct tf_pool_helper *helper,
                          const struct tf_command *cmd, struct tf_pool_task *task)
{
    struct tf_exec *exec = NULL;
    unsigned number;
    bool starts;

    tf_lock(&pool->lock);
    if (pool->spare_count > 0) {
        *task = take_awaited(pool, cmd, &starts, &number);
        if (tf_pool_is_task(task)) {
            exec = pool->spare[--pool->spare_count];
            pool->users++;
        }
        tf_unlock(&pool->lock);
        if (starts)
            tf_pool_start_worker(pool, number);
        if (exec)
            become_worker(helper, pool, exec);
        return exec != NULL;
    }
    number = pool->threads + pool->borrowed_count++;
    pool->users++;
    tf_unlock(&pool->lock);
    exec = pool->client->exec_new(number);
    if (!exec) {
        tf_pool_drop_user(pool);
        return false;
    }
    become_worker(helper, pool, exec);
    return go_on_helping(pool, helper, cmd, task);
}

bool tf_pool_help(struct tf_pool *pool, struct tf_pool_helper *helper,
                  const struct tf_command *cmd, struct tf_pool_task *task)
{
    return helper->worker.exec ? go_on_helping(pool, helper, cmd, task)
                               : begin_helping(pool, helper, cmd, task);
}
