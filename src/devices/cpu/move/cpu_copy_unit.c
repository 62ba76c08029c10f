// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_copy_unit.h"

#include "base/alloc.h"
#include "base/thread.h"

enum {
    // Less than this one thread moves in the time that others need to wake up and to be
    // waited for: where each has a core of its own, and where they are threads of one,
    // which move hardly more than one of them does out of its caches.
    LEAST_BYTES_OF_CORES = 2 << 20,
    LEAST_BYTES_OF_THREADS = 8 << 20,
    // What a thread takes at a time: a thread that loses its CPU meanwhile keeps the
    // others waiting for no more than this.
    TAKEN_BYTES = 256 << 10,
};

struct copy_unit {
    struct tf_unit unit;
    struct tf_copy_plan plan;
};

// Of a caller that waits for the others; in its stack frame.
struct awaited {
    struct copy_unit copy;
    struct tf_mutex lock;
    struct tf_cond changed;
    bool ended TF_GUARDED_BY(&lock);
};

bool tf_copy_unit_pays(const struct tf_copy_plan *plan, struct tf_pool *pool)
{
    const uint64_t pieces = plan->piece_count;

    return tf_pool_threads(pool) > 1 && pieces > 1 &&
           pieces >= LEAST_BYTES_OF_CORES / plan->piece_bytes &&
           (pieces >= LEAST_BYTES_OF_THREADS / plan->piece_bytes ||
            tf_pool_has_cores(pool));
}

static bool move_pieces(struct tf_unit *unit, struct tf_exec *exec)
{
    const struct copy_unit *copy = tf_container_of(unit, struct copy_unit, unit);
    uint64_t first, count;

    (void)exec;
    while (tf_unit_take(unit, &first, &count))
        tf_cpu_copy_pieces(&copy->plan, first, count);
    return true;
}

// In how many parts what is left is cut, see tf_unit.divisor.
static uint64_t parts_of(const struct tf_copy_plan *plan, unsigned threads)
{
    const uint64_t taken = plan->piece_count * plan->piece_bytes / TAKEN_BYTES;
    const uint64_t least = (uint64_t)threads * 4;

    return taken > least ? taken : least;
}

static void init_copy(struct copy_unit *copy, struct tf_command *cmd,
                      const struct tf_copy_plan *plan, unsigned threads)
{
    copy->unit = (struct tf_unit){.total = plan->piece_count,
                                  .divisor = parts_of(plan, threads),
                                  .cmd = cmd,
                                  .run = move_pieces};
    copy->plan = *plan;
}

// ---- A command of a run ----

static struct tf_command *end_command(struct tf_unit *unit, struct tf_exec *exec)
{
    struct copy_unit *copy = tf_container_of(unit, struct copy_unit, unit);
    struct tf_command *cmd = unit->cmd;
    struct tf_command *rest = unit->rest;

    (void)exec;
    tf_free(copy);
    tf_command_finished(cmd, CL_COMPLETE);
    return rest;
}

struct tf_unit *tf_copy_unit_new(struct tf_command *cmd, const struct tf_copy_plan *plan,
                                 unsigned threads)
{
    struct copy_unit *copy = tf_alloc_aligned(_Alignof(struct copy_unit), sizeof(*copy));

    if (!copy)
        return NULL;
    init_copy(copy, cmd, plan, threads);
    copy->unit.ended = end_command;
    return &copy->unit;
}

// ---- A command that its caller waits for ----

static struct tf_command *tell_waiter(struct tf_unit *unit, struct tf_exec *exec)
{
    struct awaited *awaited = tf_container_of(unit, struct awaited, copy.unit);

    (void)exec;
    // Under the lock to the end: the waiter's stack frame goes as soon as it can take it.
    tf_lock(&awaited->lock);
    awaited->ended = true;
    tf_cond_signal_all(&awaited->changed);
    tf_unlock(&awaited->lock);
    return NULL;
}

// Moves pieces along with whoever joins, and waits for those who have not ended theirs.
static void run_shared(struct tf_pool *pool, struct tf_command *cmd,
                       const struct tf_copy_plan *plan)
{
    struct awaited awaited = {.ended = false};
    struct tf_unit *unit = &awaited.copy.unit;

    init_copy(&awaited.copy, cmd, plan, tf_pool_threads(pool));
    unit->ended = tell_waiter;
    tf_mutex_init(&awaited.lock, TF_RANK_LEAF);
    tf_cond_init(&awaited.changed);
    tf_pool_offer(pool, unit);
    (void)move_pieces(unit, NULL);
    if (!tf_pool_leave(pool, unit)) {
        tf_lock(&awaited.lock);
        while (!awaited.ended)
            tf_cond_wait(&awaited.changed, &awaited.lock);
        tf_unlock(&awaited.lock);
    }
    tf_cond_finish(&awaited.changed);
    tf_mutex_finish(&awaited.lock);
}

cl_int tf_copy_unit_run(struct tf_pool *pool, struct tf_command *cmd)
{
    struct tf_copy_plan plan;
    const cl_int status = tf_cpu_copy_plan(&plan, cmd);

    if (status != CL_COMPLETE || plan.piece_count == 0)
        return status;
    if (tf_copy_unit_pays(&plan, pool))
        run_shared(pool, cmd, &plan);
    else
        tf_cpu_copy_pieces(&plan, 0, plan.piece_count);
    return CL_COMPLETE;
}
