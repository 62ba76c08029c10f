// SPDX-License-Identifier: MIT
// A batch becomes steps: the kernels of a stage, whose work-groups are one row of pieces,
// or one copy. A thread runs step after step; where the groups of one take longer than
// others need to wake up, they become a unit that more threads join, and whoever leaves
// it last goes on.
#include "devices/cpu/run/cpu_batch.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "devices/cpu/move/cpu_copy_unit.h"
#include "devices/cpu/run/cpu_family.h"
#include "devices/cpu/run/cpu_launch.h"
#include "devices/cpu/run/cpu_print.h"

enum {
    ALONE_NS = 5000,  // less than it takes until another thread is of use
    MOST_GROUPS = 16, // at a time, of a batch that may be stopped
    LOOKS = 16,       // at the clock while it is not known how long a step takes
    TURN = 64,        // steps between two looks at the clock and for other runs
};

// What the last replays have taught of a step of several groups. Only a hint.
enum { UNKNOWN, SHORT, LONG };

struct step {
    struct tf_command *copy;   // NULL: kernels
    struct tf_command *family; // not NULL: a kernel that enqueues, by itself
    size_t first, count;       // of prepared.launches
    uint64_t groups;           // of all of them
    atomic_uchar length;       // UNKNOWN, SHORT, LONG
};

// A kernel of a step.
struct batch_launch {
    struct tf_made_launch made;
    uint64_t groups_before; // of the launches before it in its step
};

struct tf_prepared {
    struct tf_exec_needs needs;    // of the neediest launch
    struct step *steps;            //
    size_t step_count;             //
    struct batch_launch *launches; // in the order of the commands
    size_t launch_count;           //
    size_t *launch_of;             // per command: its place in launches
    size_t *step_of;               // per launch
};

// ---- Making ----

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

static void learn(struct step *step, unsigned char length)
{
    atomic_store_explicit(&step->length, length, memory_order_relaxed);
}

static unsigned char length_of(const struct step *step)
{
    return atomic_load_explicit(&step->length, memory_order_relaxed);
}

// Says which groups of the step are whose. False when the number does not fit.
static bool number_groups(struct tf_prepared *prepared, struct step *step)
{
    struct batch_launch *launch = prepared->launches + step->first;

    step->groups = 0;
    for (size_t i = 0; i < step->count; i++, launch++) {
        launch->groups_before = step->groups;
        if (tf_add_overflow(step->groups, launch->made.groups, &step->groups))
            return false;
    }
    learn(step, UNKNOWN);
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
    struct step *step = &prepared->steps[prepared->step_count];
    cl_int status = CL_COMPLETE;

    step->first = prepared->launch_count;
    for (size_t i = begin; i < end && status == CL_COMPLETE; i++) {
        struct batch_launch *launch = &prepared->launches[prepared->launch_count];

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

// Has code made that is not there: of all kernels, before one is waited for. Whether none
// will be waited for.
static bool expect_code(const struct tf_batch *batch)
{
    bool is_there = true;

    for (size_t i = 0; i < batch->command_count; i++)
        if (batch->commands[i].kind == TF_CMD_KERNEL)
            is_there = tf_launch_expect(&batch->commands[i].kernel) && is_there;
    return is_there;
}

// Waits for code; no lock may be held.
static cl_int make(const struct tf_batch *batch, struct tf_prepared **out)
{
    struct tf_prepared *prepared = new_prepared(batch->command_count);
    cl_int status = prepared ? CL_COMPLETE : CL_OUT_OF_HOST_MEMORY;

    (void)expect_code(batch);
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

// The first to come makes it what the others use, too.
static cl_int publish(struct tf_batch *batch, struct tf_prepared *prepared)
{
    bool ok = true;

    tf_lock(&batch->lock);
    if (!atomic_load(&batch->prepared)) {
        for (size_t i = 0; i < batch->command_count; i++)
            if (batch->commands[i].kind == TF_CMD_KERNEL)
                ok = ok && tf_launch_patch(&batch->commands[i].kernel);
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

// ---- Making what has changed ----

// A kernel with new sizes.
struct remade {
    size_t launch;
    struct tf_made_launch made;
};

// What has changed, but for addresses; NULL and *count 0: nothing.
static cl_int find_changed(struct tf_batch *batch, size_t **places, size_t *count)
{
    unsigned changed;

    *count = 0;
    tf_lock(&batch->lock);
    changed = atomic_load(&batch->changed_count);
    *places = changed > 0 ? tf_zalloc(changed * sizeof(size_t)) : NULL;
    for (unsigned i = 0; *places && i < changed; i++)
        if (batch->changes[batch->changed[i]] & TF_CHANGED_RANGE &&
            !tf_family_wanted(&batch->commands[batch->changed[i]]))
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
    }
    for (size_t i = 0; i < count; i++)
        ok = ok && number_groups(prepared,
                                 &prepared->steps[prepared->step_of[remade[i].launch]]);
    for (unsigned i = 0; i < changed; i++)
        if (batch->changes[batch->changed[i]] & TF_CHANGED_ADDRESSES)
            ok = ok && tf_launch_patch(&batch->commands[batch->changed[i]].kernel);
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
           expect_code(batch);
}

// ---- Running ----

// One thread's way through the steps that it runs on its own.
struct alone {
    struct tf_unit unit; // of the step that may become too long; takes the traps of all
    struct tf_pool *pool;
    const struct tf_prepared *prepared;
    struct tf_batch_replay *replay;
    uint64_t since_ns; // the last look at the clock
    enum { GOES_ON, TOO_LONG, GAVE_WAY } outcome;
    bool gives_way;
    bool is_single; // there are no other threads
};

// Groups of one step.
static void run_range(const struct tf_prepared *prepared, const struct step *step,
                      struct tf_exec *exec, uint64_t first, uint64_t count)
{
    const struct batch_launch *launch = prepared->launches + step->first;

    while (first - launch->groups_before >= launch->made.groups)
        launch++;
    for (; count > 0; launch++) {
        const uint64_t begin = first - launch->groups_before;
        const uint64_t left = launch->made.groups - begin;
        const uint64_t now = left < count ? left : count;

        if (now == 0)
            continue;
        tf_launch_run(launch->made.entry, &launch->made.abi, exec,
                      launch->made.zeroed_bytes, begin, now);
        first += now;
        count -= now;
    }
}

static void run_whole(const struct tf_prepared *prepared, const struct step *step,
                      struct tf_exec *exec)
{
    static const uint64_t origin[3];
    const struct batch_launch *launch = prepared->launches + step->first;

    for (size_t i = 0; i < step->count; i++, launch++)
        if (launch->made.zeroed_bytes > 0)
            tf_launch_run(launch->made.entry, &launch->made.abi, exec,
                          launch->made.zeroed_bytes, 0, launch->made.groups);
        else if (launch->made.groups > 0)
            launch->made.entry(&launch->made.abi, &exec->worker, origin,
                               launch->made.groups);
}

// Runs groups until none is left (true), or it takes too long: the unit knows how far.
static bool run_watched(struct alone *alone, struct step *step, struct tf_exec *exec)
{
    const bool may_stop =
        tf_container_of(alone->replay, struct tf_command, replay)->stop != NULL;
    const uint64_t some = step->groups / LOOKS + 1, begin_ns = tf_time_ns();
    const uint64_t each = may_stop && some > MOST_GROUPS ? MOST_GROUPS : some;
    uint64_t done = 0;
    bool is_long = false;

    while (done < step->groups && !is_long) {
        const uint64_t left = step->groups - done, now = left < each ? left : each;

        run_range(alone->prepared, step, exec, done, now);
        done += now;
        is_long = tf_time_ns() - begin_ns > ALONE_NS;
    }
    learn(step, is_long ? LONG : SHORT);
    atomic_store_explicit(&alone->unit.next_piece, done, memory_order_relaxed);
    return done == step->groups;
}

// One step. False if it is for more threads.
static bool run_step(struct alone *alone, struct step *step, struct tf_exec *exec)
{
    const unsigned char length = length_of(step);

    if (alone->is_single || step->groups <= 1 || length == SHORT) {
        run_whole(alone->prepared, step, exec);
        return true;
    }
    alone->unit.total = step->groups;
    atomic_store_explicit(&alone->unit.next_piece, 0, memory_order_relaxed);
    return length == UNKNOWN && run_watched(alone, step, exec);
}

// After `count` steps up to `end`: where they took longer than they are known for, they
// are to be watched again.
static void look_at_clock(struct alone *alone, size_t end, unsigned count)
{
    const uint64_t now_ns = tf_time_ns(), took_ns = now_ns - alone->since_ns;

    alone->since_ns = now_ns;
    if (took_ns <= (uint64_t)count * ALONE_NS)
        return;
    for (size_t i = end - count; i < end; i++)
        if (length_of(&alone->prepared->steps[i]) == SHORT)
            learn(&alone->prepared->steps[i], UNKNOWN);
}

// The body: on the kernel stack.
static void run_steps(struct tf_exec *exec, void *arg)
{
    struct alone *alone = arg;
    const struct tf_prepared *prepared = alone->prepared;
    struct tf_batch_replay *replay = alone->replay;
    unsigned done = 0;

    alone->since_ns = tf_time_ns();
    while (replay->next_step < prepared->step_count) {
        struct step *step = &prepared->steps[replay->next_step];

        const cl_int stopped =
            tf_command_stopped(tf_container_of(replay, struct tf_command, replay));

        if (stopped) {
            tf_unit_fail(&alone->unit, stopped);
            break;
        }
        if (step->copy || step->family)
            break;
        if (!run_step(alone, step, exec)) {
            alone->outcome = TOO_LONG;
            break;
        }
        replay->next_step++;
        if (++done < TURN)
            continue;
        look_at_clock(alone, replay->next_step, done);
        done = 0;
        if (alone->gives_way && tf_pool_has_runs(alone->pool)) {
            alone->outcome = GAVE_WAY;
            break;
        }
    }
    if (done > 0 && !alone->is_single)
        look_at_clock(alone, replay->next_step, done);
}

// ---- Steps for many threads ----

struct batch_unit {
    struct tf_unit unit;
    const struct tf_prepared *prepared;
    struct step *step;
    uint64_t begin_ns;
};

static void run_pieces(struct tf_exec *exec, void *arg)
{
    struct batch_unit *shared = arg;
    uint64_t first, count;

    const bool may_stop = shared->unit.cmd->stop;
    const uint64_t most = may_stop ? MOST_GROUPS : UINT64_MAX;

    while (!tf_command_stopped(shared->unit.cmd) &&
           tf_unit_take_at_most(&shared->unit, most, &first, &count))
        run_range(shared->prepared, shared->step, exec, first, count);
}

static bool run_shared(struct tf_unit *unit, struct tf_exec *exec)
{
    struct batch_unit *shared = tf_container_of(unit, struct batch_unit, unit);

    exec->unit = unit;
    if (!tf_exec_run(exec, &shared->prepared->needs, run_pieces, shared))
        return false;
    tf_print_flush(exec);
    return true;
}

// What is left is the batch itself, which goes on with the next step.
static struct tf_command *end_shared(struct tf_unit *unit, struct tf_exec *exec)
{
    struct batch_unit *shared = tf_container_of(unit, struct batch_unit, unit);
    struct tf_command *cmd = unit->cmd;

    (void)exec;
    if (tf_time_ns() - shared->begin_ns < ALONE_NS / 2)
        learn(shared->step, UNKNOWN);
    cmd->replay.status = tf_unit_status(unit);
    cmd->replay.next_step++;
    tf_free(shared);
    return cmd;
}

// The step that `alone` has begun, for more threads.
static struct tf_unit *share(struct alone *alone, struct tf_command *cmd)
{
    struct batch_unit *shared =
        tf_alloc_aligned(_Alignof(struct batch_unit), sizeof(*shared));

    if (!shared)
        return NULL;
    *shared =
        (struct batch_unit){.prepared = alone->prepared,
                            .step = &alone->prepared->steps[cmd->replay.next_step],
                            .begin_ns = tf_time_ns(),
                            .unit = {.total = alone->unit.total,
                                     .divisor = alone->unit.divisor,
                                     .cmd = cmd,
                                     .run = run_shared,
                                     .ended = end_shared,
                                     .next_piece = atomic_load_explicit(
                                         &alone->unit.next_piece, memory_order_relaxed)}};
    return &shared->unit;
}

// ---- One replay ----

static void run_alone(struct alone *alone, struct tf_exec *exec)
{
    alone->outcome = GOES_ON;
    exec->unit = &alone->unit;
    if (!tf_exec_run(exec, &alone->prepared->needs, run_steps, alone))
        tf_unit_fail(&alone->unit, CL_OUT_OF_RESOURCES);
    tf_print_flush(exec);
    alone->replay->status = tf_unit_status(&alone->unit);
}

enum tf_batch_next tf_batch_go_on(struct tf_pool *pool, struct tf_exec *exec,
                                  struct tf_command *cmd, bool gives_way,
                                  union tf_batch_part *part)
{
    struct tf_batch_replay *replay = &cmd->replay;
    const struct tf_prepared *prepared = atomic_load(&replay->batch->prepared);
    const unsigned threads = tf_pool_threads(pool);
    struct alone alone = {.pool = pool,
                          .prepared = prepared,
                          .replay = replay,
                          .unit = {.divisor = (uint64_t)threads * 4},
                          .gives_way = gives_way,
                          .is_single = threads == 1 && !cmd->stop};

    while (replay->status == CL_COMPLETE && replay->next_step < prepared->step_count) {
        const struct step *step = &prepared->steps[replay->next_step];

        if (tf_command_stopped(cmd)) {
            replay->status = tf_command_stopped(cmd);
            break;
        }
        if (step->copy) {
            replay->status = tf_copy_unit_run(pool, step->copy);
            replay->next_step++;
            continue;
        }
        if (step->family) {
            part->launch = tf_family_part(cmd, step->family);
            if (part->launch)
                return TF_BATCH_ENQUEUES;
            replay->status = CL_OUT_OF_HOST_MEMORY;
            break;
        }
        if (step->groups == 0) { // maybe all of them are empty, and no stack is needed
            replay->next_step++;
            continue;
        }
        run_alone(&alone, exec);
        if (replay->status != CL_COMPLETE)
            break;
        if (alone.outcome == GAVE_WAY)
            return TF_BATCH_GIVES_WAY;
        if (alone.outcome == TOO_LONG) {
            part->unit = share(&alone, cmd);
            if (part->unit)
                return TF_BATCH_SHARED;
            replay->status = CL_OUT_OF_RESOURCES;
        }
    }
    return TF_BATCH_ENDED;
}
