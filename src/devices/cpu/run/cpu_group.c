// SPDX-License-Identifier: MIT
// The unfinished items of a group form a ring in the order of their local ids. An item
// that arrives at a barrier continues the next one of the ring; when the turn comes back
// to it, every other unfinished item has arrived or ended. That holds whatever barriers
// the items stand at, so items that disagree about barriers end instead of hanging.
#include "devices/cpu/run/cpu_group.h"

#include <string.h>

#include "base/alloc.h"
#include "base/range.h"
#include "devices/cpu/run/cpu_exec.h"
#include "devices/cpu/run/cpu_launch.h"

// ---- Fibers ----

enum { LINE_BYTES = 64 };

TF_FIBER_UNCOUNTED static void run_item(void *arg);

static struct tf_exec_item *new_item(struct tf_exec *exec, size_t index)
{
    struct tf_exec_item *item = tf_alloc_aligned(LINE_BYTES, sizeof(*item));

    if (!item)
        return NULL;
    memset(item, 0, sizeof(*item));
    item->exec = exec;
    // Five lines apart: frames of neighbours share no cache set for their first lines.
    if (!tf_fiber_init(&item->fiber, exec->item_bytes, index * 5, false, run_item,
                       item)) {
        tf_free(item);
        return NULL;
    }
    tf_fiber_set_mask(&item->fiber, &exec->mask);
    return item;
}

void tf_group_release(struct tf_exec *exec, size_t keep)
{
    while (exec->item_count > keep) {
        struct tf_exec_item *item = exec->items[--exec->item_count];

        tf_fiber_finish(&item->fiber);
        tf_free(item);
    }
    if (exec->item_count == 0) {
        tf_free(exec->items);
        exec->items = NULL;
        exec->item_room = 0;
    }
}

bool tf_group_prepare(struct tf_exec *exec, size_t count, size_t stack_bytes)
{
    if (stack_bytes > exec->item_bytes)
        tf_group_release(exec, 0);
    if (exec->item_count == 0)
        exec->item_bytes = stack_bytes;
    if (count > exec->item_room) {
        struct tf_exec_item **items;
        size_t bytes;

        if (tf_mul_overflow(count, sizeof(*items), &bytes))
            return false;
        items = tf_realloc(exec->items, bytes);
        if (!items)
            return false;
        exec->items = items;
        exec->item_room = count;
    }
    while (exec->item_count < count) {
        struct tf_exec_item *item = new_item(exec, exec->item_count);

        if (!item)
            return false;
        exec->items[exec->item_count++] = item;
    }
    return true;
}

void tf_group_forget(struct tf_exec *exec)
{
    struct tf_exec_item *const first = exec->current;
    struct tf_exec_item *item = first;

    if (!first)
        return;
    do {
        tf_fiber_restart(&item->fiber);
        item = item->next;
    } while (item != first);
    exec->current = NULL;
}

// ---- Running ----

// `to` becomes the running item; it continues where it stopped, or starts.
static void make_current(struct tf_exec *exec, struct tf_exec_item *to)
{
    exec->current = to;
    exec->worker.stack_limit = tf_fiber_stack_low(&to->fiber);
    exec->worker.stack_end = tf_fiber_stack_end(&to->fiber);
}

// The running item has ended: on to the next, or back to the entry function.
TF_FIBER_UNCOUNTED static void end_item(struct tf_exec_item *item)
{
    struct tf_exec *exec = item->exec;
    struct tf_exec_item *next = item->next;

    if (next == item) {
        exec->current = NULL;
        tf_fiber_switch(&item->fiber, &exec->kernel);
        return;
    }
    item->prev->next = next;
    next->prev = item->prev;
    make_current(exec, next);
    tf_fiber_switch(&item->fiber, &next->fiber);
}

// Body of an item's fiber: one item per turn, of one group after the other.
TF_FIBER_UNCOUNTED static void run_item(void *arg)
{
    struct tf_exec_item *item = arg;

    for (;;) {
        struct tf_exec *exec = item->exec;

        exec->entry(&exec->launch->abi, &exec->worker, exec->group, item->local_id[0],
                    item->local_id[1], item->local_id[2]);
        end_item(item);
    }
}

static size_t link_items(struct tf_exec *exec, const struct tf_group *group)
{
    size_t n = 0;

    for (tf_u64 z = 0; z < group->local_size[2]; z++) {
        for (tf_u64 y = 0; y < group->local_size[1]; y++) {
            for (tf_u64 x = 0; x < group->local_size[0]; x++) {
                struct tf_exec_item *item;

                if (n == exec->item_count)
                    return 0;
                item = exec->items[n];
                item->local_id[0] = x;
                item->local_id[1] = y;
                item->local_id[2] = z;
                item->prev = n > 0 ? exec->items[n - 1] : NULL;
                if (n > 0)
                    item->prev->next = item;
                n++;
            }
        }
    }
    if (n > 0) {
        exec->items[0]->prev = exec->items[n - 1];
        exec->items[n - 1]->next = exec->items[0];
    }
    return n;
}

void tf_group_run_fibers(const struct tf_launch *launch, struct tf_worker *worker,
                         const struct tf_group *group, tf_item_entry item)
{
    struct tf_exec *exec = worker->host;
    void *const stack_limit = worker->stack_limit, *const stack_end = worker->stack_end;

    if (link_items(exec, group) == 0)
        tf_launch_trap(launch, worker, "work-group larger than the launch said");
    exec->group = group;
    exec->entry = item;
    make_current(exec, exec->items[0]);
    tf_fiber_switch(&exec->kernel, &exec->items[0]->fiber);
    worker->stack_limit = stack_limit;
    worker->stack_end = stack_end;
}

TF_FIBER_UNCOUNTED void tf_group_barrier(struct tf_worker *worker)
{
    struct tf_exec *exec = worker->host;
    struct tf_exec_item *item = exec->current, *next;

    // One item, or none on a fiber: it is alone in its group and waits for nobody.
    if (!item || item->next == item)
        return;
    next = item->next;
    make_current(exec, next);
    // Stacks of a large group lie outside the first cache: one turn is time to get them.
    tf_fiber_expect(&next->next->fiber);
    tf_fiber_switch(&item->fiber, &next->fiber);
}
