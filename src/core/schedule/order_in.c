// SPDX-License-Identifier: MIT
// One command after another. The lock is taken once a command to list it, and once a run:
// commands in the middle of a run end without it.
#include "core/schedule/order.h"

#include <assert.h>

#include "base/alloc.h"
#include "core/schedule/event.h"

// Listed commands are unfinished and own themselves. The next run is linked by dev_next
// as its commands come in, what is behind it by link.in.next. All but `order` is under
// order.lock, which Clang checks of functions only: it does not see that a lock inside
// another member is the same object's.
struct in_order {
    struct tf_order order;
    cl_event run;      // first command of the next run
    cl_event run_last; // and the last, NULL if there is none
    cl_event head;     // first command behind the next run
    cl_event tail;     // last command, in a run or not
    bool is_running;   // a run is under way
};

static struct in_order *in_order_of(struct tf_order *order)
{
    return tf_container_of(order, struct in_order, order);
}

static bool prepare(struct tf_order *order, cl_event ev)
{
    (void)order, (void)ev;
    return true;
}

// Adds the command, which comes right behind the next run, to that run. False if that
// cannot be: it is not ready, or one of both is for the host alone.
static bool add_to_run(struct in_order *in, cl_event ev) TF_REQUIRES(&in->order.lock)
{
    if (!ev->link.in.is_ready)
        return false;
    if (in->run && (tf_event_is_host_only(ev) || tf_event_is_host_only(in->run)))
        return false;
    if (in->run)
        in->run_last->cmd.dev_next = &ev->cmd;
    else
        in->run = ev;
    in->run_last = ev;
    return true;
}

static void fill_run(struct in_order *in) TF_REQUIRES(&in->order.lock)
{
    while (in->head && add_to_run(in, in->head))
        in->head = in->head->link.in.next;
}

// Begins the next run, unless one is under way or there is none: a single marker or
// failed command, or a list of commands for the device.
static cl_event take_run(struct in_order *in) TF_REQUIRES(&in->order.lock)
{
    cl_event first = in->run;

    if (in->is_running || !first)
        return NULL;
    in->is_running = true;
    first->link.in.starts_run = true;
    in->run_last->retires = true;
    in->run = in->run_last = NULL;
    fill_run(in);
    return first;
}

static cl_event ready(struct tf_order *order, cl_event ev)
{
    struct in_order *in = in_order_of(order);
    cl_event run;

    if (ev->link.in.starts_run)
        return ev;
    tf_lock(&in->order.lock);
    ev->link.in.is_ready = true;
    fill_run(in);
    run = take_run(in);
    tf_unlock(&in->order.lock);
    return run;
}

// Lists `ev`, which has its dependencies. *here: whether the caller wants to run it, and
// then, whether it is to do so. Returns a run for the caller to release, or NULL.
static cl_event append(struct in_order *in, cl_event ev, bool *here)
    TF_REQUIRES(&in->order.lock)
{
    const cl_event last = in->tail;

    ev->cmd.order = ev->cmd.after = ++in->order.count;
    *here = *here && !last;
    if (!last)
        tf_ref(in->order.queue);
    if (last && in->head)
        last->link.in.next = ev;
    else if (!add_to_run(in, ev))
        in->head = ev;
    in->tail = ev;
    return take_run(in);
}

static void list(struct tf_order *order, cl_event ev, unsigned flags)
{
    struct in_order *in = in_order_of(order);
    const bool is_ready = tf_event_waits_for_nothing(ev);
    bool here = is_ready && tf_event_may_run_here(ev, flags & TF_ENQUEUE_WAITS);
    cl_event run;

    ev->link.in.is_ready = is_ready;
    tf_lock(&in->order.lock);
    run = append(in, ev, &here);
    tf_unlock(&in->order.lock);
    if (run && here)
        tf_event_run_here(run);
    else if (run)
        tf_event_release_run(run);
    if (!is_ready)
        tf_event_drop_guard(ev);
}

static cl_event retire(struct tf_order *order, cl_event ev)
{
    struct in_order *in = in_order_of(order);
    cl_event next;
    bool is_idle;

    tf_lock(&in->order.lock);
    in->is_running = false;
    next = take_run(in);
    is_idle = in->tail == ev;
    if (is_idle)
        in->tail = NULL;
    tf_unlock(&in->order.lock);
    if (is_idle)
        tf_unref(order->queue);
    return next;
}

static bool last(struct tf_order *order, cl_event *out)
{
    struct in_order *in = in_order_of(order);

    tf_lock(&in->order.lock);
    *out = tf_ref(in->tail);
    tf_unlock(&in->order.lock);
    return *out != NULL;
}

static void in_order_free(struct tf_order *order) TF_NO_TSA
{
    assert(!in_order_of(order)->tail);
    tf_mutex_finish(&order->lock);
    tf_free(in_order_of(order));
}

static const struct tf_order_ops ops = {
    .prepare = prepare,
    .list = list,
    .ready = ready,
    .retire = retire,
    .last = last,
    .free = in_order_free,
};

struct tf_order *tf_order_in_new(cl_command_queue queue)
{
    struct in_order *in = tf_zalloc(sizeof(*in));

    if (!in)
        return NULL;
    in->order.ops = &ops;
    in->order.queue = queue;
    tf_mutex_init(&in->order.lock, TF_RANK_QUEUE);
    return &in->order;
}
