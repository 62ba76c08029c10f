// SPDX-License-Identifier: MIT
// The unfinished items of a group form a ring in the order of their local ids. An item
// that arrives at a barrier continues the next one of the ring; when the turn comes back
// to it, every other unfinished item has arrived or ended. That holds whatever barriers
// the items stand at, so items that disagree about barriers end instead of hanging.
#include "devices/cpu/run/cpu_items.h"

#include <sched.h>
#include <string.h>

#include "base/alloc.h"
#include "base/range.h"

enum { LINE_BYTES = 64, YIELDS_A_TURN = 4096 };

// ---- Fibers ----

TF_FIBER_UNCOUNTED static void run_item(void *arg);

static struct tf_item *new_item(struct tf_items *items, const sigset_t *mask)
{
    struct tf_item *item = tf_alloc_aligned(LINE_BYTES, sizeof(*item));

    if (!item)
        return NULL;
    memset(item, 0, sizeof(*item));
    item->items = items;
    // Five lines apart: frames of neighbours share no cache set for their first lines.
    if (!tf_fiber_init(&item->fiber, items->stack_bytes, items->count * 5, false,
                       run_item, item)) {
        tf_free(item);
        return NULL;
    }
    tf_fiber_set_mask(&item->fiber, mask);
    return item;
}

void tf_items_release(struct tf_items *items, size_t keep)
{
    while (items->count > keep) {
        struct tf_item *item = items->all[--items->count];

        tf_fiber_finish(&item->fiber);
        tf_free(item);
    }
    if (items->count == 0) {
        tf_free(items->all);
        items->all = NULL;
        items->room = 0;
    }
}

bool tf_items_prepare(struct tf_items *items, size_t count, size_t stack_bytes,
                      const sigset_t *mask)
{
    if (stack_bytes > items->stack_bytes)
        tf_items_release(items, 0);
    if (items->count == 0)
        items->stack_bytes = stack_bytes;
    if (count > items->room) {
        struct tf_item **all;
        size_t bytes;

        if (tf_mul_overflow(count, sizeof(struct tf_item *), &bytes))
            return false;
        all = tf_realloc(items->all, bytes);
        if (!all)
            return false;
        items->all = all;
        items->room = count;
    }
    while (items->count < count) {
        struct tf_item *item = new_item(items, mask);

        if (!item)
            return false;
        items->all[items->count++] = item;
    }
    return true;
}

void tf_items_forget(struct tf_items *items)
{
    struct tf_item *const first = items->current;
    struct tf_item *item = first;

    if (!first)
        return;
    do {
        tf_fiber_restart(&item->fiber);
        item = item->next;
    } while (item != first);
    items->current = NULL;
}

// ---- Running ----

// The running item has ended: on to the next, or back to the entry function.
TF_FIBER_UNCOUNTED static void end_item(struct tf_item *item)
{
    struct tf_items *items = item->items;
    struct tf_item *next = item->next;

    items->live--;
    if (next == item) {
        items->current = NULL;
        tf_fiber_switch(&item->fiber, items->caller);
        return;
    }
    item->prev->next = next;
    next->prev = item->prev;
    tf_items_set_current(items, items->worker, next);
    tf_fiber_switch(&item->fiber, &next->fiber);
}

// Body of an item's fiber: one item per turn, of one group after the other.
TF_FIBER_UNCOUNTED static void run_item(void *arg)
{
    struct tf_item *item = arg;

    for (;;) {
        const struct tf_items *items = item->items;

        items->entry(items->launch, items->worker, items->group, item->local_id[0],
                     item->local_id[1], item->local_id[2]);
        end_item(item);
    }
}

static size_t link_items(struct tf_items *items, const struct tf_group *group)
{
    size_t n = 0;

    for (tf_u64 z = 0; z < group->local_size[2]; z++) {
        for (tf_u64 y = 0; y < group->local_size[1]; y++) {
            for (tf_u64 x = 0; x < group->local_size[0]; x++) {
                struct tf_item *item;

                if (n == items->count)
                    return 0;
                item = items->all[n];
                item->local_id[0] = x;
                item->local_id[1] = y;
                item->local_id[2] = z;
                item->prev = n > 0 ? items->all[n - 1] : NULL;
                if (n > 0)
                    item->prev->next = item;
                n++;
            }
        }
    }
    if (n > 0) {
        items->all[0]->prev = items->all[n - 1];
        items->all[n - 1]->next = items->all[0];
    }
    return n;
}

bool tf_items_run(struct tf_items *items, struct tf_fiber *caller,
                  struct tf_worker *worker, const struct tf_launch *launch,
                  const struct tf_group *group, tf_item_entry entry)
{
    void *const stack_limit = worker->stack_limit, *const stack_end = worker->stack_end;

    items->live = link_items(items, group);
    if (items->live == 0)
        return false;
    items->arrived = 0;
    items->caller = caller;
    items->worker = worker;
    items->launch = launch;
    items->group = group;
    items->entry = entry;
    tf_items_set_current(items, worker, items->all[0]);
    tf_fiber_switch(caller, &items->all[0]->fiber);
    worker->stack_limit = stack_limit;
    worker->stack_end = stack_end;
    return true;
}

// ---- Waiting ----

TF_FIBER_UNCOUNTED void tf_items_yield_in_wait(struct tf_items *items,
                                               struct tf_worker *worker)
{
    if (++items->yields % YIELDS_A_TURN == 0)
        sched_yield();
    tf_items_yield(items, worker);
}

TF_FIBER_UNCOUNTED void tf_items_gather(struct tf_items *items, struct tf_worker *worker)
{
    const tf_u64 round = items->round;

    items->arrived++;
    while (items->round == round) {
        if (items->arrived == items->live) {
            items->arrived = 0;
            items->round++;
            return;
        }
        tf_items_yield(items, worker);
    }
}
