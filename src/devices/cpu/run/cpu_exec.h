// SPDX-License-Identifier: MIT
// What one thread needs to run work-groups: the structure that kernels see, local memory,
// a kernel stack, and one fiber per work-item for kernels that need them. A worker thread
// owns one for good, a helping host thread borrows one. Used by one thread at a time.
#ifndef TF_DEVICES_CPU_RUN_CPU_EXEC_H
#define TF_DEVICES_CPU_RUN_CPU_EXEC_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "abi/cpu_abi.h"
#include "base/attr.h"
#include "base/str.h"
#include "devices/cpu/fiber/cpu_fiber.h"
#include "devices/cpu/queue/cpu_device_queue.h"
#include "devices/cpu/queue/cpu_spare.h"
#include "devices/cpu/run/cpu_items.h"

struct tf_cpu_launch;
struct tf_family;
struct tf_ready;
struct tf_unit;

struct tf_exec {
    struct tf_worker worker; // what kernels see; worker.host points back here
    struct tf_items items;

    struct tf_fiber thread; // the thread, while it runs chunks
    struct tf_fiber kernel; // runs the entry function
    size_t kernel_bytes;    // stack size it was made for; 0: not made
    bool abandoned;         // the kernel fiber was left in the middle of a launch
    bool has_entered;       // the thread has the control state of kernels meanwhile
    void (*body)(struct tf_exec *exec, void *arg); // what the kernel fiber is to call
    void *arg;

    sigset_t mask; // of the thread, given to every fiber

    struct tf_unit *unit;             // whose pieces the body runs: a trap fails it
    struct tf_concurrent *concurrent; // whose group runs (cpu_concurrent.c), or NULL
    struct tf_cpu_launch *spare;      // cpu_launch.c; owned, not in use; may be NULL

    // Of kernels that enqueue (family/): how they ask, what waits for the end of the
    // running group, and who lets it begin.
    tf_u64 (*enqueue)(const struct tf_launch *launch, struct tf_worker *worker,
                      const void *record, tf_u32 flags);
    struct tf_family *family;   // in whose session the thread is, or NULL
    struct tf_ready *ready;     // its stack there
    struct tf_child *credit_of; // whose `pending` counts `credit` units that are nobody's
    size_t credit;
    struct tf_child *after_group;
    void (*release_group)(struct tf_exec *exec);
    struct tf_spares spares;
    struct tf_device_room room; // on the device

    struct tf_check_thread *checks; // of checked kernels; owned, or NULL

    // Of printf: cpu_print.c.
    struct tf_str line; // what no newline has ended yet
    bool printed;       // something since the last flush
};

// Sizes that a launch needs of a thread.
struct tf_exec_needs {
    size_t local_bytes;
    size_t scratch_bytes;
    size_t kernel_stack_bytes;
    size_t item_stack_bytes;
    size_t item_count; // fibers; 0 for kernels that use none
};
// Makes *all what both need.
void tf_exec_needs_add(struct tf_exec_needs *all, const struct tf_exec_needs *one);

// A new one, or NULL. `index` is what kernels see as the worker's number.
struct tf_exec *tf_exec_new(unsigned index) TF_NODISCARD;
void tf_exec_free(struct tf_exec *exec); // NULL is allowed

// Calls body(exec, arg) on the kernel stack with the floating-point control state that
// kernels expect, and comes back when it returns or is abandoned. False, and nothing was
// run, when there is not enough memory for what it needs; once it runs it cannot fail for
// want of memory.
bool tf_exec_run(struct tf_exec *exec, const struct tf_exec_needs *needs,
                 void (*body)(struct tf_exec *exec, void *arg), void *arg) TF_NODISCARD;

// Between the two the thread has the floating-point control state that kernels expect,
// and tf_exec_run() leaves it alone: for many bodies one after another, with no code of
// the application's between them. *saved is what the thread had, and gets back.
void tf_exec_enter(struct tf_exec *exec, struct tf_fp_state *saved);
void tf_exec_leave(struct tf_exec *exec, const struct tf_fp_state *saved);

// Ends the running body on this thread from inside a kernel, on whatever fiber.
_Noreturn void tf_exec_abandon(struct tf_exec *exec);

// Gives back what a launch left that is too large to keep.
void tf_exec_trim(struct tf_exec *exec);

#endif // TF_DEVICES_CPU_RUN_CPU_EXEC_H
