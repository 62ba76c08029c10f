// SPDX-License-Identifier: MIT
// Puts new arguments and ranges into commands, and into the plan where that is changed in
// place. Nothing here can fail.
#include "core/command_buffer/command_buffer_put.h"

#include <string.h>

#include "core/command_buffer/command_buffer_plan.h"
#include "core/memory/mem.h"

void tf_recorded_settle(struct tf_recorded *recorded)
{
    const cl_kernel own = recorded->kernel ? recorded->kernel->own : NULL;

    if (!own || !recorded->kernel->has_news)
        return;
    // All but local memory is there as it is in a launch's block.
    for (cl_uint i = 0; i < own->info->arg_count; i++) {
        const struct tf_kernel_arg_info *arg = &own->info->args[i];
        const uint32_t at = arg->block_offset_bytes;

        if (arg->kind == TF_ARG_VALUE || arg->kind == TF_ARG_BUFFER)
            memcpy((char *)recorded->ev->cmd.kernel.arg_block + at, own->block + at,
                   arg->size_bytes);
    }
    recorded->kernel->has_news = false;
}

static void mark(struct tf_batch *batch, size_t place, uint8_t change)
{
    const unsigned count =
        atomic_load_explicit(&batch->changed_count, memory_order_relaxed);

    if (batch->changes[place] == 0) {
        batch->changed[count] = (uint32_t)place;
        atomic_store_explicit(&batch->changed_count, count + 1, memory_order_release);
    }
    batch->changes[place] |= change;
}

// The command in the plan, or NULL where that is not changed.
static struct tf_command_kernel *in_plan(const struct tf_update *update,
                                         const struct tf_recorded *recorded)
{
    return update->plan ? &recorded->batch->commands[recorded->place].kernel : NULL;
}

static size_t find_patch(const struct tf_command_kernel *kernel, uint32_t at)
{
    size_t i = 0;

    while (i < kernel->patch_count && kernel->patches[i].block_offset_bytes != at)
        i++;
    return i;
}

// Puts a patch in the place of the i-th, or behind the last (patch->mem NULL: in none).
static void put_patch(struct tf_command_kernel *kernel, size_t i,
                      const struct tf_arg_patch *patch)
{
    struct tf_arg_patch *patches = (struct tf_arg_patch *)kernel->patches;

    if (patch->mem) {
        patches[i] = *patch;
        kernel->patch_count += i == kernel->patch_count;
    } else if (i < kernel->patch_count) {
        patches[i] = patches[--kernel->patch_count];
    }
}

// The same for the objects, which stand in the patches' order.
static void put_object(struct tf_update *update, struct tf_recorded *recorded, size_t i,
                       cl_mem mem)
{
    const size_t count = recorded->ev->cmd.kernel.patch_count;
    void **objects = tf_event_held(recorded->ev);

    if (i < count)
        update->dropped[update->dropped_count++] = objects[i];
    if (mem) {
        objects[i] = mem;
        recorded->ev->held_count += i == count;
    } else if (i < count) {
        objects[i] = objects[--recorded->ev->held_count];
    }
}

// A pointer: the patches and objects change their places, in the plan as in the command.
static void put_pointer(struct tf_update *update, struct tf_recorded *recorded,
                        const struct tf_kernel_arg_info *info, cl_mem mem)
{
    const size_t i = find_patch(&recorded->ev->cmd.kernel, info->block_offset_bytes);
    struct tf_command_kernel *planned = in_plan(update, recorded);
    struct tf_arg_patch patch = {.block_offset_bytes = info->block_offset_bytes};
    const bool had_buffer = planned && i < planned->patch_count;

    if (mem) {
        const struct tf_devrange range =
            tf_mem_range(mem, recorded->ev->home.device->dev, 0);

        patch.mem = range.mem;
        patch.delta_bytes = range.offset_bytes;
        patch.size_bytes = mem->size_bytes;
        patch.is_read_only = mem->flags & CL_MEM_READ_ONLY;
    }
    put_object(update, recorded, i, mem);
    put_patch(&recorded->ev->cmd.kernel, i, &patch);
    if (!planned)
        return;
    put_patch(planned, i, &patch);
    // Addresses that are no buffer's lie in the block already; but what the launch knows
    // of the others may be another thing without this one.
    if (mem || had_buffer)
        mark(recorded->batch, recorded->place, TF_CHANGED_ADDRESSES);
}

// `mem` (given): the buffer that the argument has now, NULL for others.
static void put_arg(struct tf_update *update, struct tf_recorded *recorded, cl_uint index,
                    cl_mem mem)
{
    const cl_kernel own = recorded->kernel->own;
    const struct tf_kernel_arg_info *info = &own->info->args[index];
    const uint32_t at = info->block_offset_bytes;

    recorded->kernel->has_news = true;
    if (update->plan)
        tf_copy_few(recorded->block + at, own->block + at, info->size_bytes);
    if (info->kind == TF_ARG_BUFFER)
        put_pointer(update, recorded, info, mem);
    else if (update->plan && recorded->batch->watched[recorded->place])
        mark(recorded->batch, recorded->place, TF_CHANGED_VALUES);
}

static void copy_args(struct tf_command_kernel *to, const struct tf_retaken *retaken)
{
    const struct tf_kernel_args *args = &retaken->args;

    memcpy(to->arg_block, args->block, to->arg_block_bytes);
    memcpy((struct tf_arg_patch *)to->patches, args->patches,
           args->count * sizeof(*args->patches));
    to->patch_count = args->count;
    to->local_bytes = args->local_bytes;
    to->default_queue = retaken->default_queue;
}

static void put_all_args(struct tf_update *update, struct tf_update_step *step)
{
    struct tf_recorded *recorded = step->recorded;
    struct tf_command_kernel *planned = in_plan(update, recorded);
    struct tf_kernel_args *args = &step->retaken->args;
    void **objects = tf_event_held(recorded->ev);

    for (unsigned i = 0; i < recorded->ev->held_count; i++)
        update->dropped[update->dropped_count++] = objects[i];
    memcpy(objects, args->objects, args->count * sizeof(*objects));
    memcpy(objects + args->count, step->retaken->queues,
           step->retaken->queue_count * sizeof(*objects));
    recorded->ev->held_count = args->count + step->retaken->queue_count;
    copy_args(&recorded->ev->cmd.kernel, step->retaken);
    if (planned) {
        copy_args(planned, step->retaken);
        mark(recorded->batch, recorded->place, TF_CHANGED_ADDRESSES | TF_CHANGED_RANGE);
    }
    step->retaken->queue_count = 0;
    args->count = 0; // the references are the command's
    update->completed += recorded->kernel->lacks_args;
    recorded->kernel->lacks_args = false;
}

static void copy_range(struct tf_command_kernel *to, const struct tf_ndrange *range)
{
    memcpy(to->global_offset, range->global_offset, sizeof(to->global_offset));
    memcpy(to->global_size, range->global_size, sizeof(to->global_size));
    memcpy(to->local_size, range->local_size, sizeof(to->local_size));
}

static void put_range(const struct tf_update *update, const struct tf_update_step *step)
{
    struct tf_command_kernel *planned = in_plan(update, step->recorded);

    copy_range(&step->recorded->ev->cmd.kernel, &step->range->now);
    if (!planned)
        return;
    copy_range(planned, &step->range->now);
    mark(step->recorded->batch, step->recorded->place, TF_CHANGED_RANGE);
}

void tf_update_put(struct tf_update *update, struct tf_update_step *step)
{
    if (step->retaken && !step->retaken->still_lacks)
        put_all_args(update, step);
    for (cl_uint i = 0; !step->retaken && i < step->taken_count; i++)
        put_arg(update, step->recorded, tf_changed_arg(step->config, i), step->taken[i]);
    if (!step->retaken)
        step->taken_count = 0;
    if (step->range)
        put_range(update, step);
}
