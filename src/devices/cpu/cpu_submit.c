// SPDX-License-Identifier: MIT
// A thread that began a run executes its commands in order. At a kernel it offers the
// launch to the other threads and works along; if others are still busy with the last
// chunks when it leaves, the last of them continues the run in its place.
#include "devices/cpu/cpu_submit.h"

#include "base/thread.h"
#include "devices/cpu/cpu_device.h"
#include "devices/cpu/move/cpu_copy.h"
#include "devices/cpu/pool/cpu_share.h"

enum { TURN = 16 }; // commands

enum { QUICK_BYTES = 64 << 10 }; // moved in one or two microseconds

// One thread's work on a run. A host thread helps up to `stop` and hands back the rest.
struct errand {
    struct tf_pool *pool;
    struct tf_exec *exec;
    const struct tf_command *stop; // NULL: a worker
};

// Host threads run kernels whose code is there, and copies. Native kernels are left to
// the workers: user code does not run behind a call that does not say so. Of a run this
// is asked for each command when it is its turn.
static bool may_help(const struct tf_command *cmd)
{
    return cmd->kind != TF_CMD_NATIVE &&
           (cmd->kind != TF_CMD_KERNEL || tf_launch_is_ready(cmd));
}

// Works on a launch that the caller has joined. True if it has ended and is the caller's.
static bool work_on(const struct errand *errand, struct tf_cpu_launch *launch, bool owner)
{
    if (launch->is_copy)
        tf_launch_chunks(launch, errand->exec);
    else if (!tf_exec_run(errand->exec, launch) && owner)
        tf_launch_fail(launch, CL_OUT_OF_RESOURCES);
    return !launch->is_shared || tf_pool_leave(errand->pool, launch);
}

// Ends a launch that is the caller's; returns what is left of its run.
static struct tf_command *end_launch(const struct errand *errand,
                                     struct tf_cpu_launch *launch)
{
    struct tf_command *cmd = launch->cmd;
    struct tf_command *rest = launch->rest;
    const cl_int status = atomic_load_explicit(&launch->status, memory_order_relaxed);

    tf_launch_free(errand->exec, launch);
    tf_command_finished(cmd, status);
    return rest;
}

// Starts a launch. True if it has ended when this returns; otherwise another thread ends
// it and continues the run.
static bool run_launch(const struct errand *errand, struct tf_cpu_launch *launch)
{
    launch->rest = launch->cmd->dev_next;
    launch->users = 1;
    if (launch->group_total > 1)
        tf_pool_offer(errand->pool, launch);
    if (!work_on(errand, launch, true))
        return false;
    end_launch(errand, launch);
    return true;
}

// As run_launch().
static bool run_kernel(const struct errand *errand, struct tf_command *cmd)
{
    cl_int status;
    struct tf_cpu_launch *launch =
        tf_launch_new(errand->exec, cmd, tf_pool_threads(errand->pool), &status);

    tf_command_started(cmd);
    if (!launch) {
        tf_command_finished(cmd, status);
        return true;
    }
    return run_launch(errand, launch);
}

// As run_launch(); small copies are not shared.
static bool run_copy(const struct errand *errand, struct tf_command *cmd)
{
    const unsigned threads = tf_pool_threads(errand->pool);
    struct tf_cpu_launch *launch = NULL;
    struct tf_copy_plan plan;
    const cl_int status = tf_cpu_copy_plan(&plan, cmd);

    tf_command_started(cmd);
    if (status == CL_COMPLETE && tf_share_pays(&plan, threads))
        launch = tf_share_launch(cmd, &plan, threads);
    if (launch)
        return run_launch(errand, launch);
    if (status == CL_COMPLETE)
        tf_cpu_copy_pieces(&plan, 0, plan.piece_count);
    tf_command_finished(cmd, status);
    return true;
}

static void run_native(struct tf_command *cmd)
{
    tf_assert_no_locks();
    tf_command_started(cmd);
    tf_pool_user_code(true);
    cmd->native_fn(cmd->native_args);
    tf_pool_user_code(false);
    tf_command_finished(cmd, CL_COMPLETE);
}

// On a worker, a long run does not keep the runs of other queues waiting for its end.
static bool gives_way(const struct errand *errand, unsigned done)
{
    return !errand->stop && done % TURN == 0 && tf_pool_has_runs(errand->pool);
}

// Executes the run from `cmd` on, as far as this thread goes.
static void execute(const struct errand *errand, struct tf_command *cmd)
{
    for (unsigned done = 1; cmd; done++) {
        struct tf_command *next = cmd->dev_next; // the command dies when it is finished
        const bool is_stop = cmd == errand->stop;

        tf_worker_goes_on();
        if (errand->stop && !may_help(cmd)) {
            tf_pool_push(errand->pool, cmd);
            return;
        }
        if (cmd->kind == TF_CMD_KERNEL) {
            if (!run_kernel(errand, cmd))
                return;
        } else if (cmd->kind == TF_CMD_NATIVE) {
            run_native(cmd);
        } else if (!run_copy(errand, cmd)) {
            return;
        }
        tf_pool_settle(!next);
        if (next && (is_stop || gives_way(errand, done))) {
            tf_pool_push(errand->pool, next);
            return;
        }
        cmd = next;
    }
}

static void finish_joined(const struct errand *errand, struct tf_cpu_launch *launch)
{
    const bool is_stop = launch->cmd == errand->stop;
    struct tf_command *rest;

    if (launch->waiter) {
        tf_share_ended(launch);
        return;
    }
    rest = end_launch(errand, launch);
    tf_pool_settle(!rest);
    if (!rest)
        return;
    if (is_stop)
        tf_pool_push(errand->pool, rest);
    else
        execute(errand, rest);
}

static void perform(const struct errand *errand, const struct tf_pool_task *task)
{
    if (task->run)
        execute(errand, task->run);
    else if (work_on(errand, task->launch, false))
        finish_joined(errand, task->launch);
}

static void work(struct tf_pool *pool, struct tf_exec *exec,
                 const struct tf_pool_task *task)
{
    const struct errand errand = {.pool = pool, .exec = exec};

    perform(&errand, task);
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

void tf_cpu_submit_init(void)
{
    tf_pool_set_work(work, reject);
}

// Bytes that a command moves when it is so few that another thread would hardly be awake
// by the time they are moved; otherwise more than any limit.
static size_t quick_bytes(const struct tf_command *cmd)
{
    enum { ROWS = 256 };
    const size_t *region = cmd->region;

    switch (cmd->kind) {
    case TF_CMD_READ:
    case TF_CMD_WRITE:
    case TF_CMD_COPY:
    case TF_CMD_FILL:
    case TF_CMD_SVM_COPY:
    case TF_CMD_SVM_FILL:
        return cmd->size_bytes;
    case TF_CMD_READ_RECT:
    case TF_CMD_WRITE_RECT:
    case TF_CMD_COPY_RECT:
        return region[0] <= QUICK_BYTES && region[1] <= ROWS && region[2] <= ROWS &&
                       region[1] * region[2] <= ROWS
                   ? region[0] * region[1] * region[2]
                   : SIZE_MAX;
    case TF_CMD_NONE:
    case TF_CMD_MAP:
    case TF_CMD_UNMAP:
    case TF_CMD_MIGRATE:
    case TF_CMD_KERNEL:
    case TF_CMD_NATIVE:
        break;
    }
    return SIZE_MAX;
}

// Runs the small copies that a run begins with; returns the rest.
static struct tf_command *run_quick(struct tf_command *run)
{
    size_t room = QUICK_BYTES;

    while (run && quick_bytes(run) <= room) {
        struct tf_command *next = run->dev_next; // the command dies when it is finished

        room -= quick_bytes(run);
        tf_command_started(run);
        tf_command_finished(run, tf_cpu_copy_run(run));
        run = next;
    }
    return run;
}

void tf_cpu_submit(struct tf_device *dev, struct tf_command *run)
{
    // The device may go with the last command.
    struct tf_pool *const pool = tf_cpu_device_of(dev)->pool;

    run = run_quick(run);
    if (run)
        tf_pool_push(pool, run);
}

void tf_cpu_help(struct tf_device *dev, struct tf_command *cmd)
{
    struct errand errand = {.pool = tf_cpu_device_of(dev)->pool, .stop = cmd};
    struct tf_pool_helper helper;

    errand.exec = tf_pool_begin_help(errand.pool, &helper);
    if (!errand.exec)
        return;
    for (;;) {
        const struct tf_pool_task task = tf_pool_take_for(errand.pool, cmd, may_help);

        if (!task.run && !task.launch)
            break;
        perform(&errand, &task);
    }
    tf_pool_end_help(&helper);
}
