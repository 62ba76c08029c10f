// SPDX-License-Identifier: MIT
// An order of core/schedule/order.h without a queue, on a device that only notes what it
// is given: the test says when a command ends. Included by one source file of a test
// program.
#ifndef TF_TESTS_SUPPORT_ORDER_RIG_H
#define TF_TESTS_SUPPORT_ORDER_RIG_H

#include "core/schedule/order.h"
#include "support/core_fixture.h"

enum { RIG_MAX = 16 };

static struct tf_order *order;
static struct tf_command *submitted[RIG_MAX]; // lists given to submit(), in order
static int submits;

static inline void note_submit(struct tf_device *dev, struct tf_command *list)
{
    (void)dev;
    ck_assert_int_lt(submits, RIG_MAX);
    submitted[submits++] = list;
}

static inline void begin_order(struct tf_order *made)
{
    core.mock->ops.submit = note_submit;
    submits = 0;
    order = made;
    ck_assert_ptr_nonnull(order);
}

// Lists a command after deps[0..n), or a marker that does nothing on the device. The
// caller owns the returned reference.
static inline cl_event list_after(cl_command_type type, unsigned flags, unsigned n,
                                  const cl_event *deps)
{
    const struct tf_event_home home = {.device = core.device, .order = order};
    cl_event ev = tf_event_new(core.ctx, &home, type, n + TF_ORDER_EDGES, TF_ORDER_HELD);

    ck_assert_ptr_nonnull(ev);
    ck_assert(order->ops->prepare(order, ev));
    ev->cmd.kind = type == CL_COMMAND_NATIVE_KERNEL ? TF_CMD_NATIVE : TF_CMD_NONE;
    for (unsigned i = 0; i < n; i++)
        tf_event_depend(ev, deps[i], true);
    tf_event_publish(tf_ref(ev));
    order->ops->list(order, ev, flags);
    return ev;
}

static inline cl_event list_one(void)
{
    return list_after(CL_COMMAND_NATIVE_KERNEL, 0, 0, NULL);
}

// The device ends a command that it was given.
static inline void end(cl_event ev)
{
    tf_command_started(&ev->cmd);
    tf_command_finished(&ev->cmd, CL_COMPLETE);
}

// Whether the n-th list that was submitted is these commands and no others.
static inline bool is_list(int n, int count, const cl_event *evs)
{
    const struct tf_command *cmd = n < submits ? submitted[n] : NULL;

    for (int i = 0; i < count; i++) {
        if (cmd != &evs[i]->cmd)
            return false;
        cmd = cmd->dev_next;
    }
    return !cmd;
}

static inline void drop_all(int count, cl_event *evs)
{
    for (int i = 0; i < count; i++)
        tf_unref(evs[i]);
}

// Nothing is listed: frees the order.
static inline void end_order(void)
{
    cl_event none;

    ck_assert(!order->ops->last(order, &none));
    order->ops->free(order);
}

#endif // TF_TESTS_SUPPORT_ORDER_RIG_H
