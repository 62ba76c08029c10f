// SPDX-License-Identifier: MIT
#include "devices/cpu/check/cpu_check.h"

#include <string.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "base/env.h"
#include "devices/cpu/check/check_family.h"
#include "devices/cpu/check/check_group.h"
#include "devices/cpu/check/check_image.h"
#include "devices/cpu/check/check_memory.h"
#include "devices/cpu/check/check_race.h"
#include "devices/cpu/check/check_state.h"
#include "devices/cpu/check/check_value.h"
#include "devices/cpu/move/cpu_mem_list.h"
#include "devices/cpu/program/cpu_program.h"

// tf_launch.reserved of launches that are made once: the address of the kernel, and this.
enum { AGAIN = 1 };

static bool is_checked(const struct tf_command_kernel *k)
{
    return k->program->infos[k->kernel_index].flags & TF_KERNEL_CHECKED;
}

// Arguments of what constructs objects are no application's.
static bool has_arguments(const struct tf_command_kernel *k)
{
    return !(k->program->infos[k->kernel_index].flags &
             (TF_KERNEL_CONSTRUCTS | TF_KERNEL_DESTROYS));
}

void tf_check_launch_begin(const struct tf_command_kernel *k, struct tf_check_launch *out)
{
    *out = (struct tf_check_launch){0};
    if (!is_checked(k))
        return;
    out->kernel = has_arguments(k) ? k : NULL;
    out->since = tf_check_tick();
}

void tf_check_launch_join(struct tf_check_launch *launch, struct tf_check_family *family,
                          uint32_t number, const struct tf_command_kernel *k)
{
    const uint64_t since =
        family && launch->since ? tf_check_family_join(family, number, k) : 0;

    if (!since)
        return;
    launch->since = since;
    launch->family = family;
    launch->number = number;
}

void *tf_check_launch_again(const struct tf_command_kernel *k)
{
    return is_checked(k) && has_arguments(k) ? (void *)((uintptr_t)k | AGAIN) : NULL;
}

void tf_check_replay_begin(struct tf_batch_replay *replay)
{
    if (tf_mem_list_checks() & TF_CHECK_RACES && replay->batch->command_count > 0)
        replay->checks_since = tf_check_ticks(replay->batch->command_count);
}

// Each kernel of a batch has a number of its own in each replay.
static uint64_t since_of(const struct tf_command *cmd, const struct tf_command_kernel *k)
{
    const struct tf_command *of = tf_container_of(k, struct tf_command, kernel);
    const struct tf_batch *batch;

    if (!cmd || cmd->kind != TF_CMD_BATCH || !cmd->replay.checks_since)
        return 0;
    batch = cmd->replay.batch;
    return of >= batch->commands && of < batch->commands + batch->command_count
               ? cmd->replay.checks_since + (uint64_t)(of - batch->commands)
               : 0;
}

static struct tf_check_launch launch_of(const struct tf_command *cmd,
                                        const struct tf_launch *launch)
{
    const uintptr_t checks = (uintptr_t)launch->reserved;
    const struct tf_command_kernel *k;

    if (!checks)
        return (struct tf_check_launch){0};
    if (!(checks & AGAIN))
        return *(const struct tf_check_launch *)checks;
    k = (const struct tf_command_kernel *)(checks & ~(uintptr_t)AGAIN);
    return (struct tf_check_launch){.kernel = k, .since = since_of(cmd, k)};
}

static struct tf_check_thread *thread_of(struct tf_check_thread **own)
{
    if (!*own) {
        *own = tf_alloc_aligned(_Alignof(struct tf_check_thread), sizeof(**own));
        if (*own)
            memset(*own, 0, sizeof(**own));
    }
    return *own;
}

void tf_check_thread_free(struct tf_check_thread *own)
{
    if (own) {
        tf_check_group_finish(&own->group);
        tf_check_shadow_finish(&own->local);
        tf_free(own->local_written);
    }
    tf_free(own);
}

// Where an access that must not be made does no harm.
static tf_u64 elsewhere(const struct tf_check_question *q)
{
    tf_check_state(q->item)->bad_address = q->address;
    if (q->site->flags & TF_CHECK_RANGE || q->bytes > TF_CHECK_ACCESS_BYTES)
        return 0;
    if (q->site->op == TF_CHECK_READ)
        return (uintptr_t)q->own->zeros;
    memset(q->own->sink, 0, sizeof(q->own->sink));
    return (uintptr_t)q->own->sink;
}

static tf_u64 access(struct tf_check_question *q)
{
    const unsigned modes = q->item->table->modes;

    if (modes & TF_CHECK_MEMORY && !tf_check_memory(q))
        return elsewhere(q);
    if (modes & TF_CHECK_RACES)
        tf_check_race(q);
    if (modes & TF_CHECK_UNINITIALIZED && q->site->op != TF_CHECK_READ)
        tf_check_written(q);
    return q->site->flags & TF_CHECK_RANGE ? 1 : q->address;
}

static tf_u64 answer(struct tf_check_question *q)
{
    switch ((enum tf_check_op)q->site->op) {
    case TF_CHECK_BEGIN:
        memset(q->item->rest, 0, sizeof(q->item->rest));
        tf_check_count_item();
        tf_check_group_begin(q);
        tf_check_family_begin(q);
        break;
    case TF_CHECK_READ:
    case TF_CHECK_WRITE:
    case TF_CHECK_UPDATE:
        return access(q);
    case TF_CHECK_END:
        tf_check_group_end(q);
        break;
    case TF_CHECK_BARRIER:
        tf_check_barrier(q);
        break;
    case TF_CHECK_BARRIER_LEFT:
        tf_check_barrier_left(q);
        break;
    case TF_CHECK_FLAGS:
        tf_check_state(q->item)->flags = (uint32_t)q->address;
        break;
    case TF_CHECK_FENCE:
        tf_check_fence(q);
        break;
    case TF_CHECK_SUB_GROUP:
        tf_check_state(q->item)->sync = tf_check_time(q, true);
        break;
    case TF_CHECK_INIT:
        return tf_check_missing(q);
    case TF_CHECK_VALUE:
        tf_check_value(q);
        break;
    case TF_CHECK_IMAGE:
        tf_check_image(q);
        break;
    case TF_CHECK_PRIVATE:
        tf_check_private_begin(q);
        break;
    case TF_CHECK_SET:
        tf_check_set(q);
        break;
    case TF_CHECK_COPY:
        tf_check_copy(q);
        break;
    case TF_CHECK_ENQUEUE:
        tf_check_point(q);
        break;
    case TF_CHECK_LEAVE:
        tf_check_private_end(q);
        break;
    case TF_CHECK_OPS:
        break;
    }
    return 0;
}

static bool wants_failure(void)
{
    const char *action = tf_env_text(TF_ENV_CHECK_ACTION);

    return action && !strcmp(action, "fail");
}

tf_u64 tf_check_ask(struct tf_check_thread **own, const struct tf_command *cmd,
                    const struct tf_launch *launch, struct tf_worker *worker,
                    struct tf_check_item *item, const tf_u64 about[5], bool *fails)
{
    const struct tf_check_launch known = launch_of(cmd, launch);
    const struct tf_command_kernel *kernel = known.kernel;
    struct tf_check_question q = {
        .own = thread_of(own),
        .cmd = cmd,
        .launch = launch,
        .kernel = kernel,
        .since = known.since,
        .family = known.family,
        .number = known.number,
        .info = kernel ? &kernel->program->infos[kernel->kernel_index] : NULL,
        .worker = worker,
        .item = item,
        .site = tf_check_sites(item->table) + about[0],
        .address = about[1],
        .bytes = about[2],
        .base = about[3],
        .value = about[4],
    };
    tf_u64 given;

    if (!q.own) // no memory to look at anything
        return q.site->flags & TF_CHECK_RANGE ? 1 : q.address;
    given = answer(&q);
    if (q.fails && wants_failure())
        *fails = true;
    return given;
}

void tf_check_forked(void)
{
    tf_check_race_forked();
    tf_check_tell_forked();
}
