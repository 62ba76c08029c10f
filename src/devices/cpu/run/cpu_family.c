// SPDX-License-Identifier: MIT
// The launches of a family that may begin form a stack for each thread: what was enqueued
// last is begun first, so that a tree of launches is walked in depth and few of them are
// alive at a time. Threads take a launch each, from each other where they have none;
// those with many groups are open to others meanwhile.
#include "devices/cpu/run/cpu_family_life.h"

#include "base/alloc.h"
#include "base/time.h"
#include "devices/cpu/check/check_family.h"
#include "devices/cpu/check/cpu_check.h"
#include "trace/trace.h"

enum {
    SPIN_NS = 3000, // as long as it takes to be woken
    CREDIT = 16,
};

// ---- What may begin ----

// There is more: others may come.
static void announce(struct tf_family *family) TF_REQUIRES(&family->lock)
{
    const bool was_known = tf_family_has_work(family);

    tf_family_set_work(family, true);
    if (family->in_session && !was_known && family->workers < family->threads)
        tf_pool_renew(family->pool, &family->unit);
}

// By a thread of the family's session.
static void push_own(struct tf_exec *exec, struct tf_child *first, struct tf_child *last,
                     unsigned count, bool looks_itself)
{
    struct tf_family *family = exec->family;

    tf_ready_push(exec->ready, &first->ready, &last->ready, count);
    // One who is about to look itself wakes nobody for a single launch. Whoever finds
    // nothing says so, and looks once more (run_next()).
    if ((looks_itself && tf_ready_count(exec->ready) < 2) ||
        atomic_load(&family->unit.next_piece) == 0)
        return;
    tf_lock(&family->lock);
    announce(family);
    tf_unlock(&family->lock);
}

// By any thread. Under the lock: what it puts there may be the last of the family.
static void push_shared(struct tf_family *family, struct tf_child *first,
                        struct tf_child *last, unsigned count)
{
    bool pushes;

    tf_lock(&family->lock);
    tf_ready_push(&family->stacks[TF_FAMILY_SHARED], &first->ready, &last->ready, count);
    pushes = !family->in_session && !family->is_pushed;
    if (pushes)
        family->is_pushed = true;
    else
        announce(family);
    tf_unlock(&family->lock);
    if (pushes)
        tf_pool_push(family->pool, family->cmd);
}

// Puts a list of launches, in their order, on top. `exec`: of the calling thread; or
// NULL.
static void push_ready(struct tf_exec *exec, struct tf_child *first,
                       struct tf_child *last, unsigned count, bool looks_itself)
{
    if (exec && exec->family == first->family)
        push_own(exec, first, last, count, looks_itself);
    else
        push_shared(first->family, first, last, count);
}

static bool is_last_block(struct tf_child *child)
{
    // Release: what was written before; acquire: the last one has seen all of it.
    return atomic_fetch_sub_explicit(&child->blocked, 1, memory_order_acq_rel) == 1;
}

void tf_child_unblock(struct tf_exec *exec, struct tf_child *child)
{
    if (is_last_block(child))
        push_ready(exec, child, child, 1, false);
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

static void release_group(struct tf_exec *exec)
{
    struct tf_child *list = exec->after_group;

    exec->after_group = NULL;
    release(exec, list, false);
}

// ---- Ends ----

static void fail(struct tf_family *family, cl_int status)
{
    int complete = CL_COMPLETE;

    atomic_compare_exchange_strong(&family->status, &complete, status);
}

static void end_event(struct tf_exec *exec, struct tf_child *child)
{
    const cl_int status = atomic_load_explicit(&child->status, memory_order_relaxed);

    child->times.complete_ns = child->times.start_ns > 0 ? tf_time_ns() : 0;
    tf_children_wake(exec, tf_device_event_end(child->event, status, &child->times),
                     status);
}

static bool is_last(struct tf_child *child, size_t units)
{
    return atomic_fetch_sub_explicit(&child->pending, units, memory_order_acq_rel) ==
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
            family->has_ended = true;
            tf_unlock(&family->lock);
            return;
        }
        tf_child_free(exec, child);
        child = up;
    } while (uncount(exec, child));
}

// Before the thread does what does not count for the same.
static void give_credit(struct tf_exec *exec)
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
static void end_groups(struct tf_exec *exec, struct tf_child *child)
{
    if (child->times.start_ns > 0)
        child->times.end_ns = tf_time_ns();
    release(exec, atomic_load_explicit(&child->after_groups, memory_order_acquire), true);
    if (is_last(child, 1))
        complete(exec, child);
}

// ---- Running ----

static void open_up(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock)
{
    running->is_open = true;
    running->prev = NULL;
    running->next = family->open;
    if (running->next)
        running->next->prev = running;
    family->open = running;
    announce(family);
}

static void close_up(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock)
{
    if (!running->is_open)
        return;
    running->is_open = false;
    if (running->prev)
        running->prev->next = running->next;
    else
        family->open = running->next;
    if (running->next)
        running->next->prev = running->prev;
}

static struct tf_running *take_spare(struct tf_family *family) TF_REQUIRES(&family->lock)
{
    struct tf_running *running = family->spare;

    if (running)
        family->spare = running->next;
    return running;
}

static void keep_spare(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock)
{
    running->next = family->spare;
    family->spare = running;
}

// Sets `running` for a launch. False: there is nothing to run, it is at its end.
static bool start(struct tf_family *family, struct tf_child *child,
                  struct tf_running *running)
{
    cl_int status = atomic_load_explicit(&child->status, memory_order_relaxed);

    if (child->event && child->queue->profiles)
        child->times.start_ns = tf_time_ns();
    if (status < 0 || child->is_marker)
        return false;
    status = tf_command_stopped(family->cmd);
    if (status < 0)
        fail(family, status);
    status = atomic_load(&family->status);
    if (status == CL_COMPLETE) {
        if (running &&
            tf_launch_set(&running->launch, &child->kernel, family->threads, &status)) {
            running->launch.unit.cmd = family->cmd;
            running->launch.abi.host = child;
            tf_check_launch_join(&running->launch.checks, family->checks, child->checks,
                                 &child->kernel);
            if (tf_trace_on() && (child != &family->first || family->cmd->kernel.batch))
                running->launch.trace_launch = tf_trace_number();
            running->child = child;
            running->users = 1;
            running->is_open = false;
            return true;
        }
        if (!running)
            status = CL_OUT_OF_RESOURCES;
        if (status < 0)
            fail(family, status);
    }
    atomic_store_explicit(&child->status, status, memory_order_relaxed);
    return false;
}

// The last of its threads has left it.
static void end_launch(struct tf_family *family, struct tf_exec *exec,
                       struct tf_child *child, cl_int status)
{
    if (status < 0) {
        fail(family, status);
        atomic_store_explicit(&child->status, status, memory_order_relaxed);
    }
    end_groups(exec, child);
}

static void work_on(struct tf_exec *exec, struct tf_running *running)
{
    if (!tf_launch_work(&running->launch, exec))
        tf_unit_fail(&running->launch.unit, CL_OUT_OF_RESOURCES);
    if (exec->after_group) // of a chunk that was left in the middle
        release_group(exec);
}

// One that other threads may have joined.
static void run_open(struct tf_family *family, struct tf_exec *exec,
                     struct tf_running *running)
{
    struct tf_child *child = running->child;
    cl_int status;
    bool is_last;

    work_on(exec, running);
    tf_lock(&family->lock);
    close_up(family, running);
    is_last = --running->users == 0;
    status = tf_unit_status(&running->launch.unit);
    if (is_last)
        keep_spare(family, running);
    tf_unlock(&family->lock);
    if (is_last)
        end_launch(family, exec, child, status);
}

// `*own` is the thread's, for launches that it runs alone.
static void begin(struct tf_family *family, struct tf_exec *exec, struct tf_child *child,
                  struct tf_running **own)
{
    struct tf_running *running = *own;

    if (!running)
        running = *own = tf_alloc_aligned(_Alignof(struct tf_running), sizeof(*running));
    if (!start(family, child, running)) {
        end_groups(exec, child);
        return;
    }
    if (running->launch.unit.total == 1) {
        work_on(exec, running);
        end_launch(family, exec, child, tf_unit_status(&running->launch.unit));
        return;
    }
    tf_lock(&family->lock);
    *own = take_spare(family);
    open_up(family, running);
    tf_unlock(&family->lock);
    run_open(family, exec, running);
}

static struct tf_running *join(struct tf_family *family) TF_REQUIRES(&family->lock)
{
    struct tf_running *running = family->open;

    while (running && !tf_unit_is_left(&running->launch.unit))
        running = running->next;
    if (running)
        running->users++;
    return running;
}

static struct tf_child *child_of(struct tf_ready_node *node)
{
    return node ? tf_container_of(node, struct tf_child, ready) : NULL;
}

// Its own latest, or the oldest of somebody else. What is taken besides, onto its own
// stack, is told to nobody: one who looked just then may miss it and sleep. Nothing
// hangs, as this thread runs all that lies there before it leaves.
static struct tf_child *take_ready(struct tf_family *family, struct tf_exec *exec)
{
    struct tf_ready_node *node = tf_ready_pop(exec->ready);
    const size_t own = (size_t)(exec->ready - family->stacks);

    for (unsigned i = 1; !node && i < family->stack_count; i++)
        node =
            tf_ready_steal(&family->stacks[(own + i) % family->stack_count], exec->ready);
    return child_of(node);
}

// Who put something there before work was denied may have told nobody.
static struct tf_child *look_again(struct tf_family *family, struct tf_exec *exec)
{
    struct tf_child *child = take_ready(family, exec);

    if (child) {
        tf_lock(&family->lock);
        announce(family); // of what else is there
        tf_unlock(&family->lock);
    }
    return child;
}

// Does something, if there is something to do.
static bool run_next(struct tf_family *family, struct tf_exec *exec,
                     struct tf_running **own)
{
    struct tf_child *child = child_of(tf_ready_pop(exec->ready));
    struct tf_running *running = NULL;

    if (!child || child->counts != exec->credit_of)
        give_credit(exec);
    if (!child) {
        tf_device_room_leave(&exec->room);
        child = take_ready(family, exec);
    }
    if (!child) {
        tf_lock(&family->lock);
        running = join(family);
        if (!running)
            tf_family_set_work(family, false);
        tf_unlock(&family->lock);
    }
    if (running) {
        run_open(family, exec, running);
        return true;
    }
    if (!child)
        child = look_again(family, exec);
    if (child)
        begin(family, exec, child, own);
    return child;
}

// Whether work comes while it is still cheaper to wait for it than to be woken.
static bool spin_for_work(const struct tf_family *family)
{
    const uint64_t end_ns = tf_time_ns() + SPIN_NS;

    while (!tf_family_has_work(family) && tf_time_ns() < end_ns)
        ;
    return tf_family_has_work(family);
}

static struct tf_ready *take_stack(struct tf_family *family) TF_REQUIRES(&family->lock)
{
    for (unsigned i = TF_FAMILY_SHARED + 1; i < family->stack_count; i++)
        if (!(family->taken >> i & 1)) {
            family->taken |= 1ull << i;
            return &family->stacks[i];
        }
    return &family->stacks[TF_FAMILY_SHARED];
}

// It is empty, unless it is shared.
static void leave_stack(struct tf_family *family, const struct tf_ready *stack)
    TF_REQUIRES(&family->lock)
{
    family->taken &= ~(1ull << (stack - family->stacks));
}

bool tf_family_run(struct tf_unit *unit, struct tf_exec *exec)
{
    struct tf_family *family = tf_container_of(unit, struct tf_family, unit);
    struct tf_running *own = NULL;
    struct tf_fp_state saved;
    bool is_alone, has_ended;

    exec->enqueue = tf_enqueue_ask;
    exec->release_group = release_group;
    tf_lock(&family->lock);
    family->workers++;
    exec->ready = take_stack(family);
    tf_unlock(&family->lock);
    exec->family = family;
    tf_exec_enter(exec, &saved);
    do {
        while (run_next(family, exec, &own))
            ;
        tf_lock(&family->lock);
        has_ended = family->has_ended;
        is_alone = family->workers == 1;
        tf_unlock(&family->lock);
    } while (!is_alone && !has_ended && spin_for_work(family));
    tf_exec_leave(exec, &saved);
    exec->family = NULL;
    tf_lock(&family->lock);
    family->workers--;
    leave_stack(family, exec->ready);
    if (own)
        keep_spare(family, own);
    tf_unlock(&family->lock);
    return true;
}
