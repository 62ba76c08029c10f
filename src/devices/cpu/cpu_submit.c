// SPDX-License-Identifier: MIT
// A thread that began a run executes its commands in order. At a kernel or a large copy
// it offers the unit of work to the other threads and works along; if others are still
// busy with the last pieces when it leaves, the last of them continues the run in its
// place.
#include "devices/cpu/cpu_submit.h"

#include "base/thread.h"
#include "devices/cpu/batch/cpu_batch.h"
#include "devices/cpu/family/cpu_family.h"
#include "devices/cpu/move/cpu_copy.h"
#include "devices/cpu/move/cpu_copy_unit.h"
#include "devices/cpu/run/cpu_concurrent.h"
#include "devices/cpu/run/cpu_exec.h"
#include "devices/cpu/run/cpu_launch.h"

enum { TURN = 16 }; // commands

enum { QUICK_BYTES = 64 << 10 }; // moved in one or two microseconds

// A thread that executes runs. A host thread helps up to `stop` and hands back the rest.
struct executor {
    struct tf_pool *pool;
    struct tf_exec *exec;
    const struct tf_command *stop; // NULL: a worker
};

// Host threads run kernels whose code is there, and copies. Native kernels are left to
// the workers: user code does not run behind a call that does not say so. Only looks: the
// pool asks under its lock. Of a run this
// is asked for each command when it is its turn.
static bool may_help(const struct tf_command *cmd)
{
    if (cmd->kind == TF_CMD_BATCH)
        return cmd->replay.begun || tf_batch_is_ready(cmd->replay.batch);
    if (cmd->kind == TF_CMD_KERNEL && tf_concurrent_wanted(cmd))
        return tf_launch_is_lasting_ready(&cmd->kernel);
    if (cmd->kind == TF_CMD_KERNEL)
        return tf_family_wanted(cmd) ? tf_family_is_ready(cmd) : tf_launch_is_ready(cmd);
    return cmd->kind != TF_CMD_NATIVE;
}

// Works on a unit that the caller has joined. True if it has ended and is the caller's.
static bool work_on(const struct executor *executor, struct tf_unit *unit, bool owner)
{
    if (!unit->run(unit, executor->exec) && owner)
        tf_unit_fail(unit, CL_OUT_OF_RESOURCES);
    return !unit->is_shared || tf_pool_leave(executor->pool, unit);
}

// Starts a unit. True if it has ended when this returns; otherwise another thread ends it
// and continues the run.
static bool run_unit(const struct executor *executor, struct tf_unit *unit)
{
    unit->rest = unit->cmd->dev_next;
    if (unit->is_short)
        unit->later = executor->pool;
    else if (unit->total > 1 && !unit->cmd->thread)
        tf_pool_offer(executor->pool, unit);
    if (!work_on(executor, unit, true))
        return false;
    unit->ended(unit, executor->exec);
    return true;
}

// As run_unit(). A kernel that enqueues others: session after session.
static bool run_family(const struct executor *executor, struct tf_command *cmd)
{
    bool is_new = !cmd->kernel.progress;
    enum tf_family_next next;

    do {
        cl_int status;
        struct tf_unit *unit = tf_family_begin(executor->pool, cmd, &status);

        if (is_new && !cmd->kernel.batch)
            tf_command_started(cmd);
        is_new = false;
        if (!unit) {
            tf_family_finish(cmd, status);
            return true;
        }
        if (!work_on(executor, unit, true))
            return false;
        next = tf_family_end_session(unit);
    } while (next == TF_FAMILY_GOES_ON);
    return next == TF_FAMILY_ENDED;
}

// As run_unit().
static bool run_kernel(const struct executor *executor, struct tf_command *cmd)
{
    cl_int status;
    struct tf_unit *unit =
        tf_launch_new(executor->exec, cmd, tf_pool_threads(executor->pool), &status);

    tf_command_started(cmd);
    if (!unit) {
        tf_command_finished(cmd, status);
        return true;
    }
    return run_unit(executor, unit);
}

static void run_concurrent(const struct executor *executor, struct tf_command *cmd)
{
    tf_command_started(cmd);
    tf_command_finished(cmd, tf_concurrent_run(executor->exec, cmd));
}

// As run_unit(). A batch is begun once; whoever has ended a unit of it, or takes it over
// from a thread that gave way, goes on with it here.
static bool run_batch(const struct executor *executor, struct tf_command *cmd)
{
    struct tf_batch_replay *replay = &cmd->replay;
    union tf_batch_part part;

    if (!replay->begun) {
        replay->begun = true;
        replay->status = tf_batch_prepare(replay->batch);
        tf_command_started(cmd);
    }
    while (replay->status == CL_COMPLETE) {
        switch (
            tf_batch_go_on(executor->pool, executor->exec, cmd, !executor->stop, &part)) {
        case TF_BATCH_SHARED:
            if (!run_unit(executor, part.unit))
                return false;
            continue;
        case TF_BATCH_ENQUEUES:
            if (!run_family(executor, part.launch))
                return false;
            continue;
        case TF_BATCH_GIVES_WAY:
            tf_pool_push(executor->pool, cmd);
            return false;
        case TF_BATCH_ENDED:
            break;
        }
        break;
    }
    tf_command_finished(cmd, replay->status);
    return true;
}

// As run_unit(); small copies are not shared.
static bool run_copy(const struct executor *executor, struct tf_command *cmd)
{
    const unsigned threads = tf_pool_threads(executor->pool);
    struct tf_unit *unit = NULL;
    struct tf_copy_plan plan;
    const cl_int status = tf_cpu_copy_plan(&plan, cmd);

    tf_command_started(cmd);
    if (status == CL_COMPLETE && tf_copy_unit_pays(&plan, executor->pool))
        unit = tf_copy_unit_new(cmd, &plan, threads);
    if (unit)
        return run_unit(executor, unit);
    if (status == CL_COMPLETE)
        tf_cpu_copy_pieces(&plan, 0, plan.piece_count);
    tf_command_finished(cmd, status);
    return true;
}

// The command is to end without having begun.
static void run_nothing(struct tf_command *cmd)
{
    tf_command_started(cmd);
    tf_command_finished(cmd, tf_command_stopped(cmd));
}

static void run_native(const struct executor *executor, struct tf_command *cmd)
{
    tf_assert_no_locks();
    tf_command_started(cmd);
    if (!executor->stop)
        tf_pool_user_code(true);
    cmd->native_fn(cmd->native_args);
    if (!executor->stop)
        tf_pool_user_code(false);
    tf_command_finished(cmd, CL_COMPLETE);
}

// On a worker, a long run does not keep the runs of other queues waiting for its end.
static bool gives_way(const struct executor *executor, unsigned done)
{
    return !executor->stop && done % TURN == 0 && tf_pool_has_runs(executor->pool);
}

// A family that sleeps has begun: it ends by itself. So has a batch that somebody else
// was the last to work on.
static bool is_begun(const struct tf_command *cmd)
{
    return cmd->kind == TF_CMD_BATCH ? cmd->replay.begun
                                     : cmd->kind == TF_CMD_KERNEL && cmd->kernel.progress;
}

// Executes the run from `cmd` on, as far as this thread goes. `is_asked`: may_help() has
// been asked for `cmd` and allowed it.
static void execute(const struct executor *executor, struct tf_command *cmd,
                    bool is_asked)
{
    for (unsigned done = 1; cmd; done++, is_asked = false) {
        struct tf_command *next = cmd->dev_next; // the command dies when it is finished
        const bool is_stop = cmd == executor->stop;

        tf_worker_hand_over();
        if (cmd->thread ? cmd->thread != tf_thread_self()
                        : executor->stop && !is_asked && !may_help(cmd)) {
            tf_pool_push(executor->pool, cmd);
            return;
        }
        if (tf_command_stopped(cmd) && !is_begun(cmd)) {
            run_nothing(cmd);
        } else if (cmd->kind == TF_CMD_KERNEL && tf_concurrent_wanted(cmd)) {
            run_concurrent(executor, cmd);
        } else if (cmd->kind == TF_CMD_KERNEL) {
            if (!(tf_family_wanted(cmd) ? run_family(executor, cmd)
                                        : run_kernel(executor, cmd)))
                return;
        } else if (cmd->kind == TF_CMD_NATIVE) {
            run_native(executor, cmd);
        } else if (cmd->kind == TF_CMD_BATCH) {
            if (!run_batch(executor, cmd))
                return;
        } else if (!run_copy(executor, cmd)) {
            return;
        }
        tf_pool_wake_for_own(!next);
        if (next && (is_stop || gives_way(executor, done))) {
            tf_pool_push(executor->pool, next);
            return;
        }
        cmd = next;
    }
}

static void finish_joined(const struct executor *executor, struct tf_unit *unit)
{
    const struct tf_command *cmd = unit->cmd;
    struct tf_command *rest = unit->ended(unit, executor->exec);

    tf_pool_wake_for_own(!rest);
    if (!rest)
        return;
    if (cmd == executor->stop && rest != cmd)
        tf_pool_push(executor->pool, rest);
    else
        execute(executor, rest, false);
}

static void perform(const struct executor *executor, const struct tf_pool_task *task)
{
    if (task->run)
        execute(executor, task->run, true);
    else if (work_on(executor, task->unit, false))
        finish_joined(executor, task->unit);
}

static void work(struct tf_pool *pool, struct tf_exec *exec,
                 const struct tf_pool_task *task)
{
    const struct executor executor = {.pool = pool, .exec = exec};

    perform(&executor, task);
}

static void reject(struct tf_command *run)
{
    while (run) {
        struct tf_command *next = run->dev_next;

        tf_command_started(run);
        tf_command_finished(run, CL_OUT_OF_RESOURCES);
        run = next;
    }
}

const struct tf_pool_client tf_cpu_client = {
    .exec_new = tf_exec_new,
    .exec_free = tf_exec_free,
    .exec_trim = tf_exec_trim,
    .work = work,
    .reject = reject,
    .may_help = may_help,
};

// Bytes that a command moves when it is so few that another thread would hardly be awake
// by the time they are moved; otherwise more than any limit.
static size_t quick_bytes(const struct tf_command *cmd)
{
    enum { ROWS = 256 };
    size_t box[3];

    return tf_command_box(cmd, box) && box[0] <= QUICK_BYTES && box[1] <= ROWS &&
                   box[2] <= ROWS && box[1] * box[2] <= ROWS
               ? box[0] * box[1] * box[2]
               : SIZE_MAX;
}

// Runs the small copies that a run begins with; returns the rest.
static struct tf_command *run_quick(struct tf_command *run)
{
    size_t room = QUICK_BYTES;

    while (run && !run->thread && quick_bytes(run) <= room) {
        struct tf_command *next = run->dev_next; // the command dies when it is finished

        room -= quick_bytes(run);
        tf_command_started(run);
        tf_command_finished(run, tf_cpu_copy_run(run));
        run = next;
    }
    return run;
}

void tf_cpu_submit(struct tf_pool *pool, struct tf_command *run)
{
    if (!run) {
        tf_families_stopped();
        return;
    }
    run = run_quick(run);
    if (run)
        tf_pool_push(pool, run);
}

void tf_cpu_help(struct tf_pool *pool, struct tf_command *cmd)
{
    struct executor executor = {.pool = pool, .stop = cmd};
    struct tf_pool_helper helper = {0};
    struct tf_pool_task task;

    while (tf_pool_help(pool, &helper, cmd, &task)) {
        executor.exec = helper.worker.exec;
        perform(&executor, &task);
    }
}
