// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_share.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"

enum {
    // Less than this one thread moves in the time that others need to wake up and to be
    // waited for.
    LEAST_SHARED_BYTES = 8 << 20,
    // What a thread takes at a time: a thread that loses its CPU meanwhile keeps the
    // others waiting for no more than this.
    TAKEN_BYTES = 256 << 10,
};

struct share {
    struct tf_cpu_launch launch; // first: tf_launch_free() frees it all
    struct tf_copy_plan plan;
};

// Of a caller that waits for the others.
struct tf_share_waiter {
    struct tf_mutex lock;
    struct tf_cond changed;
    bool ended TF_GUARDED_BY(&lock);
};

bool tf_share_pays(const struct tf_copy_plan *plan, unsigned threads)
{
    return threads > 1 && plan->piece_count > 1 &&
           plan->piece_count >= LEAST_SHARED_BYTES / plan->piece_bytes;
}

// What kernels have an entry function for.
static void move_pieces(const struct tf_launch *abi, struct tf_worker *worker,
                        tf_u64 first, tf_u64 count)
{
    const struct tf_cpu_launch *launch = abi->host;
    const struct share *share = tf_container_of(launch, struct share, launch);

    (void)worker;
    tf_cpu_copy_pieces(&share->plan, first, count);
}

// In how many parts what is left is cut, see tf_cpu_launch.share.
static uint64_t parts_of(const struct tf_copy_plan *plan, unsigned threads)
{
    const uint64_t taken = plan->piece_count * plan->piece_bytes / TAKEN_BYTES;
    const uint64_t least = (uint64_t)threads * 4;

    return taken > least ? taken : least;
}

struct tf_cpu_launch *tf_share_launch(struct tf_command *cmd,
                                      const struct tf_copy_plan *plan, unsigned threads)
{
    struct share *share = tf_alloc_aligned(64, sizeof(*share));

    if (!share)
        return NULL;
    memset(&share->launch, 0, sizeof(share->launch));
    share->plan = *plan;
    share->launch.abi.host = &share->launch;
    share->launch.cmd = cmd;
    share->launch.entry = move_pieces;
    share->launch.is_copy = true;
    share->launch.group_total = plan->piece_count;
    share->launch.share = parts_of(plan, threads);
    share->launch.users = 1;
    return &share->launch;
}

// Moves pieces along with whoever joins, and waits for those who have not ended theirs.
static void run_shared(struct tf_pool *pool, struct tf_cpu_launch *launch)
{
    struct tf_share_waiter waiter = {.ended = false};

    tf_mutex_init(&waiter.lock, TF_RANK_LEAF);
    tf_cond_init(&waiter.changed);
    launch->waiter = &waiter;
    tf_pool_offer(pool, launch);
    tf_launch_chunks(launch, NULL);
    if (!tf_pool_leave(pool, launch)) {
        tf_lock(&waiter.lock);
        while (!waiter.ended)
            tf_cond_wait(&waiter.changed, &waiter.lock);
        tf_unlock(&waiter.lock);
    }
    tf_cond_finish(&waiter.changed);
    tf_mutex_finish(&waiter.lock);
    tf_launch_free(NULL, launch);
}

void tf_share_ended(struct tf_cpu_launch *launch)
{
    struct tf_share_waiter *waiter = launch->waiter;

    // Under the lock to the end: the waiter's stack frame goes as soon as it can take it.
    tf_lock(&waiter->lock);
    waiter->ended = true;
    tf_cond_signal_all(&waiter->changed);
    tf_unlock(&waiter->lock);
}

cl_int tf_share_run(struct tf_pool *pool, struct tf_command *cmd)
{
    const unsigned threads = tf_pool_threads(pool);
    struct tf_cpu_launch *launch = NULL;
    struct tf_copy_plan plan;
    const cl_int status = tf_cpu_copy_plan(&plan, cmd);

    if (status != CL_COMPLETE || plan.piece_count == 0)
        return status;
    if (tf_share_pays(&plan, threads))
        launch = tf_share_launch(cmd, &plan, threads);
    if (launch)
        run_shared(pool, launch);
    else
        tf_cpu_copy_pieces(&plan, 0, plan.piece_count);
    return CL_COMPLETE;
}
