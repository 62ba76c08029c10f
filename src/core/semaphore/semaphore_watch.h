// SPDX-License-Identifier: MIT
// Waits for descriptors on behalf of commands: one thread, started by the first of them,
// polls for all. No thread of a device ever blocks in a semaphore.
#ifndef TF_CORE_SEMAPHORE_SEMAPHORE_WATCH_H
#define TF_CORE_SEMAPHORE_SEMAPHORE_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

// One descriptor that a command waits for.
struct tf_semaphore_watch_fd {
    int fd; // TF_NO_FD: there is nothing to wait for, or no longer
    bool
        is_count; // eventfd: the wait takes one of it; otherwise it need only be readable
    bool owned;   // closed when it has been waited for
};

// What a command waits for; lies in it.
struct tf_semaphore_watch {
    struct tf_semaphore_watch *next; // private
    cl_event ev;                     // owned from tf_semaphore_watch_add() on
    size_t count;
    struct tf_semaphore_watch_fd *fds;
};

// Takes what is there. True if nothing is left to wait for.
bool tf_semaphore_watch_try(struct tf_semaphore_watch *watch);
// The command ends (tf_event_finish) as soon as all is there. CL_SUCCESS, or
// CL_OUT_OF_RESOURCES: nothing watches. No lock may be held.
cl_int tf_semaphore_watch_add(struct tf_semaphore_watch *watch);

// Has the thread look whether commands have been stopped.
void tf_semaphore_watch_wake(void);

// In a forked child: what was watched is the parent's.
void tf_semaphore_watch_forked(void);

#endif // TF_CORE_SEMAPHORE_SEMAPHORE_WATCH_H
