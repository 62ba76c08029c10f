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
#include "devices/cpu/program/cpu_program.h"
#include "trace/trace.h"

enum {
    SEEK_NS = 3000, // as long as it takes to be woken
    LOOK_NS = 200,  // between two looks at what others have: each costs them a cache miss
    CREDIT = 64,
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
        announce(family);
    tf_unlock(&family->lock);
    if (pushes)
        tf_pool_push(family->pool, family->cmd);
}

// By a thread of the family's session. False: it has no stack, or no memory for it.
static TF_NODISCARD bool push_own(struct tf_exec *exec, struct tf_child *first,
                                  unsigned count, bool looks_itself)
{
    struct tf_family *family = exec->family;
    const unsigned all =
        exec->ready ? tf_ready_push(exec->ready, &first->ready, count) : 0;

    if (all == 0)
        return false;
    // One who is about to look itself wakes nobody for a single launch. Whoever finds
    // nothing says so, and looks once more (run_others()); so do those who seek when they
    // give up.
    if ((looks_itself && all < 2) || all < tf_worth_least(&family->worth) ||
        atomic_load(&family->unit.next_piece) == 0 || atomic_load(&family->seekers) > 0)
        return true;
    tf_lock(&family->lock);
    announce(family);
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
    if (child->event && child->times.start_ns > 0)
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
    atomic_fetch_add_explicit(&family->opened, 1, memory_order_relaxed);
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

static struct tf_running *new_running(void)
{
    struct tf_running *running =
        tf_alloc_aligned(_Alignof(struct tf_running), sizeof(*running));

    if (running)
        running->kernel = (struct tf_command_kernel){0};
    return running;
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

static void set_range(struct tf_command_kernel *k, int dimension,
                      const struct tf_child_range *range)
{
    k->global_offset[dimension] = range->offset;
    k->global_size[dimension] = range->size;
    k->local_size[dimension] = range->local_size;
}

// What is launched. What no child has is zero in `running` from the beginning.
static const struct tf_command_kernel *kernel_of(const struct tf_family *family,
                                                 struct tf_child *child,
                                                 struct tf_running *running)
{
    static const struct tf_child_range one = {.size = 1, .local_size = 1};
    struct tf_command_kernel *k = &running->kernel;

    if (child == &family->first)
        return &family->cmd->kernel;
    k->program = family->cmd->kernel.program;
    k->kernel_index = child->kernel_index;
    k->work_dim = child->work_dim;
    k->arg_block = tf_child_block(child);
    k->arg_block_bytes = k->program->infos[k->kernel_index].arg_block_bytes;
    k->local_bytes = child->local_bytes;
    set_range(k, 0, &child->range);
    for (int d = 1; d < 3; d++)
        set_range(k, d, d < child->work_dim ? &child->more[d - 1] : &one);
    return k;
}

static bool set_launch(struct tf_family *family, struct tf_child *child,
                       struct tf_running *running, cl_int *status)
{
    const struct tf_command_kernel *k = kernel_of(family, child, running);

    if (!tf_launch_set(&running->launch, k, family->threads, status))
        return false;
    running->launch.unit.cmd = family->cmd;
    running->launch.abi.host = child;
    tf_check_launch_join(&running->launch.checks, family->checks, child->checks, k);
    if (tf_trace_on() && (child != &family->first || family->cmd->kernel.batch))
        running->launch.trace_launch = tf_trace_number();
    running->child = child;
    running->users = 1;
    running->is_open = false;
    return true;
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
        if (running && set_launch(family, child, running, &status))
            return true;
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

// What a thread knows of its part in the session.
struct seat {
    struct tf_running *own; // for launches that it runs alone; or NULL
    uint64_t since_ns;      // since when it has had nothing to do
    struct tf_worth_view view;
    unsigned opened; // family->opened when there was none to join
    bool is_alone;   // at that time
};

// There is more than was taken, perhaps.
static void announce_rest(struct tf_family *family)
{
    tf_lock(&family->lock);
    announce(family);
    tf_unlock(&family->lock);
}

// Does what start() does, and takes the time.
static bool start_sample(struct tf_family *family, struct tf_child *child,
                         struct tf_running *running)
{
    const uint64_t begin_ns = tf_time_ns();
    const bool is_started = start(family, child, running);

    if (is_started)
        tf_worth_started(tf_time_ns() - begin_ns);
    return is_started;
}

static void begin(struct tf_family *family, struct tf_exec *exec, struct tf_child *child,
                  struct seat *seat)
{
    struct tf_running *running = seat->own;
    bool is_sample, is_started;

    if (tf_worth_begin(&family->worth, &seat->view, &is_sample) &&
        tf_worth_look(&family->worth, &seat->view, tf_time_ns()))
        announce_rest(family);
    if (!running)
        running = seat->own = new_running();
    is_started =
        is_sample ? start_sample(family, child, running) : start(family, child, running);
    if (!is_started || !running) { // which go together
        end_groups(exec, child);
        return;
    }
    if (running->launch.unit.total == 1) {
        work_on(exec, running);
        end_launch(family, exec, child, tf_unit_status(&running->launch.unit));
        return;
    }
    tf_lock(&family->lock);
    seat->own = take_spare(family);
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

static struct tf_ready_node *pop_own(struct tf_exec *exec)
{
    return exec->ready ? tf_ready_pop(exec->ready) : NULL;
}

// Its own latest, or the oldest of somebody else who has enough. What is taken besides,
// onto its own stack, is told to nobody: one who looked just then may miss it and sleep.
// Nothing hangs, as this thread runs all that lies there before it leaves.
static struct tf_child *take_ready(struct tf_family *family, struct tf_exec *exec,
                                   struct seat *seat)
{
    const size_t own = exec->ready ? (size_t)(exec->ready - family->stacks) : 0;
    const unsigned least = tf_worth_least(&family->worth);
    struct tf_ready_node *node = pop_own(exec);

    if (!node)
        node = tf_ready_list_pop(&family->shared);
    for (unsigned i = 1; !node && i <= family->stack_count; i++) {
        struct tf_ready *other = &family->stacks[(own + i) % family->stack_count];

        if (other == exec->ready)
            continue;
        node = tf_ready_steal(other, exec->ready, least);
        if (node)
            tf_worth_taken(&seat->view,
                           1 + (exec->ready ? tf_ready_count(exec->ready) : 0), least,
                           tf_time_ns());
    }
    return child_of(node);
}

// Looks for something until it would be cheaper to be woken, or there is a launch to
// join.
static struct tf_child *seek(struct tf_family *family, struct tf_exec *exec,
                             struct seat *seat)
{
    const uint64_t end_ns = seat->since_ns + SEEK_NS;
    uint64_t look_ns = seat->since_ns + LOOK_NS, now_ns = seat->since_ns;
    struct tf_child *child = NULL;

    while (!child && now_ns < end_ns &&
           atomic_load_explicit(&family->opened, memory_order_relaxed) == seat->opened &&
           !atomic_load_explicit(&family->has_ended, memory_order_relaxed)) {
        now_ns = tf_time_ns();
        if (now_ns < look_ns)
            continue;
        look_ns = now_ns + LOOK_NS;
        child = take_ready(family, exec, seat);
    }
    return child;
}

// A launch that others have opened; or all shall know that there is nothing, but that
// somebody looks for it.
static struct tf_running *join_or_deny(struct tf_family *family, struct seat *seat)
{
    struct tf_running *running;

    tf_lock(&family->lock);
    running = join(family);
    if (!running) {
        tf_family_set_work(family, false);
        atomic_fetch_add(&family->seekers, 1);
        seat->opened = atomic_load_explicit(&family->opened, memory_order_relaxed);
        seat->is_alone = family->workers == 1;
    }
    tf_unlock(&family->lock);
    return running;
}

// Work has been denied: what comes yet, or NULL.
static struct tf_child *wait_for_work(struct tf_family *family, struct tf_exec *exec,
                                      struct seat *seat)
{
    struct tf_child *child = seat->is_alone || tf_worth_least(&family->worth) > 1
                                 ? NULL
                                 : seek(family, exec, seat);

    atomic_fetch_sub(&family->seekers, 1);
    // Who put something there since may have told nobody.
    if (!child && (seat->is_alone || !tf_family_has_work(family)))
        child = take_ready(family, exec, seat);
    if (child)
        announce_rest(family);
    return child;
}

// Does something of what others have put there, if there is something.
static bool run_others(struct tf_family *family, struct tf_exec *exec, struct seat *seat)
{
    struct tf_child *child;
    struct tf_running *running = NULL;

    seat->since_ns = tf_time_ns();
    tf_worth_idle(&family->worth, &seat->view, seat->since_ns);
    child = take_ready(family, exec, seat);
    if (!child)
        running = join_or_deny(family, seat);
    if (running) {
        run_open(family, exec, running);
        return true;
    }
    if (!child)
        child = wait_for_work(family, exec, seat);
    if (child)
        begin(family, exec, child, seat);
    return child || (!seat->is_alone && tf_family_has_work(family));
}

// Does something, if there is something to do.
static bool run_next(struct tf_family *family, struct tf_exec *exec, struct seat *seat)
{
    struct tf_child *child = child_of(pop_own(exec));

    if (!child || child->counts != exec->credit_of)
        give_credit(exec);
    if (!child) {
        tf_device_room_leave(&exec->room);
        return run_others(family, exec, seat);
    }
    begin(family, exec, child, seat);
    return true;
}

static struct tf_ready *take_stack(struct tf_family *family) TF_REQUIRES(&family->lock)
{
    for (unsigned i = 0; i < family->stack_count; i++)
        if (!(family->taken >> i & 1)) {
            family->taken |= 1ull << i;
            return &family->stacks[i];
        }
    return NULL;
}

// It is empty.
static void leave_stack(struct tf_family *family, const struct tf_ready *stack)
    TF_REQUIRES(&family->lock)
{
    if (stack)
        family->taken &= ~(1ull << (stack - family->stacks));
}

bool tf_family_run(struct tf_unit *unit, struct tf_exec *exec)
{
    struct tf_family *family = tf_container_of(unit, struct tf_family, unit);
    struct seat seat = {0};
    struct tf_fp_state saved;

    exec->enqueue = tf_enqueue_ask;
    exec->release_group = release_group;
    tf_lock(&family->lock);
    family->workers++;
    exec->ready = take_stack(family);
    tf_unlock(&family->lock);
    exec->family = family;
    tf_exec_enter(exec, &saved);
    while (run_next(family, exec, &seat))
        ;
    tf_exec_leave(exec, &saved);
    exec->family = NULL;
    tf_lock(&family->lock);
    family->workers--;
    leave_stack(family, exec->ready);
    if (seat.own)
        keep_spare(family, seat.own);
    tf_unlock(&family->lock);
    return true;
}
