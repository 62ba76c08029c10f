// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_exec.h"

#include <pthread.h>
#include <string.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "base/range.h"
#include "base/thread.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/check/cpu_check.h"

enum {
    KEPT_LOCAL_BYTES = 1 << 20,
    KEPT_SCRATCH_BYTES = 8 << 20,
    KEPT_ITEM_BYTES = 32 << 20,
    KEPT_KERNEL_BYTES = 8 << 20,
};

// Memory of a worker has a margin on either side (abi/cpu_abi.h).
static void free_memory(char **memory, tf_u64 *memory_bytes)
{
    if (*memory)
        tf_free(*memory - TF_LOCAL_MARGIN_BYTES);
    *memory = NULL;
    *memory_bytes = 0;
}

struct tf_exec *tf_exec_new(unsigned index)
{
    struct tf_exec *exec = tf_zalloc(sizeof(*exec));

    if (!exec)
        return NULL;
    exec->worker.host = exec;
    exec->worker.index = index;
    tf_signals_of_others(&exec->mask);
    return exec;
}

void tf_exec_free(struct tf_exec *exec)
{
    if (!exec)
        return;
    tf_items_release(&exec->items, 0);
    tf_fiber_finish(&exec->kernel);
    free_memory(&exec->worker.local, &exec->worker.local_bytes);
    free_memory(&exec->worker.scratch, &exec->worker.scratch_bytes);
    tf_free(exec->spare);
    tf_check_thread_free(exec->checks);
    tf_spares_finish(&exec->spares);
    tf_str_finish(&exec->line);
    tf_free(exec);
}

// Body of the kernel fiber: one body per turn.
static void run_bodies(void *arg)
{
    struct tf_exec *exec = arg;

    for (;;) {
        exec->body(exec, exec->arg);
        tf_fiber_switch(&exec->kernel, &exec->thread);
    }
}

static bool prepare_kernel_stack(struct tf_exec *exec, size_t bytes)
{
    if (bytes <= exec->kernel_bytes)
        return true;
    tf_fiber_finish(&exec->kernel);
    exec->kernel_bytes = 0;
    if (!tf_fiber_init(&exec->kernel, bytes, exec->worker.index, true, run_bodies, exec))
        return false;
    tf_fiber_set_mask(&exec->kernel, &exec->mask);
    exec->kernel_bytes = bytes;
    return true;
}

// Content is not kept.
static bool prepare_memory(char **memory, tf_u64 *memory_bytes, size_t bytes)
{
    const size_t margins = 2 * (size_t)TF_LOCAL_MARGIN_BYTES;
    size_t room;
    char *start;

    if (bytes <= *memory_bytes)
        return true;
    if (tf_add_overflow(bytes, margins + 4095, &room))
        return false;
    room &= ~(size_t)4095;
    free_memory(memory, memory_bytes);
    start = tf_alloc_aligned(TF_LONG16_BYTES, room);
    if (!start)
        return false;
    *memory = start + TF_LOCAL_MARGIN_BYTES;
    *memory_bytes = room - margins;
    return true;
}

static void trim_memory(char **memory, tf_u64 *memory_bytes, size_t keep_bytes)
{
    if (*memory_bytes > keep_bytes)
        free_memory(memory, memory_bytes);
}

// Kernels run under the mask of their thread: what the application wants to hear during a
// long kernel (an interrupt from the keyboard) it hears.
static void adopt_mask(struct tf_exec *exec)
{
    sigset_t mask;

    if (!TF_FIBER_UCONTEXT) // its switches leave the mask alone
        return;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (!memcmp(&mask, &exec->mask, sizeof(mask)))
        return;
    exec->mask = mask;
    if (exec->kernel_bytes > 0)
        tf_fiber_set_mask(&exec->kernel, &mask);
    for (size_t i = 0; i < exec->items.count; i++)
        tf_fiber_set_mask(&exec->items.all[i]->fiber, &mask);
}

static bool prepare(struct tf_exec *exec, const struct tf_exec_needs *needs)
{
    struct tf_worker *worker = &exec->worker;

    adopt_mask(exec);
    return prepare_memory(&worker->local, &worker->local_bytes, needs->local_bytes) &&
           prepare_memory(&worker->scratch, &worker->scratch_bytes,
                          needs->scratch_bytes) &&
           prepare_kernel_stack(exec, needs->kernel_stack_bytes) &&
           tf_items_prepare(&exec->items, needs->item_count, needs->item_stack_bytes,
                            &exec->mask);
}

static void run(struct tf_exec *exec)
{
    exec->worker.stack_limit = tf_fiber_stack_low(&exec->kernel);
    exec->worker.stack_end = tf_fiber_stack_end(&exec->kernel);
    tf_fiber_init_thread(&exec->thread);
    tf_fiber_switch(&exec->thread, &exec->kernel);
    if (exec->abandoned) {
        exec->abandoned = false;
        tf_items_forget(&exec->items);
        tf_fiber_restart(&exec->kernel);
    }
}

void tf_exec_enter(struct tf_exec *exec, struct tf_fp_state *saved)
{
    tf_arch_fp_save(saved);
    tf_arch_fp_set_default();
    exec->has_entered = true;
}

void tf_exec_leave(struct tf_exec *exec, const struct tf_fp_state *saved)
{
    exec->has_entered = false;
    tf_arch_fp_restore(saved);
}

// New fibers start with the control state of this moment.
static bool run_body(struct tf_exec *exec, const struct tf_exec_needs *needs,
                     void (*body)(struct tf_exec *exec, void *arg), void *arg)
{
    exec->body = body;
    exec->arg = arg;
    if (!prepare(exec, needs))
        return false;
    run(exec);
    return true;
}

bool tf_exec_run(struct tf_exec *exec, const struct tf_exec_needs *needs,
                 void (*body)(struct tf_exec *exec, void *arg), void *arg)
{
    struct tf_fp_state saved;
    bool ready;

    if (exec->has_entered)
        return run_body(exec, needs, body, arg);
    tf_exec_enter(exec, &saved);
    ready = run_body(exec, needs, body, arg);
    tf_exec_leave(exec, &saved);
    return ready;
}

void tf_exec_abandon(struct tf_exec *exec)
{
    exec->abandoned = true;
    tf_fiber_leave(exec->items.current ? &exec->items.current->fiber : &exec->kernel,
                   &exec->thread);
}

void tf_exec_trim(struct tf_exec *exec)
{
    trim_memory(&exec->worker.local, &exec->worker.local_bytes, KEPT_LOCAL_BYTES);
    trim_memory(&exec->worker.scratch, &exec->worker.scratch_bytes, KEPT_SCRATCH_BYTES);
    if (exec->items.count > 0 &&
        exec->items.count > KEPT_ITEM_BYTES / exec->items.stack_bytes)
        tf_items_release(&exec->items, KEPT_ITEM_BYTES / exec->items.stack_bytes);
    if (exec->kernel_bytes > KEPT_KERNEL_BYTES) {
        tf_fiber_finish(&exec->kernel);
        exec->kernel_bytes = 0;
    }
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void tf_exec_needs_add(struct tf_exec_needs *all, const struct tf_exec_needs *one)
{
    all->local_bytes = larger(all->local_bytes, one->local_bytes);
    all->scratch_bytes = larger(all->scratch_bytes, one->scratch_bytes);
    all->kernel_stack_bytes = larger(all->kernel_stack_bytes, one->kernel_stack_bytes);
    all->item_stack_bytes = larger(all->item_stack_bytes, one->item_stack_bytes);
    all->item_count = larger(all->item_count, one->item_count);
}
