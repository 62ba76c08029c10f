// SPDX-License-Identifier: MIT
// A stack under a lock, for launches that any thread may put there (family/cpu_family.h):
// those that an event of elsewhere lets begin, and those of threads without a stack of
// their own (cpu_ready.h).
#ifndef TF_DEVICES_CPU_QUEUE_CPU_READY_LIST_H
#define TF_DEVICES_CPU_QUEUE_CPU_READY_LIST_H

#include <stdatomic.h>

#include "base/attr.h"
#include "base/thread.h"
#include "devices/cpu/queue/cpu_ready.h"

struct tf_ready_list {
    _Alignas(64) struct tf_mutex lock;
    struct tf_ready_node *top TF_GUARDED_BY(&lock);
    atomic_uint count; // changed under the lock; what comes, sequentially consistent
};

void tf_ready_list_init(struct tf_ready_list *list);
void tf_ready_list_finish(struct tf_ready_list *list);

// Puts what is linked by `below` from `first` to `last` on top, in its order.
void tf_ready_list_push(struct tf_ready_list *list, struct tf_ready_node *first,
                        struct tf_ready_node *last, unsigned count);
// The top; NULL: there is none.
struct tf_ready_node *tf_ready_list_pop(struct tf_ready_list *list);

static inline unsigned tf_ready_list_count(const struct tf_ready_list *list)
{
    return atomic_load(&list->count);
}

#endif // TF_DEVICES_CPU_QUEUE_CPU_READY_LIST_H
