// SPDX-License-Identifier: MIT
// What is made of a batch once: steps, with all of a launch but who runs it.
#include "devices/cpu/batch/cpu_batch.h"
#include "devices/cpu/batch/cpu_batch_steps.h"

#include <string.h>

#include "base/alloc.h"
#include "base/range.h"
#include "devices/cpu/family/cpu_family.h"
#include "devices/cpu/tier/cpu_tier.h"

static void free_prepared(struct tf_prepared *prepared)
{
    if (!prepared)
        return;
    tf_free(prepared->steps);
    tf_free(prepared->launches);
    tf_free(prepared->launch_of);
    tf_free(prepared->step_of);
    tf_free(prepared);
}

// Says which groups of the step are whose. False when the number does not fit.
static bool number_groups(struct tf_prepared *prepared, struct tf_step *step)
{
    struct tf_batch_launch *launch = prepared->launches + step->first;

    step->groups = 0;
    for (size_t i = 0; i < step->count; i++, launch++) {
        launch->groups_before = step->groups;
        if (tf_add_overflow(step->groups, launch->made.groups, &step->groups))
            return false;
    }
    tf_step_learn(step, TF_STEP_UNKNOWN);
    return true;
}

static struct tf_prepared *new_prepared(size_t commands)
{
    struct tf_prepared *prepared = tf_zalloc(sizeof(*prepared));

    if (!prepared)
        return NULL;
    // A stage of kernels and copies becomes several steps, none of which is empty.
    prepared->steps = tf_zalloc(commands * sizeof(*prepared->steps));
    prepared->launches = tf_zalloc(commands * sizeof(*prepared->launches));
    prepared->launch_of = tf_zalloc(commands * sizeof(size_t));
    prepared->step_of = tf_zalloc(commands * sizeof(size_t));
    if (prepared->steps && prepared->launches && prepared->launch_of && prepared->step_of)
        return prepared;
    free_prepared(prepared);
    return NULL;
}

static cl_int add_kernels(struct tf_prepared *prepared, const struct tf_batch *batch,
                          size_t begin, size_t end)
{
    struct tf_step *step = &prepared->steps[prepared->step_count];
    cl_int status = CL_COMPLETE;

    step->first = prepared->launch_count;
    for (size_t i = begin; i < end && status == CL_COMPLETE; i++) {
        struct tf_batch_launch *launch = &prepared->launches[prepared->launch_count];

        if (batch->commands[i].kind != TF_CMD_KERNEL ||
            tf_family_wanted(&batch->commands[i]))
            continue;
        status = tf_launch_make(&launch->made, &batch->commands[i].kernel);
        tf_exec_needs_add(&prepared->needs, &launch->made.needs);
        prepared->launch_of[i] = prepared->launch_count;
        prepared->step_of[prepared->launch_count++] = prepared->step_count;
    }
    step->count = prepared->launch_count - step->first;
    if (step->count > 0)
        prepared->step_count++;
    if (status == CL_COMPLETE && !number_groups(prepared, step))
        status = CL_OUT_OF_RESOURCES;
    return status;
}

// Kernels that enqueue are steps by themselves: launches as any, not made before.
static cl_int add_families(struct tf_prepared *prepared, const struct tf_batch *batch,
                           size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        struct tf_command *cmd = &batch->commands[i];

        if (cmd->kind != TF_CMD_KERNEL || !tf_family_wanted(cmd))
            continue;
        prepared->steps[prepared->step_count++].family = cmd;
        if (!tf_family_prepare(cmd))
            return CL_OUT_OF_RESOURCES;
    }
    return CL_COMPLETE;
}

static void add_copies(struct tf_prepared *prepared, const struct tf_batch *batch,
                       size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (batch->commands[i].kind != TF_CMD_KERNEL)
            prepared->steps[prepared->step_count++].copy = &batch->commands[i];
}

// Has code made that is not there: of all kernels, before one is waited for.
static void expect_code(const struct tf_batch *batch)
{
    for (size_t i = 0; i < batch->command_count; i++)
        if (batch->commands[i].kind == TF_CMD_KERNEL)
            tf_launch_expect(&batch->commands[i].kernel);
}

static bool has_code(const struct tf_batch *batch)
{
    for (size_t i = 0; i < batch->command_count; i++)
        if (batch->commands[i].kind == TF_CMD_KERNEL &&
            !tf_launch_is_lasting_ready(&batch->commands[i].kernel))
            return false;
    return true;
}

// Waits for code; no lock may be held.
static cl_int make(const struct tf_batch *batch, struct tf_prepared **out)
{
    struct tf_prepared *prepared = new_prepared(batch->command_count);
    cl_int status = prepared ? CL_COMPLETE : CL_OUT_OF_HOST_MEMORY;

    expect_code(batch);
    for (size_t i = 0, begin = 0; i < batch->stage_count && status == CL_COMPLETE; i++) {
        status = add_kernels(prepared, batch, begin, batch->stage_ends[i]);
        add_copies(prepared, batch, begin, batch->stage_ends[i]);
        if (status == CL_COMPLETE)
            status = add_families(prepared, batch, begin, batch->stage_ends[i]);
        begin = batch->stage_ends[i];
    }
    if (status == CL_COMPLETE)
        *out = prepared;
    else
        free_prepared(prepared);
    return status;
}

static void forget_changes(struct tf_batch *batch) TF_REQUIRES(&batch->lock)
{
    const unsigned count = atomic_load(&batch->changed_count);

    for (unsigned i = 0; i < count; i++)
        batch->changes[batch->changed[i]] = 0;
    atomic_store(&batch->changed_count, 0);
}

// What the command's arguments decide, now that they may be others.
static bool patch(struct tf_prepared *prepared, const struct tf_batch *batch, size_t i)
{
    const struct tf_command *cmd = &batch->commands[i];
    struct tf_made_launch *made = &prepared->launches[prepared->launch_of[i]].made;

    if (!tf_family_wanted(cmd))
        made->abi.flags = tf_launch_flags(&cmd->kernel, made->code);
    return tf_launch_patch(&cmd->kernel);
}

static void watch(struct tf_batch *batch, const struct tf_prepared *prepared, size_t i)
{
    const struct tf_made_launch *made = &prepared->launches[prepared->launch_of[i]].made;

    batch->watched[i] =
        !tf_family_wanted(&batch->commands[i]) && made->groups > 0 &&
        tf_cpu_tier_depends_on_values(made->program, made->kernel_index, &made->abi);
}

// The first to come makes it what the others use, too.
static cl_int publish(struct tf_batch *batch, struct tf_prepared *prepared)
{
    bool ok = true;

    tf_lock(&batch->lock);
    if (!atomic_load(&batch->prepared)) {
        for (size_t i = 0; i < batch->command_count; i++)
            if (batch->commands[i].kind == TF_CMD_KERNEL) {
                ok = ok && patch(prepared, batch, i);
                watch(batch, prepared, i);
            }
        if (ok) {
            forget_changes(batch);
            batch->free_prepared = free_prepared;
            atomic_store(&batch->prepared, prepared);
            prepared = NULL;
        }
    }
    tf_unlock(&batch->lock);
    free_prepared(prepared);
    return ok ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
}

// ---- What has changed ----

// A kernel with new sizes, or values that other code serves better.
struct remade {
    size_t command, launch;
    struct tf_made_launch made;
};

static bool is_to_be_remade(const struct tf_batch *batch, size_t i)
{
    const struct tf_prepared *prepared = atomic_load(&batch->prepared);
    const struct tf_made_launch *made;

    if (tf_family_wanted(&batch->commands[i]))
        return false;
    if (batch->changes[i] & TF_CHANGED_RANGE)
        return true;
    made = &prepared->launches[prepared->launch_of[i]].made;
    return batch->changes[i] & TF_CHANGED_VALUES && made->groups > 0 &&
           tf_cpu_tier_is_outdated(made->program, made->kernel_index, &made->abi,
                                   made->code);
}

// What has changed, but for addresses; NULL and *count 0: nothing.
static cl_int find_changed(struct tf_batch *batch, size_t **places, size_t *count)
{
    unsigned changed;

    *count = 0;
    tf_lock(&batch->lock);
    changed = atomic_load(&batch->changed_count);
    *places = changed > 0 ? tf_zalloc(changed * sizeof(size_t)) : NULL;
    for (unsigned i = 0; *places && i < changed; i++)
        if (is_to_be_remade(batch, batch->changed[i]))
            (*places)[(*count)++] = batch->changed[i];
    tf_unlock(&batch->lock);
    return *places || changed == 0 ? CL_COMPLETE : CL_OUT_OF_HOST_MEMORY;
}

static cl_int remake(const struct tf_batch *batch, const size_t *places, size_t count,
                     struct remade *remade)
{
    const struct tf_prepared *prepared = atomic_load(&batch->prepared);
    cl_int status = CL_COMPLETE;

    for (size_t i = 0; i < count && status == CL_COMPLETE; i++) {
        remade[i].command = places[i];
        remade[i].launch = prepared->launch_of[places[i]];
        status = tf_launch_make(&remade[i].made, &batch->commands[places[i]].kernel);
    }
    return status;
}

static bool take_over(struct tf_batch *batch, const struct remade *remade, size_t count)
    TF_REQUIRES(&batch->lock)
{
    struct tf_prepared *prepared = atomic_load(&batch->prepared);
    const unsigned changed = atomic_load(&batch->changed_count);
    bool ok = true;

    for (size_t i = 0; i < count; i++) {
        prepared->launches[remade[i].launch].made = remade[i].made;
        tf_exec_needs_add(&prepared->needs, &remade[i].made.needs);
        watch(batch, prepared, remade[i].command);
    }
    for (size_t i = 0; i < count; i++)
        ok = ok && number_groups(prepared,
                                 &prepared->steps[prepared->step_of[remade[i].launch]]);
    for (unsigned i = 0; i < changed; i++)
        if (batch->changes[batch->changed[i]] & TF_CHANGED_ADDRESSES)
            ok = ok && patch(prepared, batch, batch->changed[i]);
    if (ok)
        forget_changes(batch);
    return ok;
}

// Nobody replays before one thread has done this: those who come meanwhile do it
// in vain.
static cl_int refresh(struct tf_batch *batch)
{
    struct remade *remade = NULL;
    size_t *places, count;
    cl_int status = find_changed(batch, &places, &count);
    bool ok = true;

    if (count > 0) {
        remade = tf_zalloc(count * sizeof(*remade));
        status = remade ? remake(batch, places, count, remade) : CL_OUT_OF_HOST_MEMORY;
    }
    if (status == CL_COMPLETE) {
        tf_lock(&batch->lock);
        if (atomic_load(&batch->changed_count) > 0)
            ok = take_over(batch, remade, count);
        tf_unlock(&batch->lock);
    }
    tf_free(remade);
    tf_free(places);
    return ok ? status : CL_OUT_OF_RESOURCES;
}

cl_int tf_batch_prepare(struct tf_batch *batch)
{
    struct tf_prepared *prepared = NULL;
    cl_int status = CL_COMPLETE;

    if (!atomic_load(&batch->prepared)) {
        status = make(batch, &prepared);
        if (status == CL_COMPLETE)
            status = publish(batch, prepared);
    }
    if (status == CL_COMPLETE && atomic_load(&batch->changed_count) > 0)
        status = refresh(batch);
    return status;
}

bool tf_batch_is_ready(struct tf_batch *batch)
{
    return (atomic_load(&batch->prepared) && atomic_load(&batch->changed_count) == 0) ||
           has_code(batch);
}
