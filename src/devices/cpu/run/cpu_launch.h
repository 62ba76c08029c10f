// SPDX-License-Identifier: MIT
// One NDRange in execution. Its groups are handed out in chunks through a counter; any
// number of threads take chunks at the same time.
#ifndef TF_DEVICES_CPU_RUN_CPU_LAUNCH_H
#define TF_DEVICES_CPU_RUN_CPU_LAUNCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/cpu_abi.h"
#include "core/platform/device_interface.h"
#include "devices/cpu/run/cpu_exec.h"

struct tf_share_waiter;

struct tf_cpu_launch {
    struct tf_launch abi; // what kernels see; abi.host points back here
    struct tf_command *cmd;
    struct tf_command *rest; // commands of the same run that come after it; the pool's
    tf_wg_entry entry;
    struct tf_exec_needs needs;
    uint64_t group_total;
    uint64_t share; // threads times four: a chunk is what is left divided by this
    bool is_copy;   // cpu_share.h: groups are pieces of a copy, `entry` is the library's
    struct tf_share_waiter
        *waiter; // cpu_share.c; NULL: the last thread to leave ends `cmd`

    // The pool's, under its lock.
    struct tf_cpu_launch *next, *prev;
    unsigned users; // threads that may touch the launch
    bool listed;
    bool is_shared; // other threads have seen it; written before they did

    // Relaxed: chunks carry no data to each other. What they wrote reaches the end of the
    // launch through the pool's lock.
    _Alignas(64) _Atomic uint64_t next_group;
    _Alignas(64) atomic_int status; // CL_COMPLETE until something fails
};

// Makes the launch of a kernel command for `threads` threads: waits for the kernel's code
// if it is still being generated, and fills in the argument block. NULL and *status
// otherwise: CL_COMPLETE when the range is empty, or an error.
struct tf_cpu_launch *tf_launch_new(struct tf_exec *exec, struct tf_command *cmd,
                                    unsigned threads, cl_int *status) TF_NODISCARD;
// `exec` is that of the calling thread, which keeps one launch for its next; or NULL.
void tf_launch_free(struct tf_exec *exec, struct tf_cpu_launch *launch);

// Whether a launch of `cmd` would start without waiting for code.
bool tf_launch_is_ready(const struct tf_command *cmd);

// Runs chunks until none is left. On the kernel stack of `exec`; of a copy, on any stack,
// and without an exec.
void tf_launch_chunks(struct tf_cpu_launch *launch, struct tf_exec *exec);

// Nobody takes another chunk; the first failure is the launch's status.
void tf_launch_fail(struct tf_cpu_launch *launch, cl_int status);

// Groups that nobody has taken yet.
uint64_t tf_launch_left(const struct tf_cpu_launch *launch);

// The service `trap`.
_Noreturn void tf_launch_trap(const struct tf_launch *launch, struct tf_worker *worker,
                              const char *what);

#endif // TF_DEVICES_CPU_RUN_CPU_LAUNCH_H
