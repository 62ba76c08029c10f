// SPDX-License-Identifier: MIT
// Binary semaphores (cl_khr_semaphore, cl_khr_external_semaphore).
//
// Within a context a wait belongs to the signal that was enqueued last before it, or, if
// there is none without a wait, to the next one that is enqueued: the two are tied by an
// edge between their events, and nobody looks at a state. A semaphore that other
// processes or contexts may see has a payload besides: an eventfd that counts the
// signals, of which each wait takes one (semaphore_watch.h). That of an imported sync
// file is for the next wait alone.
//
// Lock: one for all semaphores (rank TF_RANK_SEMAPHORE), for the pairs and the descriptor
// of a sync file. Taken when commands are enqueued, never when they run.
#ifndef TF_CORE_SEMAPHORE_SEMAPHORE_H
#define TF_CORE_SEMAPHORE_SEMAPHORE_H

#include <stdbool.h>

#include <CL/cl.h>
#include <CL/cl_trefoil.h>

#include "core/object/object.h"
#include "core/object/props.h"
#include "core/platform/context.h"

struct tf_semaphore_wait; // core/semaphore/semaphore_command.c

enum { TF_NO_FD = -1 };

struct _cl_semaphore_khr {
    struct tf_object obj;
    cl_device_id device; // borrowed from the context: the only one that it is for
    struct tf_props props;
    bool is_exportable; // as an opaque fd
    bool imports_sync;  // it was made of a sync file
    int payload_fd;     // owned eventfd, or TF_NO_FD
    struct tf_context_stopper stopper;
    // Under the lock of all semaphores:
    cl_event signal;      // owned: enqueued, no wait is its own yet; or NULL
    cl_event last_signal; // owned: those that were tied last, or NULL
    cl_event last_wait;   //
    struct tf_semaphore_wait *first, *last; // enqueued waits that no signal is for
    bool has_sync; // sync_fd is the payload that the next wait takes
    int sync_fd;   // owned; TF_NO_FD: it has been signaled
};

struct tf_semaphore_desc {
    const cl_semaphore_properties_khr *properties;
    size_t property_count; // words, with the terminating 0
    cl_device_id device;   // of the context
    bool is_exportable;
    bool imports_opaque, imports_sync; // one of both at most: `fd`
    int fd;                            // given when this succeeds
};

// True if the descriptor is what an export of a semaphore gives, or a sync file.
bool tf_semaphore_fd_is_opaque(int fd);
bool tf_semaphore_fd_is_sync(int fd);

// `desc` is checked. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES.
cl_int tf_semaphore_create(struct tf_err *err, cl_context ctx,
                           const struct tf_semaphore_desc *desc, cl_semaphore_khr *out);

// A new descriptor of an exportable semaphore, for the caller. CL_OUT_OF_RESOURCES.
cl_int tf_semaphore_export(struct tf_err *err, cl_semaphore_khr sema, int *fd);

// clGetSemaphoreInfoKHR. CL_INVALID_VALUE.
cl_int tf_semaphore_get_info(struct tf_err *err, cl_semaphore_khr sema,
                             cl_semaphore_info_khr param, size_t size, void *value,
                             size_t *size_ret);

#endif // TF_CORE_SEMAPHORE_SEMAPHORE_H
