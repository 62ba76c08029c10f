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
#include "devices/cpu/run/cpu_fiber.h"

struct tf_cpu_launch;
struct tf_exec;

// What one fiber runs of a group: a work-item or a gang. Unfinished items form a ring. A
// barrier reads the first few fields alone, one cache line.
struct tf_exec_item {
    struct tf_exec_item *next;
    struct tf_fiber fiber;
    struct tf_exec *exec;
    struct tf_exec_item *prev;
    tf_u64 local_id[3];
};

struct tf_exec {
    struct tf_worker worker; // what kernels see; worker.host points back here
    struct tf_exec *next;    // in the pool's list of spare ones

    struct tf_fiber thread; // the thread, while it runs chunks
    struct tf_fiber kernel; // runs the entry function
    size_t kernel_bytes;    // stack size it was made for; 0: not made
    bool abandoned;         // the kernel fiber was left in the middle of a launch
    struct tf_cpu_launch *launch;

    // Fibers of work-items: cpu_group.c.
    struct tf_exec_item **items; // item_count of them are made
    size_t item_count;
    size_t item_room;
    size_t item_bytes;            // stack size they were made for
    struct tf_exec_item *current; // the one that runs; NULL outside run_fibers
    const struct tf_group *group;
    tf_item_entry entry;

    sigset_t mask; // of the thread, given to every fiber

    struct tf_cpu_launch *spare; // cpu_launch.c; owned, not in use; may be NULL

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

// A new one, or NULL. `index` is what kernels see as the worker's number.
struct tf_exec *tf_exec_new(unsigned index) TF_NODISCARD;
void tf_exec_free(struct tf_exec *exec); // NULL is allowed

// Runs tf_launch_chunks(launch, exec) on the kernel stack with the floating-point control
// state that kernels expect, and comes back when there is nothing left to take or the
// launch was trapped. False, and nothing was run, when there is not enough memory for
// what the launch needs; once it runs it cannot fail for want of memory.
bool tf_exec_run(struct tf_exec *exec, struct tf_cpu_launch *launch) TF_NODISCARD;

// Ends the running launch on this thread from inside a kernel, on whatever fiber.
_Noreturn void tf_exec_abandon(struct tf_exec *exec);

// Gives back what a launch left that is too large to keep.
void tf_exec_trim(struct tf_exec *exec);

#endif // TF_DEVICES_CPU_RUN_CPU_EXEC_H
