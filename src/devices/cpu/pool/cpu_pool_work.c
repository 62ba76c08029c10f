// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_pool_work.h"

enum { LOOK_AHEAD = 64 }; // commands of a run that a search goes through

static void count_runs(struct tf_pool *pool, int change) TF_REQUIRES(&pool->lock)
{
    const unsigned count = atomic_load_explicit(&pool->run_count, memory_order_relaxed);

    atomic_store_explicit(&pool->run_count, count + (unsigned)change,
                          memory_order_relaxed);
}

static struct tf_command *pop_run(struct tf_pool *pool) TF_REQUIRES(&pool->lock)
{
    struct tf_command *run = pool->first_run;

    if (run) {
        pool->first_run = run->dev_next_run;
        if (!pool->first_run)
            pool->last_run = NULL;
        count_runs(pool, -1);
    }
    return run;
}

void tf_pool_append_run(struct tf_pool *pool, struct tf_command *run)
{
    run->dev_next_run = NULL;
    if (pool->last_run)
        pool->last_run->dev_next_run = run;
    else
        pool->first_run = run;
    pool->last_run = run;
    count_runs(pool, 1);
}

void tf_pool_unlist(struct tf_pool *pool, struct tf_unit *unit)
{
    if (!unit->listed)
        return;
    if (unit->prev)
        unit->prev->next = unit->next;
    else
        pool->units = unit->next;
    if (unit->next)
        unit->next->prev = unit->prev;
    else
        pool->last_unit = unit->prev;
    unit->listed = false;
}

void tf_pool_append_unit(struct tf_pool *pool, struct tf_unit *unit)
{
    unit->next = NULL;
    unit->prev = pool->last_unit;
    if (unit->prev)
        unit->prev->next = unit;
    else
        pool->units = unit;
    pool->last_unit = unit;
    unit->listed = true;
}

// Under the pool's lock.
static bool join(struct tf_unit *unit)
{
    if (!tf_unit_is_left(unit))
        return false;
    unit->users++;
    return true;
}

bool tf_pool_is_work_left(const struct tf_pool *pool)
{
    if (pool->first_run)
        return true;
    for (struct tf_unit *u = pool->units; u; u = u->next) {
        if (tf_unit_is_left(u))
            return true;
    }
    return false;
}

// Runs before units: every queue gets going before the first one gets more threads.
struct tf_pool_task tf_pool_take(struct tf_pool *pool)
{
    struct tf_pool_task task = {.run = pop_run(pool)};

    for (struct tf_unit *u = pool->units; u && !task.run && !task.unit; u = u->next) {
        if (join(u))
            task.unit = u;
    }
    return task;
}

static bool is_in_run(const struct tf_command *run, const struct tf_command *cmd)
{
    for (int i = 0; run && i < LOOK_AHEAD; i++, run = run->dev_next) {
        if (run == cmd)
            return true;
    }
    return false;
}

// Whether `cmd` waits for the run: it is in it, or comes after it.
static bool is_awaited(const struct tf_command *run, const struct tf_command *cmd)
{
    if (cmd->stream)
        return run && run->stream == cmd->stream &&
               (run->order < cmd->after || run->order == cmd->order);
    return is_in_run(run, cmd);
}

static bool may_take(const struct tf_pool *pool, const struct tf_command *run,
                     const struct tf_command *cmd)
{
    return is_awaited(run, cmd) && pool->client->may_help(run);
}

static struct tf_command *take_run_for(struct tf_pool *pool, const struct tf_command *cmd)
    TF_REQUIRES(&pool->lock)
{
    struct tf_command *before = NULL;
    struct tf_command *run = pool->first_run;

    for (int i = 0; run && i < LOOK_AHEAD && !may_take(pool, run, cmd); i++) {
        before = run;
        run = run->dev_next_run;
    }
    if (!run || !may_take(pool, run, cmd))
        return NULL;
    if (before)
        before->dev_next_run = run->dev_next_run;
    else
        pool->first_run = run->dev_next_run;
    if (pool->last_run == run)
        pool->last_run = before;
    count_runs(pool, -1);
    return run;
}

struct tf_pool_task tf_pool_take_awaited(struct tf_pool *pool,
                                         const struct tf_command *cmd)
{
    struct tf_pool_task task = {0};

    for (struct tf_unit *u = pool->units; u && !task.unit; u = u->next) {
        if ((is_awaited(u->cmd, cmd) || is_awaited(u->rest, cmd)) && join(u))
            task.unit = u;
    }
    if (!task.unit)
        task.run = take_run_for(pool, cmd);
    return task;
}
