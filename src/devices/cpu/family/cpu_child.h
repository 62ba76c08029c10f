// SPDX-License-Identifier: MIT
// Launches of a family (cpu_family.h), from their enqueue to their end.
#ifndef TF_DEVICES_CPU_FAMILY_CPU_CHILD_H
#define TF_DEVICES_CPU_FAMILY_CPU_CHILD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "abi/long16.h"
#include "base/attr.h"
#include "devices/cpu/queue/cpu_device_event.h"
#include "devices/cpu/queue/cpu_device_queue.h"
#include "devices/cpu/queue/cpu_ready.h"
#include "devices/cpu/run/cpu_exec.h"

struct tf_family;

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

// A group that the thread ran has ended: so may begin what waits for that.
void tf_child_release_group(struct tf_exec *exec);
// Its groups have ended, or it had none.
void tf_child_end_groups(struct tf_exec *exec, struct tf_child *child);
// Gives back what the thread has in hand of a launch's count: before it does what does
// not count for the same.
void tf_child_give_credit(struct tf_exec *exec);

#endif // TF_DEVICES_CPU_FAMILY_CPU_CHILD_H
