// SPDX-License-Identifier: MIT
// Workers of the pool would not do: two such launches that have half of them each would
// wait for ever. No group begins before every one has its thread and its memory.
#include "devices/cpu/run/cpu_concurrent.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "base/time.h"
#include "devices/cpu/pool/cpu_unit.h"
#include "devices/cpu/run/cpu_exec.h"
#include "devices/cpu/run/cpu_launch.h"
#include "devices/cpu/run/cpu_print.h"
#include "devices/cpu/run/cpu_trace.h"
#include "trace/trace.h"

struct tf_concurrent {
    struct tf_unit unit; // nothing is taken of it: a trap fails it
    struct tf_mutex lock;
    uint64_t present TF_GUARDED_BY(&lock); // groups that have all they need
    uint64_t arrived TF_GUARDED_BY(&lock); // at the barrier
    uint64_t ended TF_GUARDED_BY(&lock);
    uint64_t threads TF_GUARDED_BY(&lock); // that may touch this, but for the caller's
    uint64_t turn TF_GUARDED_BY(&lock);    // barriers that are done
    struct tf_cond changed;
    struct tf_made_launch made;
    bool failed TF_GUARDED_BY(&lock);
};

struct member {
    struct tf_concurrent *launch;
    uint64_t group;
};

bool tf_concurrent_wanted(const struct tf_command *cmd)
{
    const struct tf_command_kernel *k = &cmd->kernel;

    return k->is_concurrent &&
           (k->global_size[0] > k->local_size[0] ||
            k->global_size[1] > k->local_size[1] || k->global_size[2] > k->local_size[2]);
}

// Those that have ended come to no barrier: nobody waits for them.
static void pass_barrier(struct tf_concurrent *launch) TF_REQUIRES(&launch->lock)
{
    if (launch->arrived == 0 || launch->arrived + launch->ended < launch->made.groups)
        return;
    launch->arrived = 0;
    launch->turn++;
    tf_cond_signal_all(&launch->changed);
}

static void fail(struct tf_concurrent *launch) TF_REQUIRES(&launch->lock)
{
    launch->failed = true;
    tf_unit_fail(&launch->unit, CL_OUT_OF_RESOURCES);
    tf_cond_signal_all(&launch->changed);
}

bool tf_concurrent_wait(struct tf_concurrent *launch)
{
    uint64_t turn;
    bool failed;

    tf_lock(&launch->lock);
    turn = launch->turn;
    launch->arrived++;
    pass_barrier(launch);
    while (launch->turn == turn && !launch->failed)
        tf_cond_wait(&launch->changed, &launch->lock);
    failed = launch->failed;
    tf_unlock(&launch->lock);
    return !failed;
}

// With the memory that the group needs, on its kernel stack.
static void run_group(struct tf_exec *exec, void *arg)
{
    const struct member *member = arg;
    struct tf_concurrent *launch = member->launch;
    const struct tf_made_launch *made = &launch->made;
    bool begins;

    tf_lock(&launch->lock);
    if (++launch->present == made->groups)
        tf_cond_signal_all(&launch->changed);
    while (launch->present < made->groups && !launch->failed)
        tf_cond_wait(&launch->changed, &launch->lock);
    begins = !launch->failed;
    tf_unlock(&launch->lock);
    if (begins)
        tf_launch_run(made->entry, &made->abi, exec, made->zeroed_bytes, member->group,
                      1);
}

static void run_member(const struct member *member, struct tf_exec *exec)
{
    struct tf_concurrent *launch = member->launch;
    const uint64_t start_ns = tf_trace_start();
    bool ran;

    exec->unit = &launch->unit;
    exec->concurrent = launch;
    ran = tf_exec_run(exec, &launch->made.needs, run_group, (void *)member);
    exec->concurrent = NULL;
    if (start_ns)
        tf_cpu_trace_work(&(struct tf_cpu_work){.cmd = launch->unit.cmd,
                                                .program = launch->made.program,
                                                .kernel_index = launch->made.kernel_index,
                                                .code = launch->made.code,
                                                .groups = 1,
                                                .start_ns = start_ns,
                                                .end_ns = tf_time_ns()});
    tf_print_flush(exec);
    tf_lock(&launch->lock);
    launch->ended++;
    if (!ran || tf_unit_status(&launch->unit) != CL_COMPLETE)
        fail(launch);
    pass_barrier(launch);
    tf_unlock(&launch->lock);
}

static void leave(struct tf_concurrent *launch)
{
    tf_lock(&launch->lock);
    launch->threads--;
    tf_cond_signal_all(&launch->changed);
    tf_unlock(&launch->lock);
}

static void *thread_main(void *arg)
{
    const struct member member = *(struct member *)arg;
    struct tf_exec *exec = tf_exec_new(0);

    tf_free(arg);
    if (exec) {
        run_member(&member, exec);
        tf_exec_free(exec);
    } else {
        tf_lock(&member.launch->lock);
        fail(member.launch);
        tf_unlock(&member.launch->lock);
    }
    leave(member.launch);
    return NULL;
}

static bool start_thread(struct tf_concurrent *launch, uint64_t group)
{
    struct member *member = tf_zalloc(sizeof(*member));

    if (!member)
        return false;
    *member = (struct member){.launch = launch, .group = group};
    tf_lock(&launch->lock);
    launch->threads++;
    tf_unlock(&launch->lock);
    if (tf_thread_start("trefoil-group", 0, thread_main, member))
        return true;
    leave(launch);
    tf_free(member);
    return false;
}

static void run_all(struct tf_concurrent *launch, struct tf_exec *exec)
{
    const struct member first = {.launch = launch, .group = 0};
    uint64_t group = 1;

    while (group < launch->made.groups && start_thread(launch, group))
        group++;
    if (group < launch->made.groups) {
        tf_lock(&launch->lock);
        fail(launch);
        tf_unlock(&launch->lock);
    } else {
        run_member(&first, exec);
    }
    tf_lock(&launch->lock);
    while (launch->threads > 0)
        tf_cond_wait(&launch->changed, &launch->lock);
    tf_unlock(&launch->lock);
}

cl_int tf_concurrent_run(struct tf_exec *exec, struct tf_command *cmd)
{
    struct tf_concurrent *launch =
        tf_alloc_aligned(_Alignof(struct tf_concurrent), sizeof(*launch));
    cl_int status;

    if (!launch)
        return CL_OUT_OF_RESOURCES;
    memset(launch, 0, sizeof(*launch));
    tf_mutex_init(&launch->lock, TF_RANK_LEAF);
    tf_cond_init(&launch->changed);
    launch->unit.cmd = cmd;
    status = tf_launch_make(&launch->made, &cmd->kernel);
    if (status == CL_COMPLETE && !tf_launch_patch(&cmd->kernel))
        status = CL_OUT_OF_RESOURCES;
    if (status == CL_COMPLETE) {
        run_all(launch, exec);
        status = tf_unit_status(&launch->unit);
    }
    tf_cond_finish(&launch->changed);
    tf_mutex_finish(&launch->lock);
    tf_free(launch);
    return status;
}
