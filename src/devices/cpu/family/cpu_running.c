// SPDX-License-Identifier: MIT
// Launches whose groups are being run.
#include "devices/cpu/family/cpu_running.h"

#include "base/alloc.h"
#include "base/time.h"
#include "devices/cpu/check/check_family.h"
#include "devices/cpu/check/cpu_check.h"
#include "devices/cpu/program/cpu_program.h"
#include "trace/trace.h"

void tf_running_open(struct tf_family *family, struct tf_running *running)
{
    running->is_open = true;
    running->prev = NULL;
    running->next = family->open;
    if (running->next)
        running->next->prev = running;
    family->open = running;
    atomic_fetch_add_explicit(&family->opened, 1, memory_order_relaxed);
    tf_family_announce(family);
}

static void close_up(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock)
{
    if (!running->is_open)
        return;
    running->is_open = false;
    if (running->prev)
        running->prev->next = running->next;
    else
        family->open = running->next;
    if (running->next)
        running->next->prev = running->prev;
}

struct tf_running *tf_running_new(void)
{
    struct tf_running *running =
        tf_alloc_aligned(_Alignof(struct tf_running), sizeof(*running));

    if (running) {
        running->kernel = (struct tf_command_kernel){0};
        running->is_child = false;
    }
    return running;
}

struct tf_running *tf_running_take_spare(struct tf_family *family)
{
    struct tf_running *running = family->spare;

    if (running)
        family->spare = running->next;
    return running;
}

void tf_running_keep(struct tf_family *family, struct tf_running *running)
{
    running->next = family->spare;
    family->spare = running;
}

static void set_range(struct tf_command_kernel *k, int dimension,
                      const struct tf_child_range *range)
{
    k->global_offset[dimension] = range->offset;
    k->global_size[dimension] = range->size;
    k->local_size[dimension] = range->local_size;
}

// What is launched. What no child has is zero in `running` from the beginning.
static const struct tf_command_kernel *kernel_of(const struct tf_family *family,
                                                 struct tf_child *child,
                                                 struct tf_running *running)
{
    static const struct tf_child_range one = {.size = 1, .local_size = 1};
    struct tf_command_kernel *k = &running->kernel;

    if (child == &family->first)
        return &family->cmd->kernel;
    k->program = family->cmd->kernel.program;
    k->kernel_index = child->kernel_index;
    k->work_dim = child->work_dim;
    k->arg_block = tf_child_block(child);
    k->arg_block_bytes = k->program->infos[k->kernel_index].arg_block_bytes;
    k->local_bytes = child->local_bytes;
    set_range(k, 0, &child->range);
    for (int d = 1; d < 3; d++)
        set_range(k, d, d < child->work_dim ? &child->more[d - 1] : &one);
    return k;
}

// Whether `running` has run such a launch, with other arguments.
static bool is_like(const struct tf_running *running, const struct tf_child *child)
{
    const struct tf_command_kernel *k = &running->kernel;

    return running->is_child && k->kernel_index == child->kernel_index &&
           k->work_dim == 1 && child->work_dim == 1 &&
           k->global_size[0] == child->range.size &&
           k->local_size[0] == child->range.local_size &&
           k->global_offset[0] == child->range.offset &&
           k->local_bytes == child->local_bytes;
}

// Sets it for one more of them, if that is all that there is to do.
static bool set_again(struct tf_running *running, struct tf_child *child)
{
    if (!is_like(running, child) || tf_trace_on())
        return false;
    if (!running->is_asked)
        running->repeats = tf_launch_repeats(&running->launch);
    running->is_asked = true;
    if (!running->repeats)
        return false;
    running->launch.abi.args = tf_child_block(child);
    running->launch.abi.host = child;
    running->child = child;
    running->is_again = true;
    return true;
}

static bool set_launch(struct tf_family *family, struct tf_child *child,
                       struct tf_running *running, cl_int *status)
{
    const struct tf_command_kernel *k = kernel_of(family, child, running);

    running->is_child = running->is_again = running->is_asked = false;
    if (!tf_launch_set(&running->launch, k, family->threads, status))
        return false;
    running->launch.unit.cmd = family->cmd;
    running->launch.abi.host = child;
    tf_check_launch_join(&running->launch.checks, family->checks, child->checks, k);
    if (tf_trace_on() && (child != &family->first || family->cmd->kernel.batch))
        running->launch.trace_launch = tf_trace_number();
    running->child = child;
    running->users = 1;
    running->is_open = false;
    running->is_child = child != &family->first;
    return true;
}

bool tf_running_go_on(struct tf_family *family, struct tf_child *child,
                      struct tf_running *running)
{
    return atomic_load_explicit(&child->status, memory_order_relaxed) == CL_COMPLETE &&
           !child->event && tf_command_stopped(family->cmd) == CL_COMPLETE &&
           atomic_load_explicit(&family->status, memory_order_relaxed) == CL_COMPLETE &&
           set_again(running, child);
}

bool tf_running_start(struct tf_family *family, struct tf_child *child,
                      struct tf_running *running, bool anew)
{
    cl_int status = atomic_load_explicit(&child->status, memory_order_relaxed);

    if (child->event && child->queue->profiles)
        child->times.start_ns = tf_time_ns();
    if (status < 0 || child->is_marker)
        return false;
    status = tf_command_stopped(family->cmd);
    if (status < 0)
        tf_family_fail(family, status);
    status = atomic_load(&family->status);
    if (status == CL_COMPLETE) {
        if (running && ((!anew && set_again(running, child)) ||
                        set_launch(family, child, running, &status)))
            return true;
        if (!running)
            status = CL_OUT_OF_RESOURCES;
        if (status < 0)
            tf_family_fail(family, status);
    }
    atomic_store_explicit(&child->status, status, memory_order_relaxed);
    return false;
}

void tf_running_end(struct tf_family *family, struct tf_exec *exec,
                    struct tf_child *child, cl_int status)
{
    if (status < 0) {
        tf_family_fail(family, status);
        atomic_store_explicit(&child->status, status, memory_order_relaxed);
    }
    tf_child_end_groups(exec, child);
}

void tf_running_work(struct tf_exec *exec, struct tf_running *running,
                     struct tf_repeater *repeater)
{
    if (!(running->is_again ? tf_launch_run_again(&running->launch, exec, repeater)
                            : tf_launch_work(&running->launch, exec)))
        tf_unit_fail(&running->launch.unit, CL_OUT_OF_RESOURCES);
    if (exec->after_group) // of a chunk that was left in the middle
        tf_child_release_group(exec);
}

void tf_running_run(struct tf_family *family, struct tf_exec *exec,
                    struct tf_running *running)
{
    struct tf_child *child = running->child;
    cl_int status;
    bool is_last;

    tf_running_work(exec, running, NULL); // not one of those that repeat
    tf_lock(&family->lock);
    close_up(family, running);
    is_last = --running->users == 0;
    status = tf_unit_status(&running->launch.unit);
    if (is_last)
        tf_running_keep(family, running);
    tf_unlock(&family->lock);
    if (is_last)
        tf_running_end(family, exec, child, status);
}
