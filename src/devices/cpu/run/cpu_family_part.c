// SPDX-License-Identifier: MIT
// Kernels of a batch that enqueue others. The commands of a batch are shared by its
// replays; a family writes in its command, and its children read the first one's
// arguments: each replay has a command of its own for one.
#include <string.h>

#include "base/alloc.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/program/cpu_tier.h"
#include "devices/cpu/run/cpu_family.h"

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
