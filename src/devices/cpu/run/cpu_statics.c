// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_statics.h"

#include "abi/kernel_info.h"
#include "base/log.h"
#include "devices/cpu/run/cpu_exec.h"
#include "devices/cpu/run/cpu_launch.h"
#include "devices/cpu/run/cpu_print.h"

// False: the program has none.
static bool find_kernel(const struct tf_devprog *prog, uint32_t flag, size_t *index)
{
    for (size_t i = prog->shown_count; i < prog->kernel_count; i++) {
        if (prog->infos[i].flags & flag) {
            *index = i;
            return true;
        }
    }
    return false;
}

static void run_group(struct tf_exec *exec, void *arg)
{
    const struct tf_made_launch *made = arg;
    const uint64_t id[3] = {0};

    made->entry(&made->abi, &exec->worker, id, 1);
}

static bool make(struct tf_made_launch *made, struct tf_devprog *prog, size_t index)
{
    const struct tf_command_kernel k = {.program = prog,
                                        .kernel_index = (uint32_t)index,
                                        .work_dim = 1,
                                        .global_size = {1, 1, 1},
                                        .local_size = {1, 1, 1}};

    return tf_launch_make_own(made, &k) == CL_COMPLETE;
}

static bool run(struct tf_made_launch *made)
{
    struct tf_exec *exec = tf_exec_new(0);
    struct tf_unit unit = {.total = 1, .divisor = 1};
    bool ok;

    if (!exec)
        return false;
    exec->unit = &unit;
    ok = tf_exec_run(exec, &made->needs, run_group, made);
    tf_print_flush(exec);
    tf_exec_free(exec);
    return ok && tf_unit_status(&unit) == CL_COMPLETE;
}

static bool construct(struct tf_devprog *prog)
{
    struct tf_made_launch made;
    size_t index;

    // The destructors' code, too: a program that goes should wait for nothing.
    if (find_kernel(prog, TF_KERNEL_DESTROYS, &index) && !make(&made, prog, index))
        return false;
    return find_kernel(prog, TF_KERNEL_CONSTRUCTS, &index) && make(&made, prog, index) &&
           run(&made);
}

bool tf_statics_construct(struct tf_devprog *prog)
{
    bool is_mine = false;
    int state;

    // Acquire: whoever sees READY sees the objects.
    state = atomic_load_explicit(&prog->statics, memory_order_acquire);
    if (state == TF_STATICS_NONE || state == TF_STATICS_READY)
        return true;
    tf_lock(&prog->lock);
    while ((state = atomic_load(&prog->statics)) == TF_STATICS_BUSY)
        tf_cond_wait(&prog->changed, &prog->lock);
    if (state == TF_STATICS_WAITING) {
        atomic_store(&prog->statics, TF_STATICS_BUSY);
        is_mine = true;
    }
    tf_unlock(&prog->lock);
    if (!is_mine)
        return state == TF_STATICS_READY;
    state = construct(prog) ? TF_STATICS_READY : TF_STATICS_FAILED;
    if (state == TF_STATICS_FAILED)
        tf_log(TF_LOG_ERROR, "the program's objects could not be constructed");
    tf_lock(&prog->lock);
    atomic_store_explicit(&prog->statics, state, memory_order_release);
    tf_cond_signal_all(&prog->changed);
    tf_unlock(&prog->lock);
    return state == TF_STATICS_READY;
}

void tf_statics_destroy(struct tf_devprog *prog)
{
    struct tf_made_launch made;
    size_t index;

    if (atomic_load_explicit(&prog->statics, memory_order_acquire) == TF_STATICS_READY &&
        find_kernel(prog, TF_KERNEL_DESTROYS, &index) && make(&made, prog, index))
        (void)run(&made);
}
