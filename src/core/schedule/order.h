// SPDX-License-Identifier: MIT
// The order of a queue: which of its commands come before which, and when it is whose
// turn. Two of them, behind one interface: events and queues do not know which they have.
//
// An in-order queue lists its commands. Those that stand at its front and wait for
// nothing else are a run: they go to the device in one piece, and when the last of them
// has ended, whoever ended it takes the next run.
//
// An out-of-order queue only adds edges: from each command to the last barrier, and from
// markers and barriers to the queue's current epoch (an internal event that ends when
// every command of the epoch has ended).
//
// The unfinished commands of a queue own it together: the first one that is listed takes
// a reference on it, the last one that retires drops it.
#ifndef TF_CORE_SCHEDULE_ORDER_H
#define TF_CORE_SCHEDULE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include "base/thread.h"
#include "core/platform/device_interface.h"

struct tf_order;

// How a command gets its place in its queue.
enum tf_enqueue_flags {
    TF_ENQUEUE_AFTER_ALL = 1u << 0, // after everything queued so far (marker, barrier)
    TF_ENQUEUE_BARRIER = 1u << 1,   // later commands wait for it
    TF_ENQUEUE_WAITS = 1u << 2, // the caller is about to wait: it may run a copy itself
};

// Edges that list() adds to a command at most, and objects that prepare() has it hold.
enum { TF_ORDER_EDGES = 2, TF_ORDER_HELD = 1 };

struct tf_order_ops {
    // Gets the memory that list() will need for `ev`. False: there is none.
    bool (*prepare)(struct tf_order *order, cl_event ev);
    // Gives `ev`, published and with its explicit edges, its place, and starts what may
    // start by that. Cannot fail. The event may be gone afterwards.
    void (*list)(struct tf_order *order, cl_event ev, unsigned flags);
    // All dependencies of a listed command are done. Returns what is to go now: one
    // command for the host alone, or a list (dev_next) for the device; NULL: not its
    // turn.
    cl_event (*ready)(struct tf_order *order, cl_event ev);
    // A listed command has ended that the order has marked as ev->retires. Returns as
    // ready(). The queue may be gone afterwards.
    cl_event (*retire)(struct tf_order *order, cl_event ev);
    // False if all that was listed has retired. *out becomes the command, with a
    // reference for the caller, whose end is the end of all, or NULL if only a marker
    // (TF_ENQUEUE_AFTER_ALL) can tell.
    bool (*last)(struct tf_order *order, cl_event *out);
    // Nothing is listed any more.
    void (*free)(struct tf_order *order);
};

struct tf_order {
    const struct tf_order_ops *ops;
    cl_command_queue queue; // borrowed; NULL in tests
    struct tf_mutex lock;
    uint64_t count TF_GUARDED_BY(&lock); // of the commands listed so far
};

// What an order keeps in each of its commands.
union tf_order_link {
    struct {
        cl_event next;   // behind the next run
        bool is_ready;   // its dependencies are done
        bool starts_run; // first of a run whose turn it is
    } in;
    struct {
        cl_event epoch;      // borrowed: counts this command as unfinished
        cl_event next_epoch; // held by the command: made in advance for a marker
    } out;
};

// NULL when memory ran out.
struct tf_order *tf_order_in_new(cl_command_queue queue) TF_NODISCARD;
struct tf_order *tf_order_out_new(cl_context ctx, cl_command_queue queue) TF_NODISCARD;

#endif // TF_CORE_SCHEDULE_ORDER_H
