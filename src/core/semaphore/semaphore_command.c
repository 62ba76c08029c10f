// SPDX-License-Identifier: MIT
// How signals and waits are tied. A wait that finds a signal gets an edge to it before it
// is enqueued. One that finds none, of a semaphore that only this context sees, is listed
// there with one more pending dependency; the next signal gives it the edge and takes the
// dependency away: nothing else changes its edges any more then.
#include "core/semaphore/semaphore_command.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/thread.h"
#include "core/object/error.h"
#include "core/schedule/queue.h"
#include "core/semaphore/semaphore.h"
#include "core/semaphore/semaphore_watch.h"

// A wait's part for one of its semaphores.
struct tf_semaphore_wait {
    struct tf_semaphore_wait *next; // in the semaphore's list
    cl_event ev;                    // borrowed: it cannot end while it is listed
    bool is_open;                   // it has no signal yet
};

// What lies in a command that waits.
struct wait {
    struct tf_semaphore_watch watch;
    // count of each: struct tf_semaphore_wait, then struct tf_semaphore_watch_fd
    struct tf_semaphore_wait waits[];
};

static struct tf_mutex pairing = TF_MUTEX_INITIALIZER(TF_RANK_SEMAPHORE);

// References that are dropped when the lock is no longer held.
struct dropped {
    cl_event events[3];
};

static void drop(struct dropped *dropped)
{
    for (size_t i = 0; i < sizeof(dropped->events) / sizeof(dropped->events[0]); i++)
        TF_CLEAR(dropped->events[i]);
}

// `wait` is the one for `signal`, whose reference passes to the semaphore.
static void tie(cl_semaphore_khr sema, cl_event signal, cl_event wait,
                struct dropped *dropped) TF_REQUIRES(&pairing)
{
    dropped->events[0] = sema->last_signal;
    dropped->events[1] = sema->last_wait;
    sema->last_signal = signal;
    sema->last_wait = tf_ref(wait);
    tf_event_depend(wait, signal, true);
}

static struct tf_semaphore_wait *take_first(cl_semaphore_khr sema) TF_REQUIRES(&pairing)
{
    struct tf_semaphore_wait *wait = sema->first;

    if (!wait)
        return NULL;
    sema->first = wait->next;
    if (!sema->first)
        sema->last = NULL;
    return wait;
}

// ---- Signals ----

static void publish_signal(cl_semaphore_khr sema, cl_event signal)
{
    struct dropped dropped = {{0}};
    struct tf_semaphore_wait *wait;

    tf_lock(&pairing);
    wait = take_first(sema);
    if (wait) {
        tie(sema, tf_ref(signal), wait->ev, &dropped);
        tf_event_drop_pending(wait->ev); // not the last one: `signal` has not ended
    } else {
        dropped.events[2] = sema->signal;
        sema->signal = tf_ref(signal);
    }
    tf_unlock(&pairing);
    drop(&dropped);
}

// Counts in the payloads that others see. They are full only if nobody ever waits.
static cl_int signal_payloads(cl_event ev)
{
    TF_UNCANCELLED;
    const uint64_t one = 1;
    cl_semaphore_khr *semaphores = ev->cleanup_data;

    for (cl_semaphore_khr *s = semaphores; *s; s++)
        while ((*s)->payload_fd != TF_NO_FD &&
               write((*s)->payload_fd, &one, sizeof(one)) < 0 && errno == EINTR)
            continue;
    return CL_COMPLETE;
}

cl_int tf_semaphore_enqueue_signal(struct tf_err *err, cl_command_queue q,
                                   const struct tf_semaphore_list *list, cl_event *out)
{
    cl_semaphore_khr *copy;
    cl_event ev = tf_queue_new_command_with(err, q, CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
                                            list->dep_count, list->count,
                                            (list->count + 1) * sizeof(*copy));

    if (!ev)
        return err->code;
    copy = tf_event_extra(ev);
    ev->cleanup_data = copy;
    ev->begin = signal_payloads;
    for (cl_uint i = 0; i < list->count; i++) {
        copy[i] = list->semaphores[i];
        tf_event_hold(ev, copy[i]);
    }
    for (cl_uint i = 0; i < list->count; i++)
        publish_signal(list->semaphores[i], ev);
    tf_queue_enqueue(q, ev, 0, list->dep_count, list->deps, out);
    return CL_SUCCESS;
}

// ---- Waits ----

static cl_int wait_for_payloads(cl_event ev)
{
    struct wait *wait = ev->cleanup_data;

    if (tf_semaphore_watch_try(&wait->watch))
        return CL_COMPLETE;
    return tf_semaphore_watch_add(&wait->watch) ? CL_OUT_OF_RESOURCES : CL_RUNNING;
}

// Whatever it ended with, a sync file that it was given is its own.
static void end_wait(cl_event ev, cl_int status)
{
    struct wait *wait = ev->cleanup_data;

    (void)status;
    for (size_t i = 0; i < wait->watch.count; i++)
        if (wait->watch.fds[i].owned && wait->watch.fds[i].fd != TF_NO_FD)
            close(wait->watch.fds[i].fd);
}

// Before `ev` is enqueued: ties it to a signal that is there, or takes the sync file, or
// gives it one more pending dependency.
static void prepare_wait(cl_semaphore_khr sema, cl_event ev,
                         struct tf_semaphore_wait *wait, struct tf_semaphore_watch_fd *at)
{
    struct dropped dropped = {{0}};

    wait->ev = ev;
    *at = (struct tf_semaphore_watch_fd){
        .fd = sema->payload_fd, .is_count = true, .owned = false};
    tf_lock(&pairing);
    if (sema->signal) {
        tie(sema, sema->signal, ev, &dropped);
        sema->signal = NULL;
    } else if (sema->has_sync) {
        *at = (struct tf_semaphore_watch_fd){.fd = sema->sync_fd, .owned = true};
        sema->has_sync = false;
    } else if (sema->payload_fd == TF_NO_FD) {
        wait->is_open = true;
        tf_event_add_pending(ev);
    }
    tf_unlock(&pairing);
    drop(&dropped);
}

// After `ev` was enqueued, with a pending dependency for this semaphore. True if that is
// no longer needed: another thread has enqueued a signal meanwhile, or terminated the
// context.
static bool list_wait(cl_semaphore_khr sema, struct tf_semaphore_wait *wait)
{
    struct dropped dropped = {{0}};
    bool is_tied;

    tf_lock(&pairing);
    is_tied = sema->signal || tf_context_stopped(sema->obj.ctx);
    if (sema->signal) {
        tie(sema, sema->signal, wait->ev, &dropped);
        sema->signal = NULL;
    } else if (!is_tied) {
        if (sema->last)
            sema->last->next = wait;
        else
            sema->first = wait;
        sema->last = wait;
    }
    tf_unlock(&pairing);
    drop(&dropped);
    return is_tied;
}

static struct wait *make_wait(cl_event ev, const struct tf_semaphore_list *list)
{
    struct wait *wait = tf_event_extra(ev);

    wait->watch.ev = ev;
    wait->watch.count = list->count;
    wait->watch.fds = (struct tf_semaphore_watch_fd *)(wait->waits + list->count);
    ev->cleanup_data = wait;
    ev->cleanup = end_wait;
    ev->begin = wait_for_payloads;
    for (cl_uint i = 0; i < list->count; i++) {
        tf_event_hold(ev, list->semaphores[i]);
        prepare_wait(list->semaphores[i], ev, &wait->waits[i], &wait->watch.fds[i]);
    }
    return wait;
}

cl_int tf_semaphore_enqueue_wait(struct tf_err *err, cl_command_queue q,
                                 const struct tf_semaphore_list *list, cl_event *out)
{
    const size_t bytes =
        sizeof(struct wait) + list->count * (sizeof(struct tf_semaphore_wait) +
                                             sizeof(struct tf_semaphore_watch_fd));
    struct wait *wait;
    cl_event ev;

    if (list->dep_count > UINT32_MAX - list->count)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%u dependencies", list->dep_count);
    ev = tf_queue_new_command_with(err, q, CL_COMMAND_SEMAPHORE_WAIT_KHR,
                                   list->dep_count + list->count, list->count, bytes);
    if (!ev)
        return err->code;
    wait = make_wait(ev, list);
    tf_ref(ev);
    tf_queue_enqueue(q, ev, 0, list->dep_count, list->deps, out);
    for (cl_uint i = 0; i < list->count; i++)
        if (wait->waits[i].is_open && list_wait(list->semaphores[i], &wait->waits[i]))
            tf_event_drop_guard(ev);
    tf_unref(ev);
    return CL_SUCCESS;
}

// ---- States ----

static bool has_ended(cl_event ev)
{
    return tf_event_status(ev) <= CL_COMPLETE;
}

bool tf_semaphore_is_signaled(cl_semaphore_khr sema)
{
    struct pollfd payload = {.fd = sema->payload_fd, .events = POLLIN};
    struct pollfd sync = {.fd = TF_NO_FD, .events = POLLIN};
    bool is_signaled;

    if (sema->payload_fd != TF_NO_FD)
        return poll(&payload, 1, 0) == 1;
    tf_lock(&pairing);
    is_signaled =
        (sema->signal && tf_event_status(sema->signal) == CL_COMPLETE) ||
        (sema->last_signal && tf_event_status(sema->last_signal) == CL_COMPLETE &&
         !has_ended(sema->last_wait));
    if (sema->has_sync) {
        sync.fd = sema->sync_fd;
        is_signaled = sync.fd == TF_NO_FD || poll(&sync, 1, 0) == 1;
    }
    tf_unlock(&pairing);
    return is_signaled;
}

void tf_semaphore_import_sync(cl_semaphore_khr sema, int fd)
{
    struct dropped dropped = {{0}};
    int old_fd;

    tf_lock(&pairing);
    dropped.events[0] = sema->signal;
    dropped.events[1] = sema->last_signal;
    dropped.events[2] = sema->last_wait;
    sema->signal = sema->last_signal = sema->last_wait = NULL;
    old_fd = sema->has_sync ? sema->sync_fd : TF_NO_FD;
    sema->has_sync = true;
    sema->sync_fd = fd;
    tf_unlock(&pairing);
    drop(&dropped);
    if (old_fd != TF_NO_FD)
        close(old_fd);
}

// Takes a wait off the list, with a reference for the caller, since nothing else keeps it
// from ending then.
static cl_event take_stopped(cl_semaphore_khr sema)
{
    struct tf_semaphore_wait *wait;
    cl_event ev;

    tf_lock(&pairing);
    wait = take_first(sema);
    ev = wait ? tf_ref(wait->ev) : NULL;
    tf_unlock(&pairing);
    return ev;
}

void tf_semaphore_stop(void *sema)
{
    cl_event ev;

    while ((ev = take_stopped(sema))) {
        tf_event_drop_guard(ev);
        tf_unref(ev);
    }
    tf_semaphore_watch_wake();
}

void tf_semaphore_drop_commands(cl_semaphore_khr sema)
{
    TF_CLEAR(sema->signal);
    TF_CLEAR(sema->last_signal);
    TF_CLEAR(sema->last_wait);
    if (sema->has_sync && sema->sync_fd != TF_NO_FD)
        close(sema->sync_fd);
}

void tf_semaphore_commands_forked(void)
{
    tf_mutex_init(&pairing, TF_RANK_SEMAPHORE);
}
