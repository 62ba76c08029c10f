// SPDX-License-Identifier: MIT
// How families are made, begun and ended. Those of a batch: its commands are shared by
// its replays; a family writes in its command, and its children read the first one's
// arguments: each replay has a command of its own for one.
#include "devices/cpu/family/cpu_family.h"

#include <string.h>

#include "base/alloc.h"
#include "devices/cpu/check/check_family.h"
#include "devices/cpu/family/cpu_running.h"
#include "devices/cpu/family/cpu_session.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/tier/cpu_tier.h"

enum { MOST_STACKS = 64 };

bool tf_family_wanted(const struct tf_command *cmd)
{
    const struct tf_command_kernel *k = &cmd->kernel;

    return k->program && k->kernel_index < k->program->kernel_count &&
           k->program->infos[k->kernel_index].flags & TF_KERNEL_ENQUEUES;
}

bool tf_family_is_ready(const struct tf_command *cmd)
{
    return cmd->kernel.progress ||
           (tf_cpu_tier_blocks_ready(cmd->kernel.program) && tf_launch_is_ready(cmd));
}

bool tf_family_prepare(const struct tf_command *cmd)
{
    return tf_cpu_tier_prepare_blocks(cmd->kernel.program);
}

struct tf_command *tf_family_part(struct tf_command *batch, const struct tf_command *of)
{
    const size_t head =
        (sizeof(*of) + TF_LONG16_BYTES - 1) / TF_LONG16_BYTES * TF_LONG16_BYTES;
    struct tf_command *part =
        tf_alloc_aligned(TF_LONG16_BYTES, head + of->kernel.arg_block_bytes);

    if (!part)
        return NULL;
    *part = *of;
    part->dev_next = batch;
    part->dev_next_run = NULL;
    part->stop = batch->stop;
    part->thread = batch->thread;
    part->stream = batch->stream;
    part->order = batch->order;
    part->after = batch->after;
    part->trace_id = batch->trace_id;
    part->kernel.progress = NULL;
    part->kernel.batch = batch;
    part->kernel.arg_block = (char *)part + head;
    if (of->kernel.arg_block_bytes > 0)
        memcpy(part->kernel.arg_block, of->kernel.arg_block, of->kernel.arg_block_bytes);
    return part;
}

void tf_family_finish(struct tf_command *cmd, cl_int status)
{
    struct tf_command *batch = cmd->kernel.batch;

    if (!batch) {
        tf_command_finished(cmd, status);
        return;
    }
    batch->replay.status = status;
    batch->replay.next_step++;
    tf_free(cmd);
}

static bool is_stopped(const void *owner)
{
    return tf_family_is_stopped(((const struct tf_child *)owner)->family);
}

void tf_families_stopped(void)
{
    struct tf_device_waiter *waiter = tf_device_event_take(is_stopped);

    while (waiter) {
        struct tf_device_waiter *next = waiter->next;

        tf_child_unblock(NULL, waiter->owner);
        waiter = next;
    }
}

// ---- Sessions ----

static atomic_uint_fast64_t families; // made so far

static struct tf_command *session_ended(struct tf_unit *unit, struct tf_exec *exec)
{
    struct tf_command *rest = unit->rest, *cmd = unit->cmd;
    const enum tf_family_next next = tf_family_end_session(unit);

    (void)exec;
    if (next == TF_FAMILY_SLEEPS)
        return NULL;
    return next == TF_FAMILY_ENDED ? rest : cmd;
}

// Nobody else knows the family yet.
static struct tf_family *make(struct tf_pool *pool, struct tf_command *cmd) TF_NO_TSA
{
    const unsigned threads = tf_pool_threads(pool);
    const unsigned stacks = threads + 1 < MOST_STACKS ? threads + 1 : MOST_STACKS;
    struct tf_family *family = tf_alloc_aligned(
        _Alignof(struct tf_family), sizeof(*family) + stacks * sizeof(family->stacks[0]));

    if (!family)
        return NULL;
    memset(family, 0, sizeof(*family));
    family->stack_count = stacks;
    family->stacks = (struct tf_ready *)(family + 1);
    for (unsigned i = 0; i < stacks; i++)
        tf_ready_init(&family->stacks[i]);
    tf_ready_list_init(&family->shared);
    tf_mutex_init(&family->lock, TF_RANK_FAMILY);
    family->cmd = cmd;
    family->pool = pool;
    family->threads = threads;
    family->number = atomic_fetch_add(&families, 1) + 1;
    family->first.family = family;
    family->first.kernel_index = cmd->kernel.kernel_index;
    family->checks = tf_check_family_new(&cmd->kernel);
    atomic_init(&family->first.pending, 1);
    tf_worth_init(&family->worth);
    family->unit.total = 1;
    family->unit.cmd = cmd;
    family->unit.run = tf_session_run;
    family->unit.ended = session_ended;
    family->unit.lasts = true;
    tf_ready_list_push(&family->shared, &family->first.ready, &family->first.ready, 1);
    cmd->kernel.progress = family;
    return family;
}

static void free_family(struct tf_family *family) TF_NO_TSA
{
    while (family->spare) {
        struct tf_running *next = family->spare->next;

        tf_free(family->spare);
        family->spare = next;
    }
    tf_check_family_free(family->checks);
    for (unsigned i = 0; i < family->stack_count; i++)
        tf_ready_finish(&family->stacks[i]);
    tf_ready_list_finish(&family->shared);
    tf_mutex_finish(&family->lock);
    tf_free(family);
}

struct tf_unit *tf_family_begin(struct tf_pool *pool, struct tf_command *cmd,
                                cl_int *status)
{
    struct tf_family *family = cmd->kernel.progress;

    *status = CL_OUT_OF_RESOURCES;
    if (!family && !tf_family_prepare(cmd))
        return NULL;
    if (!family)
        family = make(pool, cmd);
    if (!family)
        return NULL;
    tf_lock(&family->lock);
    family->in_session = true;
    family->is_pushed = false;
    tf_family_set_work(family, tf_ready_list_count(&family->shared) > 1);
    tf_unlock(&family->lock);
    family->unit.rest = cmd->dev_next;
    tf_pool_share(pool, &family->unit);
    return &family->unit;
}

// Kernels that were left in the middle may have been those to end events.
static void give_up_events(struct tf_family *family)
{
    const cl_int status = atomic_load(&family->status);
    struct tf_device_waiter *waiters;

    if (tf_family_is_stopped(family))
        tf_families_stopped();
    while (status < 0 && (waiters = tf_device_event_give_up(family->number, status)))
        tf_children_wake(NULL, waiters, status);
}

enum tf_family_next tf_family_end_session(struct tf_unit *unit)
{
    struct tf_family *family = tf_container_of(unit, struct tf_family, unit);
    struct tf_command *cmd = family->cmd;
    enum tf_family_next next = TF_FAMILY_SLEEPS;
    cl_int status;

    give_up_events(family);
    tf_lock(&family->lock);
    if (atomic_load_explicit(&family->has_ended, memory_order_relaxed))
        next = TF_FAMILY_ENDED;
    else if (tf_ready_list_count(&family->shared) > 0)
        next = TF_FAMILY_GOES_ON;
    else
        family->in_session = false;
    tf_unlock(&family->lock);
    if (next != TF_FAMILY_ENDED)
        return next;
    status = atomic_load(&family->status);
    free_family(family);
    tf_family_finish(cmd, status);
    return next;
}
