// SPDX-License-Identifier: MIT
// A thread runs step after step of a batch (cpu_batch_steps.h); where the groups of one
// take longer than others need to wake up, they become a unit that more threads join, and
// whoever leaves it last goes on.
#include "devices/cpu/batch/cpu_batch.h"

#include "abi/launch_fit.h"
#include "base/alloc.h"
#include "base/time.h"
#include "devices/cpu/batch/cpu_batch_steps.h"
#include "devices/cpu/check/cpu_check.h"
#include "devices/cpu/family/cpu_family.h"
#include "devices/cpu/move/cpu_copy_unit.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/run/cpu_launch.h"
#include "devices/cpu/run/cpu_print.h"
#include "devices/cpu/run/cpu_trace.h"
#include "trace/trace.h"

enum {
    ALONE_NS = 5000,  // less than it takes until another thread is of use
    MOST_GROUPS = 16, // at a time, of a batch that may be stopped
    LOOKS = 16,       // at the clock while it is not known how long a step takes
    TURN = 64,        // steps between two looks at the clock and for other runs
};

// ---- Running ----

// One thread's way through the steps that it runs on its own.
struct alone {
    struct tf_unit unit; // of the step that may become too long; takes the traps of all
    struct tf_pool *pool;
    const struct tf_prepared *prepared;
    struct tf_batch_replay *replay;
    uint64_t since_ns; // the last look at the clock
    uint64_t number;   // in a trace, of the step's first launch
    enum { GOES_ON, TOO_LONG, GAVE_WAY } outcome;
    bool gives_way;
    bool is_single; // there are no other threads
};

// What one thread does of a launch of a step, for a trace.
struct part {
    const struct tf_command *cmd; // NULL: there is no trace
    const struct tf_batch_launch *first, *launch;
    uint64_t number; // of the first
    uint64_t groups, start_ns, end_ns;
};

static uint64_t number_of(const struct tf_step *step)
{
    return tf_trace_on() ? tf_trace_numbers(step->count) : 0;
}

static struct part begin_part(const struct tf_prepared *prepared,
                              const struct tf_step *step, const struct tf_command *cmd,
                              uint64_t number)
{
    return (struct part){.cmd = number ? cmd : NULL,
                         .first = prepared->launches + step->first,
                         .number = number,
                         .end_ns = number ? tf_time_ns() : 0};
}

static void end_part(struct part *part)
{
    if (part->groups > 0)
        tf_cpu_trace_work(&(struct tf_cpu_work){
            .cmd = part->cmd,
            .program = part->launch->made.program,
            .kernel_index = part->launch->made.kernel_index,
            .code = part->launch->made.code,
            .launch = part->number + (uint64_t)(part->launch - part->first),
            .groups = part->groups,
            .start_ns = part->start_ns,
            .end_ns = part->end_ns,
        });
    part->groups = 0;
}

static void add_to_part(struct part *part, const struct tf_batch_launch *launch,
                        uint64_t groups)
{
    if (!part->cmd)
        return;
    if (part->launch != launch) {
        end_part(part);
        part->launch = launch;
        part->start_ns = part->end_ns;
    }
    part->groups += groups;
    part->end_ns = tf_time_ns();
}

// Groups of one step.
static void run_range(const struct tf_prepared *prepared, const struct tf_step *step,
                      struct tf_exec *exec, struct part *part, uint64_t first,
                      uint64_t count)
{
    const struct tf_batch_launch *launch = prepared->launches + step->first;

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
        add_to_part(part, launch, now);
        first += now;
        count -= now;
    }
}

// The same, and notes down what was done.
static void run_traced(const struct alone *alone, const struct tf_step *step,
                       struct tf_exec *exec)
{
    const struct tf_command *cmd =
        tf_container_of(alone->replay, struct tf_command, replay);
    struct part part = begin_part(alone->prepared, step, cmd, alone->number);

    run_range(alone->prepared, step, exec, &part, 0, step->groups);
    end_part(&part);
}

static void run_whole(const struct tf_prepared *prepared, const struct tf_step *step,
                      struct tf_exec *exec)
{
    static const uint64_t origin[3];
    const struct tf_batch_launch *launch = prepared->launches + step->first;

    for (size_t i = 0; i < step->count; i++, launch++)
        if (launch->made.zeroed_bytes > 0)
            tf_launch_run(launch->made.entry, &launch->made.abi, exec,
                          launch->made.zeroed_bytes, 0, launch->made.groups);
        else if (launch->made.groups > 0)
            launch->made.entry(&launch->made.abi, &exec->worker, origin,
                               launch->made.groups);
}

// Runs groups until none is left (true), or it takes too long: the unit knows how far.
static bool run_watched(struct alone *alone, struct tf_step *step, struct tf_exec *exec)
{
    const struct tf_command *cmd =
        tf_container_of(alone->replay, struct tf_command, replay);
    struct part part = begin_part(alone->prepared, step, cmd, alone->number);
    const bool may_stop = cmd->stop != NULL;
    const uint64_t some = step->groups / LOOKS + 1, begin_ns = tf_time_ns();
    const uint64_t each = may_stop && some > MOST_GROUPS ? MOST_GROUPS : some;
    uint64_t done = 0;
    bool is_long = false;

    while (done < step->groups && !is_long) {
        const uint64_t left = step->groups - done, now = left < each ? left : each;

        run_range(alone->prepared, step, exec, &part, done, now);
        done += now;
        is_long = tf_time_ns() - begin_ns > ALONE_NS;
    }
    end_part(&part);
    tf_step_learn(step, is_long ? TF_STEP_LONG : TF_STEP_SHORT);
    atomic_store_explicit(&alone->unit.next_piece, done, memory_order_relaxed);
    return done == step->groups;
}

// One step. False if it is for more threads.
static bool run_step(struct alone *alone, struct tf_step *step, struct tf_exec *exec)
{
    const unsigned char length = tf_step_length(step);

    alone->number = number_of(step);
    if (alone->is_single || step->groups <= 1 || length == TF_STEP_SHORT) {
        if (alone->number && step->groups > 0)
            run_traced(alone, step, exec);
        else
            run_whole(alone->prepared, step, exec);
        return true;
    }
    alone->unit.total = step->groups;
    atomic_store_explicit(&alone->unit.next_piece, 0, memory_order_relaxed);
    return length == TF_STEP_UNKNOWN && run_watched(alone, step, exec);
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
        if (tf_step_length(&alone->prepared->steps[i]) == TF_STEP_SHORT)
            tf_step_learn(&alone->prepared->steps[i], TF_STEP_UNKNOWN);
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
        struct tf_step *step = &prepared->steps[replay->next_step];

        const cl_int stopped =
            tf_command_stopped(tf_container_of(replay, struct tf_command, replay));

        if (stopped)
            tf_unit_fail(&alone->unit, stopped);
        if (tf_unit_status(&alone->unit) != CL_COMPLETE)
            break;
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
    struct tf_step *step;
    uint64_t begin_ns;
    uint64_t number; // in a trace, of the first launch
    struct tf_unit_share shares[];
};

static void run_pieces(struct tf_exec *exec, void *arg)
{
    struct batch_unit *shared = arg;
    uint64_t first, count;
    unsigned near = tf_unit_nearest(&shared->unit);
    struct part part =
        begin_part(shared->prepared, shared->step, shared->unit.cmd, shared->number);
    const bool may_stop = shared->unit.cmd->stop;
    const uint64_t most = may_stop ? MOST_GROUPS : UINT64_MAX;

    while (!tf_command_stopped(shared->unit.cmd) &&
           tf_unit_take_near(&shared->unit, &near, most, &first, &count))
        run_range(shared->prepared, shared->step, exec, &part, first, count);
    end_part(&part);
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
        tf_step_learn(shared->step, TF_STEP_UNKNOWN);
    cmd->replay.status = tf_unit_status(unit);
    cmd->replay.next_step++;
    tf_free(shared);
    return cmd;
}

// Groups of a launch alone are taken as they are elsewhere.
static uint64_t groups_together(const struct alone *alone, const struct tf_step *step)
{
    const struct tf_made_launch *made = &alone->prepared->launches[step->first].made;

    return step->count == 1 && made->code
               ? tf_fit_share(&made->code->code.fit, &made->abi, step->groups,
                              tf_pool_threads(alone->pool))
               : 0;
}

// As other launches are, where nobody has begun it.
static bool may_deal(const struct alone *alone, const struct tf_step *step)
{
    const struct tf_made_launch *made = &alone->prepared->launches[step->first].made;

    return step->count == 1 && made->code && !made->code->code.fit.in_order &&
           atomic_load_explicit(&alone->unit.next_piece, memory_order_relaxed) == 0;
}

// The step that `alone` has begun, for more threads.
static struct tf_unit *share(struct alone *alone, struct tf_command *cmd)
{
    struct tf_step *step = &alone->prepared->steps[cmd->replay.next_step];
    const unsigned shares = tf_unit_most_shares(tf_pool_threads(alone->pool));
    struct batch_unit *shared = tf_alloc_aligned(
        _Alignof(struct batch_unit), sizeof(*shared) + shares * sizeof(*shared->shares));

    if (!shared)
        return NULL;
    *shared =
        (struct batch_unit){.prepared = alone->prepared,
                            .step = step,
                            .begin_ns = tf_time_ns(),
                            .number = alone->number,
                            .unit = {.total = alone->unit.total,
                                     .divisor = alone->unit.divisor,
                                     .together = groups_together(alone, step),
                                     .cmd = cmd,
                                     .run = run_shared,
                                     .ended = end_shared,
                                     .next_piece = atomic_load_explicit(
                                         &alone->unit.next_piece, memory_order_relaxed)}};
    if (may_deal(alone, step))
        tf_unit_deal(&shared->unit, shared->shares, shares);
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
                          .unit = {.divisor = (uint64_t)threads * 4, .cmd = cmd},
                          .gives_way = gives_way,
                          .is_single = threads == 1 && !cmd->stop};

    if (replay->next_step == 0)
        tf_check_replay_begin(replay);
    while (replay->status == CL_COMPLETE && replay->next_step < prepared->step_count) {
        const struct tf_step *step = &prepared->steps[replay->next_step];

        if (tf_command_stopped(cmd)) {
            replay->status = tf_command_stopped(cmd);
            break;
        }
        if (step->copy) {
            const uint64_t start_ns = tf_trace_start();

            replay->status = tf_copy_unit_run(pool, step->copy);
            if (start_ns)
                tf_cpu_trace_move(cmd, step->copy, start_ns);
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
