// SPDX-License-Identifier: MIT
// A kernel command whose kernel enqueues kernels: a family. Its first launch is that of
// the command; every launch that one of them enqueues is a child, and the command has
// ended when all of them have. Threads of the pool come and go: a session lasts as long
// as one of them is there. A family that can do nothing, because it waits for an event
// that another command ends, has none, and whoever ends that event makes its command a
// run again.
#ifndef TF_DEVICES_CPU_RUN_CPU_FAMILY_H
#define TF_DEVICES_CPU_RUN_CPU_FAMILY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "abi/long16.h"
#include "core/platform/device_interface.h"
#include "devices/cpu/pool/cpu_pool.h"
#include "devices/cpu/queue/cpu_device_event.h"
#include "devices/cpu/queue/cpu_device_queue.h"
#include "devices/cpu/queue/cpu_ready.h"
#include "devices/cpu/run/cpu_exec.h"

struct tf_check_family;
struct tf_family;
struct tf_running;

// What a launch has of one dimension.
struct tf_child_range {
    size_t offset, size, local_size;
};

// A launch from its enqueue until it and all that it enqueued have ended. What all of
// them need lies in two cache lines, and its argument block behind these: where one
// thread enqueues what another runs, each line is handed over twice.
struct tf_child {
    struct tf_device_times times;  // set where it has an event
    struct tf_child_range more[2]; // of further dimensions, as far as it has them
    _Alignas(TF_LONG16_BYTES) struct tf_child *next; // of the one list that it waits in
    struct tf_ready_node ready;                      // when it waits for nothing
    struct tf_family *family;
    // What does not end before this has: the launch that enqueued it, or, where that has
    // no event of its own, what that one counts for. NULL: the family's first.
    struct tf_child *counts;
    atomic_size_t pending; // this one until its groups have ended, and what counts for it
    _Atomic(struct tf_child *) after_groups; // wait for the end of this one's groups
    atomic_uint blocked;                     // what it waits for
    atomic_int status;                       // what its event gets
    uint64_t event;                          // 0: none
    struct tf_devqueue *queue;               // that it takes room in
    size_t bytes;                            // so much
    size_t local_bytes;                      // of a group
    struct tf_child_range range;
    uint32_t kernel_index;
    uint32_t checks; // its number in what is known of the family (cpu_check.h)
    uint8_t work_dim;
    bool is_marker;
};

static inline void *tf_child_block(struct tf_child *child)
{
    return child + 1;
}

// ---- For commands ----

// Whether a command is one of a kernel that enqueues.
bool tf_family_wanted(const struct tf_command *cmd);
// Whether a session would start without waiting for code.
bool tf_family_is_ready(const struct tf_command *cmd);

// A new session for a command, whose family is made if there is none: its unit, the
// caller being its first user. NULL and *status when memory ran out.
struct tf_unit *tf_family_begin(struct tf_pool *pool, struct tf_command *cmd,
                                cl_int *status) TF_NODISCARD;

// What can be done before: waits for code of all that may be enqueued. False: there is
// none.
bool tf_family_prepare(const struct tf_command *cmd) TF_NODISCARD;
// A launch of `of`, which is one of batch->replay's commands, as a command of its own,
// with an argument block of its own. The batch comes behind it, and is told of its end.
// NULL when memory ran out.
struct tf_command *tf_family_part(struct tf_command *batch,
                                  const struct tf_command *of) TF_NODISCARD;
// Ends such a launch, or a command.
void tf_family_finish(struct tf_command *cmd, cl_int status);

enum tf_family_next {
    TF_FAMILY_ENDED,   // and the command has been finished
    TF_FAMILY_GOES_ON, // another session is to begin at once
    TF_FAMILY_SLEEPS,  // another will be begun by somebody else
};
// By the last one to leave a session.
enum tf_family_next tf_family_end_session(struct tf_unit *unit);

// ---- For kernels that run ----

// Memory for a child with an argument block and so many events to wait for, which are
// told of at *waiters. NULL where the queue has no room for it (*is_full) or memory ran
// out. Zeros but for queue and bytes, what `times` says, and the block.
struct tf_child *tf_child_new(struct tf_exec *exec, struct tf_devqueue *queue,
                              size_t block_bytes, unsigned waiter_count,
                              struct tf_device_waiter **waiters,
                              bool *is_full) TF_NODISCARD;
void tf_child_free(struct tf_exec *exec, struct tf_child *child);

// One more counts for it. By a thread of the family's session.
void tf_child_count(struct tf_exec *exec, struct tf_child *child);
// It waits for nothing. `exec`: what the calling thread works with, or NULL.
void tf_child_ready(struct tf_exec *exec, struct tf_child *child);
// One of the things that it waits for is there.
void tf_child_unblock(struct tf_exec *exec, struct tf_child *child);
// The same for all that wait for an event that has ended with `status`.
void tf_children_wake(struct tf_exec *exec, struct tf_device_waiter *waiters,
                      cl_int status);

// Lets go all that waits for events in families whose commands have been stopped: it ends
// without having begun.
void tf_families_stopped(void);
bool tf_family_is_stopped(const struct tf_family *family);

// Service `enqueue`: a struct tf_enqueue_record (cpu_enqueue.c). Runs on the stack of a
// kernel.
tf_u64 tf_enqueue_ask(const struct tf_launch *launch, struct tf_worker *worker,
                      const void *record, tf_u32 flags);

// Where get_default_queue() leads, and whether `queue` is one that the family may use.
struct tf_devqueue *tf_family_queue(const struct tf_family *family);
bool tf_family_has_queue(const struct tf_family *family, uint64_t queue);
struct tf_devprog *tf_family_program(const struct tf_family *family);
uint64_t tf_family_number(const struct tf_family *family);
struct tf_check_family *tf_family_checks(const struct tf_family *family); // or NULL
struct tf_device *tf_family_device(const struct tf_family *family);

#endif // TF_DEVICES_CPU_RUN_CPU_FAMILY_H
