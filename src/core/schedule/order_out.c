// SPDX-License-Identifier: MIT
// As the edges say. Unfinished commands are known only as a number: each counts as a
// pending dependency of the open epoch. A marker closes the epoch (drops the order's own
// count), waits for it and opens the next one, which waits for the closed one.
#include "core/schedule/order.h"

#include <assert.h>

#include "base/alloc.h"
#include "core/schedule/event.h"

// All but `order` is under order.lock (order_in.c).
struct out_of_order {
    struct tf_order order;
    size_t unfinished;
    cl_event barrier;       // owned last barrier; NULL once it ended
    uint64_t barrier_count; // order.count as it was listed
    cl_event epoch;         // owned open epoch
};

static struct out_of_order *out_of_order_of(struct tf_order *order)
{
    return tf_container_of(order, struct out_of_order, order);
}

// An event that ends when all that is counted in it has ended. It has no queue: the order
// owns it.
static cl_event new_epoch(cl_context ctx)
{
    return tf_event_new(ctx, NULL, 0, 1, 0);
}

static bool prepare(struct tf_order *order, cl_event ev)
{
    cl_event epoch;

    (void)order;
    if (ev->type != CL_COMMAND_MARKER && ev->type != CL_COMMAND_BARRIER)
        return true;
    epoch = new_epoch(ev->obj.ctx);
    if (!epoch)
        return false;
    tf_event_hold(ev, epoch);
    tf_unref(epoch);
    ev->link.out.next_epoch = epoch;
    return true;
}

// Puts `ev` after all that is unfinished and opens the next epoch. Returns the closed
// one, still with the order's own count.
static cl_event close_epoch(struct out_of_order *out, cl_event ev)
    TF_REQUIRES(&out->order.lock)
{
    cl_event closed = out->epoch, next = ev->link.out.next_epoch;

    assert(next);
    tf_event_depend(ev, closed, false);
    tf_event_depend(next, closed, false);
    out->epoch = tf_ref(next);
    return closed;
}

// What the lock guards while `ev` is listed; the references go once it is unlocked.
struct placed {
    cl_event closed;  // epoch to be started
    cl_event dropped; // barrier before ev
};

static struct placed place(struct out_of_order *out, cl_event ev, unsigned flags)
    TF_REQUIRES(&out->order.lock)
{
    struct placed p = {0};

    ev->cmd.order = ++out->order.count;
    ev->cmd.after = out->barrier ? out->barrier_count : 0;
    if (flags & TF_ENQUEUE_AFTER_ALL) {
        ev->cmd.after = ev->cmd.order;
        p.closed = close_epoch(out, ev);
    }
    if (out->barrier)
        tf_event_depend(ev, out->barrier, false);
    if (flags & TF_ENQUEUE_BARRIER) {
        p.dropped = out->barrier;
        out->barrier = tf_ref(ev);
        out->barrier_count = ev->cmd.order;
    }
    tf_event_add_pending(out->epoch);
    ev->retires = true;
    ev->link.out.epoch = out->epoch; // it cannot end before this one has ended
    if (out->unfinished++ == 0)
        tf_ref(out->order.queue);
    return p;
}

static void list(struct tf_order *order, cl_event ev, unsigned flags)
{
    struct out_of_order *out = out_of_order_of(order);
    struct placed p;

    tf_lock(&out->order.lock);
    p = place(out, ev, flags);
    tf_unlock(&out->order.lock);
    if (p.closed)
        tf_event_start(p.closed);
    if (tf_event_may_run_here(ev, flags & TF_ENQUEUE_WAITS))
        tf_event_run_here(ev);
    else
        tf_event_drop_guard(ev);
    tf_unref(p.dropped);
}

static cl_event ready(struct tf_order *order, cl_event ev)
{
    (void)order;
    return ev;
}

static cl_event retire(struct tf_order *order, cl_event ev)
{
    struct out_of_order *out = out_of_order_of(order);
    cl_event barrier = NULL;
    bool is_idle;

    tf_event_drop_pending(ev->link.out.epoch);
    tf_lock(&order->lock);
    is_idle = --out->unfinished == 0;
    if (out->barrier == ev) {
        barrier = ev;
        out->barrier = NULL;
    }
    tf_unlock(&order->lock);
    tf_unref(barrier);
    if (is_idle)
        tf_unref(order->queue);
    return NULL;
}

static bool last(struct tf_order *order, cl_event *out)
{
    bool is_idle;

    *out = NULL;
    tf_lock(&order->lock);
    // Only the order's own count is left: neither a command nor an earlier epoch.
    is_idle = tf_event_waits_for_nothing(out_of_order_of(order)->epoch);
    tf_unlock(&order->lock);
    return !is_idle;
}

static void out_of_order_free(struct tf_order *order) TF_NO_TSA
{
    struct out_of_order *out = out_of_order_of(order);

    assert(!out->unfinished);
    tf_unref(out->epoch);
    tf_mutex_finish(&order->lock);
    tf_free(out);
}

static const struct tf_order_ops ops = {
    .prepare = prepare,
    .list = list,
    .ready = ready,
    .retire = retire,
    .last = last,
    .free = out_of_order_free,
};

struct tf_order *tf_order_out_new(cl_context ctx, cl_command_queue queue) TF_NO_TSA
{
    struct out_of_order *out = tf_zalloc(sizeof(*out));

    if (!out)
        return NULL;
    out->order.ops = &ops;
    out->order.queue = queue;
    tf_mutex_init(&out->order.lock, TF_RANK_QUEUE);
    out->epoch = new_epoch(ctx);
    if (out->epoch)
        return &out->order;
    out_of_order_free(&out->order);
    return NULL;
}
