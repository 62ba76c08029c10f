// SPDX-License-Identifier: MIT
// One NDRange in execution: a unit of work whose pieces are work-groups.
#ifndef TF_DEVICES_CPU_RUN_CPU_LAUNCH_H
#define TF_DEVICES_CPU_RUN_CPU_LAUNCH_H

#include <stdbool.h>
#include <string.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/check/cpu_check.h"
#include "devices/cpu/pool/cpu_unit.h"
#include "devices/cpu/run/cpu_exec.h"

struct tf_devprog;
struct tf_cpu_kernel;

// A launch, as a unit of work. `unit` is the first to read about: what cpu_unit.h says of
// the client's fields is set by tf_launch_set().
struct tf_cpu_launch {
    struct tf_launch abi; // what kernels see
    struct tf_devprog *program;
    size_t kernel_index;
    size_t local_bytes;
    unsigned threads;                  // that may run it
    const struct tf_cpu_kernel *first; // code that was there when the launch began
    struct tf_exec_needs needs;        // of it
    atomic_bool stays;        // with it: another form needs memory that is not there
    bool is_timed;            // how long it takes is noted
    _Atomic uint64_t busy_ns; // that threads have been at it
    uint64_t trace_launch;    // its number, where it is not all of its command; or 0
    struct tf_check_launch checks;
    struct tf_unit unit;
};

// Of local memory, where a group begins.
static inline size_t tf_launch_zeroed_bytes(const struct tf_cpu_launch *launch)
{
    return launch->unit.cmd->kernel.zero_local ? launch->local_bytes : 0;
}

// Fills *launch for `threads` threads: waits for the kernel's code if it is still being
// generated, and fills in the argument block. False and *status: CL_COMPLETE when the
// range is empty, or an error.
bool tf_launch_set(struct tf_cpu_launch *launch, const struct tf_command_kernel *k,
                   unsigned threads, cl_int *status) TF_NODISCARD;
// Runs groups until none is left. False, and nothing was run, when the thread has not
// enough memory for it.
bool tf_launch_work(struct tf_cpu_launch *launch, struct tf_exec *exec) TF_NODISCARD;

// All of a launch but who runs it; constant while it runs.
struct tf_made_launch {
    struct tf_launch abi; // what kernels see
    tf_wg_entry entry;
    struct tf_exec_needs needs;
    size_t zeroed_bytes; // of local memory, where a group begins
    uint64_t groups;     // in all; 0: nothing else is set
    struct tf_devprog *program;
    size_t kernel_index;
    const struct tf_cpu_kernel *code;
};

// Runs groups of a launch on the kernel stack, from number `first` on, one after another
// if local memory is to be zeros.
void tf_launch_run(tf_wg_entry entry, const struct tf_launch *launch,
                   struct tf_exec *exec, size_t zeroed_bytes, uint64_t first,
                   uint64_t count);

// Runs `count` groups from the one with this id on, of which the first finds zeros.
static inline void tf_launch_run_from(tf_wg_entry entry, const struct tf_launch *launch,
                                      struct tf_exec *exec, size_t zeroed_bytes,
                                      const uint64_t id[3], uint64_t count)
{
    if (zeroed_bytes > 0)
        memset(exec->worker.local, 0, zeroed_bytes);
    entry(launch, &exec->worker, id, count);
}

// Behind groups: what they have enqueued to come after them may begin.
static inline void tf_launch_end_chunk(struct tf_exec *exec)
{
    if (exec->after_group)
        exec->release_group(exec);
}

// Fills *made for a kernel command that will be run again and again: waits for optimized
// code, and for the objects of the program. The argument block is only named.
// CL_COMPLETE or CL_OUT_OF_RESOURCES.
cl_int tf_launch_make(struct tf_made_launch *made, const struct tf_command_kernel *k);

// The same without a thought of the program's objects: for the kernels that construct and
// destroy them.
cl_int tf_launch_make_own(struct tf_made_launch *made, const struct tf_command_kernel *k);

// Whether such code is there. Asks for nothing: any lock may be held.
bool tf_launch_is_lasting_ready(const struct tf_command_kernel *k);
// Has it made in the background, if it is not. No lock may be held.
void tf_launch_expect(const struct tf_command_kernel *k);

// What tf_launch.flags is to be for the command that runs the code (NULL: no one's),
// whose arguments and sizes decide.
uint32_t tf_launch_flags(const struct tf_command_kernel *k,
                         const struct tf_cpu_kernel *code);

// Writes the addresses into the argument block. False where one lies outside of it.
bool tf_launch_patch(const struct tf_command_kernel *k);

// Makes the launch of a kernel command for `threads` threads: waits for the kernel's code
// if it is still being generated, and fills in the argument block. NULL and *status
// otherwise: CL_COMPLETE when the range is empty, or an error. `exec` is that of the
// calling thread, which keeps the launch for its next when it ends it.
struct tf_unit *tf_launch_new(struct tf_exec *exec, struct tf_command *cmd,
                              unsigned threads, cl_int *status) TF_NODISCARD;

// Whether a launch of `cmd` would start without waiting for code.
bool tf_launch_is_ready(const struct tf_command *cmd);

#endif // TF_DEVICES_CPU_RUN_CPU_LAUNCH_H
