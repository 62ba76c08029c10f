// SPDX-License-Identifier: MIT
// What launches go through: they become ready when they wait for nothing, and end when
// their groups and all that counts for them have. Those that may begin form a stack for
// each thread: what was enqueued last is begun first, so that a tree of launches is
// walked in depth and few of them are alive at a time.
#include "devices/cpu/family/cpu_child.h"

#include "base/alloc.h"
#include "base/time.h"
#include "devices/cpu/family/cpu_family_state.h"

enum { CREDIT = 64 };

// ---- Memory ----

// What few need is left as it is.
static void clear(struct tf_child *child)
{
    child->next = NULL;
    child->family = NULL;
    child->counts = NULL;
    atomic_init(&child->pending, 0);
    atomic_init(&child->after_groups, NULL);
    atomic_init(&child->blocked, 0);
    atomic_init(&child->status, CL_COMPLETE);
    child->event = 0;
    child->local_bytes = 0;
    child->kernel_index = 0;
    child->work_dim = 0;
    child->checks = 0;
    child->is_marker = false;
}

struct tf_child *tf_child_new(struct tf_exec *exec, struct tf_devqueue *queue,
                              size_t block_bytes, unsigned waiter_count,
                              struct tf_device_waiter **waiters, bool *is_full)
{
    const size_t align = _Alignof(struct tf_device_waiter);
    const size_t block_end = (block_bytes + align - 1) / align * align;
    size_t bytes = sizeof(struct tf_child) + block_end + waiter_count * sizeof(**waiters);
    struct tf_child *child;

    if (bytes < TF_SPARE_BYTES)
        bytes = TF_SPARE_BYTES;
    *is_full = !tf_device_room_take(&exec->room, queue, bytes);
    if (*is_full)
        return NULL;
    child = bytes > TF_SPARE_BYTES ? tf_alloc_aligned(TF_LONG16_BYTES, bytes)
                                   : tf_spare_take(&exec->spares);
    if (!child) {
        tf_device_room_give(&exec->room, queue, bytes);
        return NULL;
    }
    clear(child);
    child->queue = queue;
    child->bytes = bytes;
    *waiters = (void *)((char *)tf_child_block(child) + block_end);
    return child;
}

void tf_child_free(struct tf_exec *exec, struct tf_child *child)
{
    tf_device_room_give(&exec->room, child->queue, child->bytes);
    if (child->bytes > TF_SPARE_BYTES)
        tf_free(child);
    else
        tf_spare_give(&exec->spares, child);
}

// ---- What may begin ----

// By any thread. Under the lock: what it puts there may be the last of the family.
static void push_shared(struct tf_family *family, struct tf_child *first,
                        struct tf_child *last, unsigned count)
{
    bool pushes;

    tf_lock(&family->lock);
    tf_ready_list_push(&family->shared, &first->ready, &last->ready, count);
    pushes = !family->in_session && !family->is_pushed;
    if (pushes)
        family->is_pushed = true;
    else
        tf_family_announce(family);
    tf_unlock(&family->lock);
    if (pushes)
        tf_pool_push(family->pool, family->cmd);
}

// Puts them on the thread's stack, of which others see more then: how many, or 0 where
// there is no memory for it. `keeps`: but not the latest.
static unsigned push_shown(struct tf_ready *ready, struct tf_child *first, unsigned count,
                           bool keeps)
{
    unsigned all;

    if (keeps && count == 1) {
        all = tf_ready_show(ready, TF_READY_KEPT / 2);
        return all > 0 && tf_ready_keep(ready, &first->ready) ? all : 0;
    }
    tf_ready_show(ready, TF_READY_KEPT);
    return ready->kept_count > 0 ? 0 : tf_ready_push(ready, &first->ready, count);
}

// By a thread of the family's session. False: it has no stack, or no memory for it.
static TF_NODISCARD bool push_own(struct tf_exec *exec, struct tf_child *first,
                                  unsigned count, bool looks_itself)
{
    struct tf_family *family = exec->family;
    const unsigned least = tf_worth_least(&family->worth);
    unsigned all;

    if (!exec->ready)
        return false;
    if (least > 1 && count == 1 && tf_ready_keep(exec->ready, &first->ready))
        return true; // others would take nothing yet
    all = push_shown(exec->ready, first, count, least > 1);
    if (all == 0)
        return false;
    // One who is about to look itself wakes nobody for a single launch. Whoever finds
    // nothing says so, and looks once more (run_others()); so do those who seek when they
    // give up.
    if ((looks_itself && all < 2) || all < least ||
        atomic_load(&family->unit.next_piece) == 0 || atomic_load(&family->seekers) > 0)
        return true;
    tf_lock(&family->lock);
    tf_family_announce(family);
    tf_unlock(&family->lock);
    return true;
}

// Puts a list of launches, in their order, on top. `exec`: of the calling thread; or
// NULL.
static void push_ready(struct tf_exec *exec, struct tf_child *first,
                       struct tf_child *last, unsigned count, bool looks_itself)
{
    if (!exec || exec->family != first->family ||
        !push_own(exec, first, count, looks_itself))
        push_shared(first->family, first, last, count);
}

// With one left nobody else changes it, and it stays. Release: what was written before;
// acquire: the last one has seen all of it.
static bool is_last_block(struct tf_child *child)
{
    return atomic_load_explicit(&child->blocked, memory_order_acquire) == 1 ||
           atomic_fetch_sub_explicit(&child->blocked, 1, memory_order_acq_rel) == 1;
}

void tf_child_ready(struct tf_exec *exec, struct tf_child *child)
{
    push_ready(exec, child, child, 1, false);
}

void tf_child_unblock(struct tf_exec *exec, struct tf_child *child)
{
    if (is_last_block(child))
        tf_child_ready(exec, child);
}

void tf_children_wake(struct tf_exec *exec, struct tf_device_waiter *waiters,
                      cl_int status)
{
    while (waiters) {
        struct tf_device_waiter *next = waiters->next;
        struct tf_child *child = waiters->owner;

        if (status < 0)
            atomic_store_explicit(&child->status,
                                  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                                  memory_order_relaxed);
        tf_child_unblock(exec, child);
        waiters = next;
    }
}

// The list is in reverse order, and so becomes right on the way.
static void release(struct tf_exec *exec, struct tf_child *list, bool looks_itself)
{
    struct tf_child *first = NULL, *last = NULL;
    unsigned count = 0;

    while (list) {
        struct tf_child *next = list->next;

        if (is_last_block(list)) {
            list->ready.below = first ? &first->ready : NULL;
            first = list;
            last = last ? last : list;
            count++;
        }
        list = next;
    }
    if (first)
        push_ready(exec, first, last, count, looks_itself);
}

void tf_child_release_group(struct tf_exec *exec)
{
    struct tf_child *list = exec->after_group;

    exec->after_group = NULL;
    release(exec, list, false);
}

// ---- Ends ----

static void end_event(struct tf_exec *exec, struct tf_child *child)
{
    const cl_int status = atomic_load_explicit(&child->status, memory_order_relaxed);

    child->times.complete_ns = child->times.start_ns > 0 ? tf_time_ns() : 0;
    tf_children_wake(exec, tf_device_event_end(child->event, status, &child->times),
                     status);
}

// As is_last_block().
static bool is_last(struct tf_child *child, size_t units)
{
    return atomic_load_explicit(&child->pending, memory_order_acquire) == units ||
           atomic_fetch_sub_explicit(&child->pending, units, memory_order_acq_rel) ==
               units;
}

// Most of what a thread enqueues and ends counts for the same launch, often for all
// threads: each has units of that one's count in hand.
void tf_child_count(struct tf_exec *exec, struct tf_child *child)
{
    if (exec->credit == 0) {
        atomic_fetch_add_explicit(&child->pending, CREDIT, memory_order_relaxed);
        exec->credit_of = child;
        exec->credit = CREDIT;
    }
    if (exec->credit_of == child)
        exec->credit--;
    else
        atomic_fetch_add_explicit(&child->pending, 1, memory_order_relaxed);
}

// One that counted for it has ended. True: it has, too.
static bool uncount(struct tf_exec *exec, struct tf_child *child)
{
    if (exec->credit > 0 && exec->credit_of != child)
        return is_last(child, 1);
    exec->credit_of = child;
    exec->credit++;
    return false;
}

// The launch and all that counts for it have ended; so may have what it counts for. A
// loop: chains are as long as programs make them.
static void complete(struct tf_exec *exec, struct tf_child *child)
{
    struct tf_family *family = child->family;

    do {
        struct tf_child *up = child->counts;

        if (child->event)
            end_event(exec, child);
        if (!up) {
            tf_lock(&family->lock);
            atomic_store(&family->has_ended, true);
            tf_unlock(&family->lock);
            return;
        }
        tf_child_free(exec, child);
        child = up;
    } while (uncount(exec, child));
}

// Before the thread does what does not count for the same.
void tf_child_give_credit(struct tf_exec *exec)
{
    struct tf_child *child = exec->credit_of;
    size_t units;

    while ((units = exec->credit) > 0) {
        exec->credit = 0;
        if (is_last(child, units))
            complete(exec, child);
        child = exec->credit_of;
    }
}

// Its groups have ended, or it had none.
void tf_child_end_groups(struct tf_exec *exec, struct tf_child *child)
{
    if (child->event && child->times.start_ns > 0)
        child->times.end_ns = tf_time_ns();
    release(exec, atomic_load_explicit(&child->after_groups, memory_order_acquire), true);
    if (is_last(child, 1))
        complete(exec, child);
}
