// SPDX-License-Identifier: MIT
// Stacks of launches that may begin, one for each thread that works on a family
// (run/cpu_family.h). A thread puts what its kernels enqueue on top of its own and takes
// from there; one that has nothing left takes the oldest of another's, which lead to the
// most work (Blumofe, Leiserson: Scheduling multithreaded computations by work stealing,
// 1999).
#ifndef TF_DEVICES_CPU_QUEUE_CPU_READY_H
#define TF_DEVICES_CPU_QUEUE_CPU_READY_H

#include <stdatomic.h>

#include "base/attr.h"
#include "base/thread.h"

// In what is put on a stack; of one stack at a time.
struct tf_ready_node {
    struct tf_ready_node *below, *above;
};

struct tf_ready {
    _Alignas(64) struct tf_mutex lock;
    struct tf_ready_node *top TF_GUARDED_BY(&lock), *bottom TF_GUARDED_BY(&lock);
    atomic_uint count; // changed under the lock; what comes, sequentially consistent
};

void tf_ready_init(struct tf_ready *ready);
void tf_ready_finish(struct tf_ready *ready);

// Puts what is linked by `below` from `first` to `last` on top, in its order.
void tf_ready_push(struct tf_ready *ready, struct tf_ready_node *first,
                   struct tf_ready_node *last, unsigned count);
// The top; NULL: there is none.
struct tf_ready_node *tf_ready_pop(struct tf_ready *ready);
// Takes the older half of `from`, but not more than a few, which keep their order: the
// top of them is returned, the others go on top of `to`. NULL: there is none.
struct tf_ready_node *tf_ready_steal(struct tf_ready *from, struct tf_ready *to);

static inline unsigned tf_ready_count(const struct tf_ready *ready)
{
    return atomic_load(&ready->count);
}

#endif // TF_DEVICES_CPU_QUEUE_CPU_READY_H
