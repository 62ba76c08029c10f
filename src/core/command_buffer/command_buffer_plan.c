// SPDX-License-Identifier: MIT
#include "core/command_buffer/command_buffer_plan.h"

#include <stdlib.h>
#include <string.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "core/object/error.h"

// A command that has something to do, and what its place is decided by.
struct key {
    int64_t depth;
    cl_uint device; // the first queue of its device
    size_t index;   // of the recorded command
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static cl_uint first_of_device(cl_command_buffer_khr buffer, cl_uint queue)
{
    const cl_device_id device = tf_queue_device(buffer->queues[queue].queue);

    for (cl_uint i = 0; i < queue; i++)
        if (tf_queue_device(buffer->queues[i].queue) == device)
            return i;
    return queue;
}

static size_t make_keys(cl_command_buffer_khr buffer, struct key *keys)
{
    size_t count = 0;

    for (size_t i = 0; i < buffer->recorded_count; i++) {
        const struct tf_recorded *recorded = &buffer->recorded[i];

        if (recorded->ev->cmd.kind != TF_CMD_NONE)
            keys[count++] = (struct key){
                recorded->depth, first_of_device(buffer, recorded->queue_index), i};
    }
    qsort(keys, count, sizeof(*keys), compare_keys);
    return count;
}

static size_t align_up(size_t bytes)
{
    return (bytes + TF_LONG16_BYTES - 1) / TF_LONG16_BYTES * TF_LONG16_BYTES;
}

// Patches that the kernel's arguments may come to need.
static size_t most_patches(const struct tf_recorded *recorded)
{
    return recorded->kernel ? recorded->kernel->given->object_max : 0;
}

static size_t block_bytes(const struct tf_recorded *recorded)
{
    return recorded->kernel ? align_up(recorded->ev->cmd.kernel.arg_block_bytes) : 0;
}

static bool allocate(struct tf_plan *plan, cl_command_buffer_khr buffer,
                     const struct key *keys, size_t count)
{
    size_t blocks = 0, patches = 0;

    for (size_t i = 0; i < count; i++) {
        blocks += block_bytes(&buffer->recorded[keys[i].index]);
        patches += most_patches(&buffer->recorded[keys[i].index]);
    }
    plan->commands = tf_zalloc(count * sizeof(*plan->commands));
    plan->segments = tf_zalloc(count * sizeof(*plan->segments));
    plan->indices = tf_zalloc(2 * count * sizeof(*plan->indices));
    plan->changes = tf_zalloc(count);
    plan->watched = tf_zalloc(count * sizeof(*plan->watched));
    plan->blocks = tf_alloc_aligned(TF_LONG16_BYTES, blocks > 0 ? blocks : 1);
    plan->patches = tf_zalloc(patches * sizeof(*plan->patches));
    return plan->commands && plan->segments && plan->indices && plan->changes &&
           plan->watched && plan->blocks && plan->patches;
}

// How far the memory of the plan is given out.
struct cursor {
    unsigned char *block;
    struct tf_arg_patch *patch;
};

static void put_command(struct cursor *cursor, struct tf_command *to,
                        const struct tf_recorded *recorded)
{
    struct tf_command_kernel *kernel = &to->kernel;

    *to = recorded->ev->cmd;
    if (to->kind != TF_CMD_KERNEL)
        return;
    if (kernel->arg_block_bytes > 0)
        memcpy(cursor->block, kernel->arg_block, kernel->arg_block_bytes);
    if (kernel->patch_count > 0)
        memcpy(cursor->patch, kernel->patches,
               kernel->patch_count * sizeof(*kernel->patches));
    kernel->arg_block = cursor->block;
    kernel->patches = cursor->patch;
    cursor->block += block_bytes(recorded);
    cursor->patch += most_patches(recorded);
}

static void begin_segment(struct tf_plan *plan, const struct key *key, size_t at,
                          size_t phase)
{
    struct tf_segment *segment = &plan->segments[plan->segment_count++];

    segment->queue_index = key->device;
    segment->phase = phase;
    segment->batch.commands = plan->commands + at;
    segment->batch.changes = plan->changes + at;
    segment->batch.watched = plan->watched + at;
    segment->batch.stage_ends = plan->indices + 2 * at;
    tf_mutex_init(&segment->batch.lock, TF_RANK_LEAF);
}

// Whether all commands of the key's depth are of one device.
static bool depth_is_pure(const struct key *keys, size_t count, size_t first)
{
    size_t i = first;

    while (i < count && keys[i].depth == keys[first].depth)
        i++;
    return keys[i - 1].device == keys[first].device;
}

// A segment goes on from depth to depth as long as nobody but its device has commands.
static bool goes_on(const struct tf_plan *plan, const struct key *keys, size_t count,
                    size_t at, bool pure)
{
    const struct key *key = &keys[at], *before = at > 0 ? key - 1 : NULL;

    if (!before || before->device != key->device)
        return false;
    return before->depth == key->depth ||
           (pure && depth_is_pure(keys, count, at) && plan->segment_count > 0);
}

static void lay_out(struct tf_plan *plan, cl_command_buffer_khr buffer,
                    const struct key *keys, size_t count)
{
    struct cursor cursor = {plan->blocks, plan->patches};
    struct tf_batch *batch = NULL;
    size_t phase = 0;
    bool pure = false; // the depth of the segment that is being filled

    for (size_t i = 0; i < count; i++) {
        struct tf_recorded *recorded = &buffer->recorded[keys[i].index];
        const bool new_depth = i == 0 || keys[i].depth != keys[i - 1].depth;
        uint32_t *ends;

        if (!goes_on(plan, keys, count, i, pure)) {
            phase += new_depth && i > 0;
            begin_segment(plan, &keys[i], i, phase);
            batch = &plan->segments[plan->segment_count - 1].batch;
        }
        if (new_depth)
            pure = depth_is_pure(keys, count, i);
        if (new_depth || batch->stage_count == 0)
            batch->stage_count++;
        tf_recorded_settle(recorded);
        put_command(&cursor, &batch->commands[batch->command_count], recorded);
        recorded->batch = batch;
        recorded->block = batch->commands[batch->command_count].kernel.arg_block;
        recorded->place = batch->command_count++;
        ends = (uint32_t *)batch->stage_ends;
        ends[batch->stage_count - 1] = (uint32_t)batch->command_count;
    }
    // Behind the ends of at most as many stages there is room for as many changes.
    for (size_t i = 0; i < plan->segment_count; i++) {
        batch = &plan->segments[i].batch;
        batch->changed = (uint32_t *)batch->stage_ends + batch->command_count;
    }
}

struct tf_plan *tf_plan_new(struct tf_err *err, cl_command_buffer_khr buffer)
{
    struct key *keys = tf_zalloc(buffer->recorded_count * sizeof(*keys));
    struct tf_plan *plan = tf_zalloc(sizeof(*plan));
    size_t count = keys ? make_keys(buffer, keys) : 0;

    if (plan)
        atomic_init(&plan->refs, 1);
    if (plan && keys && allocate(plan, buffer, keys, count)) {
        lay_out(plan, buffer, keys, count);
    } else {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "plan of a command buffer");
        tf_plan_unref(plan);
        plan = NULL;
    }
    tf_free(keys);
    return plan;
}

struct tf_plan *tf_plan_ref(struct tf_plan *plan)
{
    atomic_fetch_add_explicit(&plan->refs, 1, memory_order_relaxed);
    return plan;
}

static void free_segment(struct tf_segment *segment)
{
    struct tf_prepared *prepared = atomic_load(&segment->batch.prepared);

    if (prepared)
        segment->batch.free_prepared(prepared);
    tf_mutex_finish(&segment->batch.lock);
}

void tf_plan_unref(struct tf_plan *plan)
{
    if (!plan || atomic_fetch_sub_explicit(&plan->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (size_t i = 0; i < plan->segment_count; i++)
        free_segment(&plan->segments[i]);
    for (size_t i = 0; i < plan->retired_count; i++)
        tf_unref(plan->retired[i]);
    tf_free(plan->retired);
    tf_free(plan->segments);
    tf_free(plan->commands);
    tf_free(plan->indices);
    tf_free(plan->changes);
    tf_free(plan->watched);
    tf_free(plan->blocks);
    tf_free(plan->patches);
    tf_free(plan);
}

bool tf_plan_is_idle(struct tf_plan *plan)
{
    return atomic_load_explicit(&plan->refs, memory_order_acquire) == 1;
}
