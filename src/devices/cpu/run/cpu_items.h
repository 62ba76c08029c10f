// SPDX-License-Identifier: MIT
// The fibers on which a thread runs the items of one work-group, one at a time. An item
// is a work-item or a gang of them.
#ifndef TF_DEVICES_CPU_RUN_CPU_ITEMS_H
#define TF_DEVICES_CPU_RUN_CPU_ITEMS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "abi/cpu_abi.h"
#include "base/attr.h"
#include "devices/cpu/fiber/cpu_fiber.h"

// Unfinished items form a ring. A barrier reads the first few fields alone, one cache
// line.
struct tf_item {
    struct tf_item *next;
    struct tf_fiber fiber;
    struct tf_items *items;
    struct tf_item *prev;
    tf_u64 local_id[3];
};

// Used by one thread at a time. All zero: no fibers.
struct tf_items {
    struct tf_item *current; // the one that runs; NULL outside tf_items_run()
    struct tf_item **all;    // `count` of them are made
    size_t count;
    size_t room;
    size_t stack_bytes; // they were made for

    // Of the running group.
    struct tf_fiber *caller;
    struct tf_worker *worker;
    const struct tf_launch *launch;
    const struct tf_group *group;
    tf_item_entry entry;

    // Of tf_items_gather().
    size_t live, arrived;
    tf_u64 round;
    tf_u64 yields; // in loops that wait, ever
};

// Makes fibers for `count` items with stacks of `stack_bytes`, or uses those made before.
// `mask` is given to new ones.
bool tf_items_prepare(struct tf_items *items, size_t count, size_t stack_bytes,
                      const sigset_t *mask) TF_NODISCARD;
// Frees all fibers beyond `keep`. None may be inside a kernel.
void tf_items_release(struct tf_items *items, size_t keep);
// After a launch was abandoned: items that stopped inside the kernel start anew.
void tf_items_forget(struct tf_items *items);

// Runs `entry` for every item of the group and returns to `caller`, the fiber that calls,
// when all have ended. False, and nothing was run, when there are too few fibers.
bool tf_items_run(struct tf_items *items, struct tf_fiber *caller,
                  struct tf_worker *worker, const struct tf_launch *launch,
                  const struct tf_group *group, tf_item_entry entry) TF_NODISCARD;

// `to` becomes the running item: `worker` tells kernels where its stack lies.
static inline void tf_items_set_current(struct tf_items *items, struct tf_worker *worker,
                                        struct tf_item *to)
{
    items->current = to;
    worker->stack_limit = tf_fiber_stack_low(&to->fiber);
    worker->stack_end = tf_fiber_stack_end(&to->fiber);
}

// From inside an item: the others of the ring have their turn. Inlined, so that a
// function that ends with it leaves no frame.
TF_FIBER_UNCOUNTED static inline void tf_items_yield(struct tf_items *items,
                                                     struct tf_worker *worker)
{
    struct tf_item *item = items->current, *next;

    // One item, or none on a fiber: it is alone in its group and waits for nobody.
    if (!item || item->next == item)
        return;
    next = item->next;
    tf_items_set_current(items, worker, next);
    // Stacks of a large group lie outside the first cache: one turn is time to get them.
    tf_fiber_expect(&next->next->fiber);
    tf_fiber_switch(&item->fiber, &next->fiber);
}

// The same in a loop that waits. What it waits for may be up to another thread.
void tf_items_yield_in_wait(struct tf_items *items, struct tf_worker *worker);
// A barrier of items that yield elsewhere, too: returns when all unfinished ones are
// here.
void tf_items_gather(struct tf_items *items, struct tf_worker *worker);

#endif // TF_DEVICES_CPU_RUN_CPU_ITEMS_H
