// SPDX-License-Identifier: MIT
// Commands that signal semaphores and that wait for them.
#ifndef TF_CORE_SEMAPHORE_SEMAPHORE_COMMAND_H
#define TF_CORE_SEMAPHORE_SEMAPHORE_COMMAND_H

#include <stdbool.h>

#include <CL/cl.h>
#include <CL/cl_trefoil.h>

struct tf_err;

struct tf_semaphore_list {
    cl_uint count; // > 0
    const cl_semaphore_khr *semaphores;
    cl_uint dep_count;
    const cl_event *deps;
};

// What is given is checked. `*out`, if out is not NULL, becomes the user's handle.
// CL_OUT_OF_HOST_MEMORY.
cl_int tf_semaphore_enqueue_signal(struct tf_err *err, cl_command_queue q,
                                   const struct tf_semaphore_list *list, cl_event *out);
cl_int tf_semaphore_enqueue_wait(struct tf_err *err, cl_command_queue q,
                                 const struct tf_semaphore_list *list, cl_event *out);

// True if a signal has ended and no wait has taken it yet.
bool tf_semaphore_is_signaled(cl_semaphore_khr sema);

// `fd` (given, or TF_NO_FD) is what the next wait waits for, as if the semaphore, which
// was made of a sync file, were made anew.
void tf_semaphore_import_sync(cl_semaphore_khr sema, int fd);
// The context of the semaphore (a cl_semaphore_khr) was terminated: its waits end.
void tf_semaphore_stop(void *sema);
// Drops what a semaphore holds of its commands; nobody has a reference on it any more.
void tf_semaphore_drop_commands(cl_semaphore_khr sema);

// In a forked child.
void tf_semaphore_commands_forked(void);

#endif // TF_CORE_SEMAPHORE_SEMAPHORE_COMMAND_H
